// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/reading/expand_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/names.h"

namespace tappet {
namespace {

// The position after the bracket that closes the one at `open`, or npos.
std::size_t past_closing(const std::string& text, std::size_t open) {
  const char opening = text[open], closing = opening == '(' ? ')' : '}';
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == opening) ++depth;
    if (text[i] == closing && --depth == 0) return i + 1;
  }
  return std::string::npos;
}

bool is_known(const std::string& formula, const Values& values, const Yaml::Indices* indices) {
  const auto names = names_in(formula);
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto is_index = [&](const auto& index) { return index.first == name; };
    const auto functions = function_names();
    return values.known().contains(name) ||
           (indices && std::any_of(indices->values.begin(), indices->values.end(), is_index)) ||
           std::find(functions.begin(), functions.end(), name) != functions.end();
  });
}

double value_of(const Item& item, const Values& values, const Yaml& scalar, const std::string& formula) {
  Yaml part = scalar;
  part.text = formula;
  part.written.clear();
  return values.number(item.with(part));
}

}  // namespace

void expand_text(const Item& item, const Values& values, Yaml& scalar) {
  const std::string& text = scalar.text;
  const Yaml::Indices* indices = scalar.indices.get();
  if (text.find(".(") == std::string::npos && (!indices || text.find('{') == std::string::npos)) return;
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const bool computed = text[i] == '.' && i > 0 && i + 1 < text.size() && text[i + 1] == '(';
    const std::size_t open = computed ? i + 1 : i;
    const std::size_t end = computed || (indices && text[i] == '{') ? past_closing(text, open) : std::string::npos;
    const std::string formula = end == std::string::npos ? "" : text.substr(open + 1, end - open - 2);
    if (end == std::string::npos || !is_known(formula, values, indices)) {
      result += text[i++];
      continue;
    }
    const double value = value_of(item, values, scalar, formula);
    const bool in_name = computed || (i > 0 && text[i - 1] == '.');
    if (in_name && value != std::round(value))
      item.fail(fmt::format("'{}' is {}; expected a whole number in a name", formula, value));
    result += fmt::format("{}{}", computed ? "." : "", value);
    i = end;
  }
  if (result == text) return;
  scalar.written = text;
  scalar.text = result;
}

}  // namespace tappet
