// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "elements/lists.h"

namespace tappet {

// Whether an element has a formula of t among its keys.
struct TimeInKeys {
  bool found = false;

  void look(const TimeFunction& f) { found |= !f.is_constant(); }
  void look(const TimeVector& v) {
    for (const TimeFunction& f : v.component) look(f);
  }
  void look(const SurfaceFunction&) { found = true; }  // a formula of x, y, z and t
  template <class T>
  void look(const std::optional<T>& x) {
    if (x) look(*x);
  }
  template <class T>
  void look(const T&) {}

  template <class T, class... Check>
  void required(std::string_view, const T& x, Check...) {
    look(x);
  }
  template <class T, class... Check>
  void optional(std::string_view, const T& x, Check...) {
    look(x);
  }
  template <class T>
  void choice(std::string_view, const T&, const Choices&, std::string_view = "") {}
};

template <class Variant>
bool depends_on_time(const Variant& variant) {
  TimeInKeys keys;
  std::visit([&](auto element) { element.describe(keys); }, variant);
  return keys.found;
}

}  // namespace tappet
