// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace tappet {

// The bytes of the arrays of a page (PageArrays::packed): base64, zlib.
inline std::string unpacked(const std::string& base64) {
  static const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned value = 0;
  int bits = 0;
  for (const char c : base64) {
    if (c == '=') break;
    value = value << 6 | static_cast<unsigned>(letters.find(c)), bits += 6;
    if (bits >= 8) bits -= 8, bytes += static_cast<char>(value >> bits & 0xff);
  }
  std::string data(1 << 22, '\0');
  uLongf size = data.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(data.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                       bytes.size()),
            Z_OK);
  data.resize(size);
  return data;
}

}  // namespace tappet
