// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/error.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "describe/describe.h"

namespace tappet {

// The two visitors of options (describe.h). One lists the options, the other sets one of them.

struct OptionInfo {
  std::string name, value, meaning;  // value: the default
  std::string expected;              // "0 to 2", "explicit or free"
};

struct RenamedOption {
  std::string before, now;
};

class OptionList {
 public:
  template <class T, class Check>
  void optional(std::string_view name, const T& value, const Check& check, std::string_view meaning = "") {
    add(name, fmt::format("{}", value), expected_by(check), meaning);
  }
  template <class T>
  void choice(std::string_view name, const T& value, const Choices& names, std::string_view meaning = "") {
    add(name, chosen(value, names), one_of(names), meaning);
  }
  void renamed(std::string_view before, std::string_view now) {
    renames.push_back({std::string(before), std::string(now)});
  }
  static std::string one_of(const Choices& names) { return fmt::format("{}", fmt::join(names, " or ")); }

  std::vector<OptionInfo> options;
  std::vector<RenamedOption> renames;

 private:
  void add(std::string_view name, std::string value, std::string expected, std::string_view meaning);
};

// Sets the option called `key`, if there is one. Throws std::invalid_argument if the value does not fit. Numbers may be
// formulas of constants ("1/3", "10*deg").
class OptionSetter {
 public:
  OptionSetter(std::string key, std::string value) : key_(std::move(key)), text_(std::move(value)) {}

  template <class Check>
  void optional(std::string_view name, double& value, const Check& check, std::string_view meaning = "") {
    if (matches(name)) value = checked(check);
  }
  template <class Check>
  void optional(std::string_view name, int& value, const Check& check, std::string_view meaning = "") {
    if (matches(name)) value = whole(checked(check), expected_by(check));
  }
  void optional(std::string_view name, bool& value, TrueOrFalse = {}, std::string_view meaning = "");
  template <class T>
  void choice(std::string_view name, T& value, const Choices& names, std::string_view meaning = "") {
    if (matches(name)) choose(value, names, index(names));
  }
  void renamed(std::string_view before, std::string_view now) {
    if (key_ == before) key_ = now;
  }
  bool found() const { return found_; }

 private:
  bool matches(std::string_view name);
  bool parse_number(double& number) const;
  template <class Check>
  double checked(const Check& check) const {
    double number;
    if (!parse_number(number) || !check(number)) refuse("a number, " + expected_by(check));
    return number;
  }
  int whole(double number, const std::string& expected) const;
  int index(const Choices& names) const;
  [[noreturn]] void refuse(const std::string& expected) const;

  std::string key_, text_;
  bool found_ = false;
};

template <class Options>
OptionList list_options(Options options = {}) {
  OptionList list;
  options.describe(list);
  return list;
}

// Whether `options` has this key.
template <class Options>
bool set_option(Options& options, const std::string& key, const std::string& value) {
  OptionSetter setter(key, value);
  options.describe(setter);
  return setter.found();
}

}  // namespace tappet
