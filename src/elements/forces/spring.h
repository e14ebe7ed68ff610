// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/forces/spring_damper.h"

namespace tappet {

// SpringDamper without damping.
struct Spring : SpringDamper {
  static constexpr std::string_view name = "spring";
  static constexpr std::string_view about =
      "bodies: [A, B]; pulls the points `at` together if their distance exceeds `length`";

  template <class V>
  void describe(V& v) {
    v.optional("at", at);
    v.required("stiffness", stiffness, non_negative);
    v.optional("length", length, non_negative);
  }
};

}  // namespace tappet
