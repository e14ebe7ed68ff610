// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tappet {

// Wrong usage that no place in a model file stands for: a command-line option, an argument of simulate().
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An options struct lists its members once, in `template <class V> void describe(V& v)`, by calls of
// number, integer, flag and choice. The two visitors below list them and set them.

struct OptionInfo {
  std::string name, value, meaning;  // value: the default
  std::string expected;              // "0 to 2", "explicit or free"
};

class OptionList {
 public:
  void number(std::string_view name, double value, double least, double most, std::string_view meaning);
  void integer(std::string_view name, int value, int least, int most, std::string_view meaning);
  void flag(std::string_view name, bool value, std::string_view meaning);
  void choice(std::string_view name, const std::string& value, const std::vector<std::string>& choices,
              std::string_view meaning);

  std::vector<OptionInfo> options;
};

// Sets the option called `key`, if there is one; throws std::invalid_argument where the value does not fit.
// Numbers may be formulas of constants ("1/3", "10*deg").
class OptionSetter {
 public:
  OptionSetter(std::string key, std::string value) : key_(std::move(key)), text_(std::move(value)) {}

  void number(std::string_view name, double& value, double least, double most, std::string_view meaning);
  void integer(std::string_view name, int& value, int least, int most, std::string_view meaning);
  void flag(std::string_view name, bool& value, std::string_view meaning);
  void choice(std::string_view name, std::string& value, const std::vector<std::string>& choices,
              std::string_view meaning);
  bool found() const { return found_; }

 private:
  bool matches(std::string_view name);
  double parsed(double least, double most) const;
  [[noreturn]] void refuse(const std::string& expected) const;

  std::string key_, text_;
  bool found_ = false;
};

template <class Options>
std::vector<OptionInfo> list_options(Options options = {}) {
  OptionList list;
  options.describe(list);
  return list.options;
}

// Whether `options` has such a key.
template <class Options>
bool set_option(Options& options, const std::string& key, const std::string& value) {
  OptionSetter setter(key, value);
  options.describe(setter);
  return setter.found();
}

}  // namespace tappet
