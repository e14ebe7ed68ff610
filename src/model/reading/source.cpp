// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "model/reading/yaml.h"

namespace tappet {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

Source::Source(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)), lines_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') lines_.push_back(i + 1);
}

std::size_t Source::offset(int line, int column) const {
  if (line < 0) return 0;
  const std::size_t start = lines_[std::min<std::size_t>(line, lines_.size() - 1)];
  return std::min(start + std::max(column, 0), text_.size());
}

Place Source::place(std::size_t offset) const {
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), offset);
  const int line = static_cast<int>(next - lines_.begin());
  int column = 1;
  for (std::size_t i = lines_[line - 1]; i < offset && i < text_.size(); ++i)
    if ((static_cast<unsigned char>(text_[i]) & 0xC0) != 0x80) ++column;
  return {line, column};
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
