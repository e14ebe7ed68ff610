// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/options.h"

#include <algorithm>
#include <cmath>

#include "formula/parse.h"

namespace tappet {

void OptionList::add(std::string_view name, std::string value, std::string expected, std::string_view meaning) {
  options.push_back({std::string(name), std::move(value), std::string(meaning), std::move(expected)});
}

bool OptionSetter::matches(std::string_view name) {
  if (name != key_) return false;
  found_ = true;
  return true;
}

void OptionSetter::refuse(const std::string& expected) const {
  throw std::invalid_argument(fmt::format("'{}' does not fit option {}; expected {}", text_, key_, expected));
}

bool OptionSetter::parse_number(double& number) const try {
  Graph graph;
  number = graph.evaluate(parse(graph, text_, {}), {});
  return true;
} catch (const FormulaError&) {
  return false;
}

int OptionSetter::whole(double number, const std::string& expected) const {
  if (number != std::floor(number)) refuse("a whole number, " + expected);
  return static_cast<int>(number);
}

void OptionSetter::optional(std::string_view name, bool& value, TrueOrFalse check, std::string_view) {
  if (!matches(name)) return;
  if (text_ != "true" && text_ != "false") refuse(expected_by(check));
  value = text_ == "true";
}

int OptionSetter::index(const Choices& names) const {
  const auto place = std::find(names.begin(), names.end(), text_);
  if (place == names.end()) refuse(OptionList::one_of(names));
  return static_cast<int>(place - names.begin());
}

}  // namespace tappet
