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
  enum class Form { packed, plain };
  explicit PageArrays(Form form = Form::packed) : form_(form) {}

  nlohmann::ordered_json floats(std::span<const double> values);  // in single precision
  nlohmann::ordered_json doubles(std::span<const double> values);
  nlohmann::ordered_json bytes(std::span<const std::uint8_t> values);

  std::string packed() const;  // zlib, base64
  // For a page on the same computer: numbers as they are in memory, each array at a multiple of eight bytes.
  const std::string& plain() const { return data_; }
  bool is_plain() const { return form_ == Form::plain; }

 private:
  template <class Bits>
  void add_planes(std::span<const Bits> bits);
  template <class Number>
  void add_plain(std::span<const double> values);
  nlohmann::ordered_json reference(size_t count, const char* type) const;

  Form form_;
  std::string data_;
};

}  // namespace tappet
