// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/forces/spring_damper.h"

namespace tappet {

// SpringDamper without damping.
template <class D>
struct SpringOf : SpringDamperOf<D> {
  static constexpr std::string_view name = "spring";
  static constexpr std::string_view about =
      "bodies: [A, B]; pulls the points `at` together if their distance exceeds `length`";
  static constexpr std::string_view kernel = SpringDamperOf<D>::name;  // the same function

  template <class V>
  void describe(V& v) {
    v.optional("at", this->at);
    v.required("stiffness", this->stiffness, non_negative);
    v.optional("length", this->length, non_negative);
  }
};
using Spring = SpringOf<double>;

}  // namespace tappet
