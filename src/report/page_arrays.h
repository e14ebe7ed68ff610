// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace tappet {

// The arrays of a report page (docs/report-format.md): bytes that compress well, and references to them.
class PageArrays {
 public:
  nlohmann::ordered_json floats(std::span<const double> values);  // in single precision
  nlohmann::ordered_json doubles(std::span<const double> values);
  nlohmann::ordered_json bytes(std::span<const std::uint8_t> values);

  std::string packed() const;  // zlib, base64

 private:
  template <class Bits>
  void add_planes(std::span<const Bits> bits);
  nlohmann::ordered_json reference(size_t count, const char* type) const;

  std::string data_;
};

}  // namespace tappet
