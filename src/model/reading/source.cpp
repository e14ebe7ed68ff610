// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "model/reading/yaml.h"

namespace tappet {
namespace {

constexpr std::size_t block_size = 256;  // between two entries of Source::characters_

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Whether a byte goes on with a character of UTF-8 that began before it.
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

Source::Source(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)), lines_{0} {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') lines_.push_back(i + 1);
    if (i % block_size == 0) characters_.push_back(characters);
    if (!continues_character(text_[i])) ++characters;
  }
}

std::size_t Source::characters_before(std::size_t offset) const {
  if (characters_.empty()) return 0;
  const std::size_t block = std::min(offset / block_size, characters_.size() - 1);
  std::size_t characters = characters_[block];
  for (std::size_t i = block * block_size; i < offset; ++i)
    if (!continues_character(text_[i])) ++characters;
  return characters;
}

std::size_t Source::offset(int line, int column) const {
  if (line < 0) return 0;
  const std::size_t start = lines_[std::min<std::size_t>(line, lines_.size() - 1)];
  return std::min(start + std::max(column, 0), text_.size());
}

Place Source::place(std::size_t offset) const {
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), offset);
  const int line = static_cast<int>(next - lines_.begin());
  const std::size_t start = lines_[line - 1], end = std::clamp(offset, start, std::max(start, text_.size()));
  return {line, static_cast<int>(characters_before(end) - characters_before(start)) + 1};
}

Place Source::place_in(const Yaml& scalar, std::size_t index) const {
  const std::string& written = scalar.written.empty() ? scalar.text : scalar.written;
  std::size_t at = scalar.offset;
  const char first = at < text_.size() ? text_[at] : ' ';
  if (first == '>' || first == '|') {
    at = text_.find('\n', at);
    if (at == std::string::npos) return scalar.place;
  } else if ((first == '"' || first == '\'') && (written.empty() || written[0] != first)) {
    ++at;
  }
  for (std::size_t i = 0; i <= index && i < written.size(); ++i) {
    if (!is_space(written[i]))
      while (at < text_.size() && is_space(text_[at])) ++at;
    if (i == index) break;
    if (at >= text_.size()) return scalar.place;
    if (text_[at] == written[i])
      ++at;
    else if (is_space(written[i]) && is_space(text_[at]))
      ++at;
    else
      return scalar.place;
  }
  if (index >= written.size() && written.empty()) return scalar.place;
  return place(at);
}

ModelError::ModelError(const std::string& file, Place place, const std::string& key, const std::string& message)
    : std::runtime_error(place.line > 0 ? fmt::format("{}:{}:{}: {}{}{}", file, place.line, place.column, key,
                                                      key.empty() ? "" : ": ", message)
                                        : fmt::format("{}: {}{}{}", file, key, key.empty() ? "" : ": ", message)),
      file(file),
      place(place),
      key(key),
      message(message) {}

}  // namespace tappet
