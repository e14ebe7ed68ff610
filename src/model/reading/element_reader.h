// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "elements/contacts/surface_function.h"
#include "elements/keys.h"
#include "model/reading/nearest.h"
#include "model/reading/values.h"

namespace tappet {

// The two visitors of the describe() of an element. The first collects the keys, so that a mistyped key is reported
// before a missing one. The second reads the values.
struct KeyNames {
  std::vector<std::string> names;

  template <class T, class Check = Finite>
  void required(std::string_view key, T&, const Check& = {}, std::string_view = "") {
    names.emplace_back(key);
  }
  template <class T, class Check = Finite>
  void optional(std::string_view key, T&, const Check& = {}, std::string_view = "") {
    names.emplace_back(key);
  }
  template <class T>
  void choice(std::string_view key, T&, const Choices&, std::string_view = "") {
    names.emplace_back(key);
  }
};

// The numbers of an element that depend on parameters that vary: component `index` of the value of `key` (OneOrTwo: −1
// is both).
struct KeyUse {
  std::string key;
  int index;
  StagedNumber number;
};
using KeyUses = std::vector<KeyUse>;

class KeyReader {
 public:
  // If `uses` is given, numbers that depend on parameters that vary are listed there. Otherwise they are held.
  KeyReader(const Item& item, const Values& values, KeyUses* uses = nullptr)
      : item_(item), values_(values), uses_(uses) {}

  template <class T, class Check = Finite>
  void required(std::string_view key, T& value, const Check& check = {}, std::string_view = "") {
    key_ = key;
    read_checked(item_.at(std::string(key), expected(value, check)), value, check);
  }
  template <class T, class Check = Finite>
  void optional(std::string_view key, T& value, const Check& check = {}, std::string_view = "") {
    key_ = key;
    if (const auto item = item_.find(std::string(key))) read_checked(*item, value, check);
  }
  template <class T>
  void choice(std::string_view key, T& value, const Choices& names, std::string_view = "") {
    if (const auto item = item_.find(std::string(key)))
      choose(value, names, index_of(*item, {names.begin(), names.end()}));
  }

 private:
  template <class T, class Check>
  static std::string expected(const T&, const Check& check) {
    if constexpr (requires { T::expects; })
      return std::string(T::expects);
    else if constexpr (std::is_same_v<Check, Finite> && !std::is_same_v<T, double>)
      return "a value";
    else
      return expected_by(check);
  }
  template <class T, class Check>
  void read_checked(const Item& item, T& value, const Check& check) const {
    read(item, value);
    if (check(value)) return;
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, OneOrTwo>)
      if (item.is_scalar()) fail_number(item, first(value), expected_by(check));
    item.fail_expecting(expected_by(check));
  }
  static double first(double x) { return x; }
  static double first(const OneOrTwo& x) { return x[0]; }
  [[noreturn]] static void fail_number(const Item& item, double value, const std::string& expected);

  template <class T>
  void read(const Item& item, std::optional<T>& value) const {
    T given{};
    read(item, given);
    value = given;
  }

  double number(const Item& item, int index) const;  // for component `index` of the value
  void read(const Item& item, double& value) const;
  void read(const Item& item, int& value) const;
  void read(const Item& item, bool& value) const;
  void read(const Item& item, std::string& value) const;
  void read(const Item& item, Vec3d& value) const;
  void read(const Item& item, Mat3d& value) const;
  void read(const Item& item, Quatd& value) const;
  void read(const Item& item, OneOrTwo& value) const;
  void read(const Item& item, EdgeLengths& value) const;
  void read(const Item& item, Anchor& value) const;
  void read(const Item& item, std::array<Vec3d, 2>& value) const;
  void read(const Item& item, TimeFunction& value) const;
  void read(const Item& item, TimeVector& value) const;
  void read(const Item& item, SurfaceFunction& value) const;
  // A value that is read later, where more is known: `static constexpr std::string_view expects` says what it is.
  template <class T>
  requires requires { T::expects; }
  void read(const Item& item, T& value) const { value.item = item; }
  static int index_of(const Item& item, const std::vector<std::string>& names);

  const Item& item_;
  const Values& values_;
  KeyUses* uses_;
  std::string_view key_;  // the one that is read
};

// Gives the numbers of an element that depend on parameters new values, and checks them as KeyReader does.
class KeySetter {
 public:
  KeySetter(const KeyUses& uses, const ParameterStage& stage) : uses_(uses), stage_(stage) {}
  bool right() const { return right_; }

  template <class T, class Check = Finite>
  void required(std::string_view key, T& value, const Check& check = {}, std::string_view = "") {
    bool changed = false;
    for (const KeyUse& use : uses_)
      if (use.key == key) set(value, use.index, stage_[use.number.place]), changed = true;
    if (changed) right_ = right_ && check(value);
  }
  template <class T, class Check = Finite>
  void optional(std::string_view key, T& value, const Check& check = {}, std::string_view = "") {
    required(key, value, check);
  }
  template <class T>
  void choice(std::string_view, T&, const Choices&, std::string_view = "") {}

 private:
  static void set(double& value, int, double x) { value = x; }
  static void set(std::optional<double>& value, int, double x) { value = x; }
  static void set(OneOrTwo& value, int index, double x) {
    if (index < 0)
      value = {x, x};
    else
      value[index] = x;
  }
  template <class T>
  void set(T&, int, double) {  // KeyReader lists no other type
    right_ = false;
  }

  const KeyUses& uses_;
  const ParameterStage& stage_;
  bool right_ = true;
};

// Checks the keys of an element and reads its values from the item. Keys in `others` are read elsewhere.
template <class Element>
void read_element(const Item& item, const Values& values, std::vector<std::string> others, Element& element,
                  KeyUses* uses = nullptr) {
  KeyNames keys{std::move(others)};
  element.describe(keys);
  item.allow(keys.names);
  KeyReader reader(item, values, uses);
  element.describe(reader);
  if constexpr (requires { std::string(element.check()); })
    if (const std::string wrong = element.check(); !wrong.empty()) item.fail_at_key(wrong);
}

}  // namespace tappet
