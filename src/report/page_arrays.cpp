// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/page_arrays.h"

#include <zlib.h>

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

namespace tappet {

namespace {

std::string base64(const std::string& data) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((data.size() + 2) / 3 * 4);
  for (size_t i = 0; i < data.size(); i += 3) {
    const auto byte = [&](size_t k) -> std::uint32_t { return k < data.size() ? std::uint8_t(data[k]) : 0; };
    const std::uint32_t three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (int k = 0; k < 4; ++k) text += i + k > data.size() ? '=' : letters[three >> (18 - 6 * k) & 63];
  }
  return text;
}

}  // namespace

nlohmann::ordered_json PageArrays::reference(size_t count, const char* type) const {
  return {{"at", data_.size()}, {"n", count}, {"type", type}};
}

// Stores all lowest bytes, then all next bytes, and so on.
template <class Bits>
void PageArrays::add_planes(std::span<const Bits> bits) {
  for (size_t plane = 0; plane < sizeof(Bits); ++plane)
    for (const Bits b : bits) data_ += static_cast<char>(b >> (8 * plane) & 0xff);
}

template <class Number>
void PageArrays::add_plain(std::span<const double> values) {
  const size_t at = data_.size();
  data_.resize(at + (values.size() * sizeof(Number) + 7) / 8 * 8, '\0');
  for (size_t i = 0; i < values.size(); ++i) {
    const auto number = static_cast<Number>(values[i]);
    std::memcpy(data_.data() + at + i * sizeof(Number), &number, sizeof(Number));
  }
}

nlohmann::ordered_json PageArrays::floats(std::span<const double> values) {
  const auto ref = reference(values.size(), "f32");
  if (form_ == Form::plain) {
    add_plain<float>(values);
    return ref;
  }
  std::vector<std::uint32_t> differences;
  differences.reserve(values.size());
  std::uint32_t last = 0;
  for (const double value : values) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    differences.push_back(bits - last);
    last = bits;
  }
  add_planes<std::uint32_t>(differences);
  return ref;
}

nlohmann::ordered_json PageArrays::doubles(std::span<const double> values) {
  const auto ref = reference(values.size(), "f64");
  if (form_ == Form::plain) {
    add_plain<double>(values);
    return ref;
  }
  std::vector<std::uint64_t> bits;
  bits.reserve(values.size());
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  add_planes<std::uint64_t>(bits);
  return ref;
}

nlohmann::ordered_json PageArrays::bytes(std::span<const std::uint8_t> values) {
  const auto ref = reference(values.size(), "u8");
  data_.append(values.begin(), values.end());
  if (form_ == Form::plain) data_.resize((data_.size() + 7) / 8 * 8, '\0');
  return ref;
}

std::string PageArrays::packed() const {
  uLongf size = compressBound(data_.size());
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(data_.data()),
                data_.size(), 6) != Z_OK)
    throw std::runtime_error("the data of the report page could not be compressed");
  packed.resize(size);
  return base64(packed);
}

}  // namespace tappet
