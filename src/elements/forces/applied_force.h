// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include "elements/keys.h"

namespace tappet {

enum class ForceFrame { world, body };

// A force on A that is a formula of t. It acts at a point of A, and its components are along the axes of the world or
// of the body.
template <class D>
struct AppliedForceOf {
  static constexpr std::string_view name = "force";
  static constexpr std::string_view about =
      "body: A; on A at its point `at`; formulas of t and of the state, along the axes of the world or of the body";
  static constexpr int frames = 1;

  TimeVectorOf<D> force;  // [N]
  Vec3<D> at{};           // in A
  ForceFrame frame = ForceFrame::world;

  template <class V>
  void describe(V& v) {
    v.required("force", force);
    v.optional("at", at);
    v.choice("frame", frame, {"world", "body"});
  }
  template <class V>
  void numbers(V& v) {
    v(force, at, frame);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {}

  template <class S>
  void wrench(const Pose<S>& A, const Twist<S>& a, const Pose<S>& B, const Twist<S>& b, const S& t, Wrench<S>& on_A,
              Wrench<S>& on_B) const {
    Vec3<S> f;
    for (int i = 0; i < 3; ++i) f[i] = at_time(force.component[i], t);
    on_A = wrench_at(A, A.point(at), frame == ForceFrame::world ? f : A.direction(f));
  }
};
using AppliedForce = AppliedForceOf<double>;

}  // namespace tappet
