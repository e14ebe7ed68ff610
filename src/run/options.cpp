// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formula/parse.h"

namespace tappet {

namespace {

std::string range(double least, double most) { return fmt::format("{} to {}", least, most); }

std::string one_of(const std::vector<std::string>& choices) { return fmt::format("{}", fmt::join(choices, " or ")); }

}  // namespace

void OptionList::number(std::string_view name, double value, double least, double most, std::string_view meaning) {
  options.push_back({std::string(name), fmt::format("{}", value), std::string(meaning), range(least, most)});
}

void OptionList::integer(std::string_view name, int value, int least, int most, std::string_view meaning) {
  options.push_back({std::string(name), fmt::format("{}", value), std::string(meaning), range(least, most)});
}

void OptionList::flag(std::string_view name, bool value, std::string_view meaning) {
  options.push_back({std::string(name), fmt::format("{}", value), std::string(meaning), "true or false"});
}

void OptionList::choice(std::string_view name, const std::string& value, const std::vector<std::string>& choices,
                        std::string_view meaning) {
  options.push_back({std::string(name), value, std::string(meaning), one_of(choices)});
}

bool OptionSetter::matches(std::string_view name) {
  if (name != key_) return false;
  found_ = true;
  return true;
}

void OptionSetter::refuse(const std::string& expected) const {
  throw std::invalid_argument(fmt::format("'{}' does not fit option {}; expected {}", text_, key_, expected));
}

double OptionSetter::parsed(double least, double most) const {
  try {
    Graph graph;
    const double value = graph.evaluate(parse(graph, text_, {}), {});
    if (value >= least && value <= most) return value;
  } catch (const FormulaError&) {
  }
  refuse("a number, " + range(least, most));
}

void OptionSetter::number(std::string_view name, double& value, double least, double most, std::string_view) {
  if (matches(name)) value = parsed(least, most);
}

void OptionSetter::integer(std::string_view name, int& value, int least, int most, std::string_view) {
  if (!matches(name)) return;
  const double number = parsed(least, most);
  if (number != std::floor(number)) refuse("a whole number, " + range(least, most));
  value = static_cast<int>(number);
}

void OptionSetter::flag(std::string_view name, bool& value, std::string_view) {
  if (!matches(name)) return;
  if (text_ != "true" && text_ != "false") refuse("true or false");
  value = text_ == "true";
}

void OptionSetter::choice(std::string_view name, std::string& value, const std::vector<std::string>& choices,
                          std::string_view) {
  if (!matches(name)) return;
  if (std::find(choices.begin(), choices.end(), text_) == choices.end()) refuse(one_of(choices));
  value = text_;
}

}  // namespace tappet
