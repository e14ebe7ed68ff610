// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "formula/parse.h"

namespace tappet {
namespace {

// These names are reserved, in addition to those of functions.
constexpr std::string_view reserved[] = {"t", "pi", "deg", "and", "or", "not"};

template <class Words>
bool contains(const Words& words, const std::string& name) {
  return std::find(std::begin(words), std::end(words), name) != std::end(words);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Skips the number that begins at i, so that the e of 1e-3 is not taken for a name.
std::size_t skip_number(std::string_view text, std::size_t i) {
  const auto digits = [&] {
    while (i < text.size() && (is_digit(text[i]) || text[i] == '.')) ++i;
  };
  digits();
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    const std::size_t sign = i + 1 < text.size() && (text[i + 1] == '+' || text[i + 1] == '-') ? 1 : 0;
    if (i + 1 + sign < text.size() && is_digit(text[i + 1 + sign])) i += 1 + sign, digits();
  }
  return i;
}

}  // namespace

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < text.size();) {
    if (is_digit(text[i])) {
      i = skip_number(text, i);
    } else if (is_letter(text[i])) {
      const std::size_t start = i;
      const auto more = [&](std::size_t k) { return k < text.size() && (is_letter(text[k]) || is_digit(text[k])); };
      while (more(i) || (i < text.size() && text[i] == '.' && more(i + 1))) ++i;
      while (i < text.size() && text[i] == '\'') ++i;
      names.emplace_back(text.substr(start, i - start));
    } else {
      ++i;
    }
  }
  return names;
}

void check_formula_name(const Item& item, const std::string& what) {
  const std::string& name = item.entry_name();
  const bool letters = !name.empty() && is_letter(name[0]) &&
                       std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
  if (!letters) item.fail_at_key(fmt::format("cannot name {}; expected a letter, then letters, digits and _", what));
  if (contains(reserved, name) || contains(function_names(), name))
    item.fail_at_key(fmt::format("cannot name {}: the name has a meaning in formulas; expected another name", what));
}

void check_free_name(const Item& item, const std::string& what) {
  const std::string& name = item.key();
  const bool printable =
      std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != '/'; });
  if (name.empty() || name == "." || name == ".." || !printable)
    item.fail_at_key(fmt::format("cannot name {}; expected a name without '/' and control characters", what));
}

}  // namespace tappet
