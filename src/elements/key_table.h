// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <vector>

#include "elements/contacts/surface_function.h"
#include "elements/keys.h"

namespace tappet {

// A visitor that lists the keys of an element with what each expects and its default. It is used for the manual.
struct KeyTable {
  struct Row {
    std::string key, expects, value;  // value: the default; empty if there is none
    bool required;
  };
  std::vector<Row> rows;

  template <class T, class Check = Finite>
  void required(std::string_view key, T& value, const Check& check = {}, std::string_view = "") {
    rows.push_back({std::string(key), expects(value, check), "", true});
  }
  template <class T, class Check = Finite>
  void optional(std::string_view key, T& value, const Check& check = {}, std::string_view = "") {
    rows.push_back({std::string(key), expects(value, check), text(value), false});
  }
  template <class T>
  void choice(std::string_view key, T& value, const Choices& names, std::string_view = "") {
    std::string all;
    for (std::string_view name : names) all += (all.empty() ? "" : " | ") + std::string(name);
    rows.push_back({std::string(key), all, chosen(value, names), false});
  }

 private:
  template <class T, class Check>
  static std::string expects(const T& value, const Check& check) {
    if constexpr (std::is_same_v<Check, Finite>)
      return kind(value);
    else
      return expected_by(check);
  }
  static std::string kind(double) { return "a number"; }
  static std::string kind(int) { return "an integer"; }
  static std::string kind(bool) { return "true or false"; }
  static std::string kind(const std::string&) { return "a text"; }
  static std::string kind(const Vec3d&) { return "a vector"; }
  static std::string kind(const Mat3d&) { return "a matrix"; }
  static std::string kind(const Quatd&) { return "a rotation"; }
  static std::string kind(const OneOrTwo&) { return "one or two numbers"; }
  static std::string kind(const EdgeLengths&) { return "edges"; }
  static std::string kind(const Anchor&) { return "a point in the world, or one in the frame of each body"; }
  static std::string kind(const std::array<Vec3d, 2>&) { return "two points, one in the frame of each body"; }
  static std::string kind(const TimeFunction&) { return "a formula of t"; }
  static std::string kind(const TimeVector&) { return "a vector of formulas of t"; }
  static std::string kind(const SurfaceFunction&) { return "a formula of x, y, z, t"; }
  template <class T>
  requires requires { T::expects; }
  static std::string kind(const T&) { return std::string(T::expects); }
  template <class T>
  static std::string kind(const std::optional<T>&) {
    return kind(T{});
  }

  static std::string text(double x) { return fmt::format("{:g}", x); }
  static std::string text(int x) { return fmt::format("{}", x); }
  static std::string text(bool x) { return x ? "true" : "false"; }
  static std::string text(const std::string& x) { return x; }
  static std::string text(const Vec3d& a) { return fmt::format("[{:g}, {:g}, {:g}]", a.x, a.y, a.z); }
  static std::string text(const Quatd& q) { return fmt::format("[{:g}, {:g}, {:g}, {:g}]", q.w, q.x, q.y, q.z); }
  static std::string text(const OneOrTwo& x) {
    return x[0] == x[1] ? text(x[0]) : fmt::format("[{:g}, {:g}]", x[0], x[1]);
  }
  static std::string text(const Anchor& a) { return text(a.world); }
  static std::string text(const std::array<Vec3d, 2>& x) { return fmt::format("[{}, {}]", text(x[0]), text(x[1])); }
  template <class T>
  static std::string text(const T&) {
    return "";
  }
};

}  // namespace tappet
