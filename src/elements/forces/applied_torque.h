// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/forces/applied_force.h"

namespace tappet {

// A torque on A that is a formula of t. On a planar body it is one number, about z.
template <class D>
struct AppliedTorqueOf {
  static constexpr std::string_view name = "torque";
  static constexpr std::string_view about =
      "body: A; on A; formulas of t and of the state, about the axes of the world or of the body; one number: about z";
  static constexpr int frames = 1;

  TimeVectorOf<D> torque;  // [N m]
  ForceFrame frame = ForceFrame::world;

  template <class V>
  void describe(V& v) {
    v.required("torque", torque);
    v.choice("frame", frame, {"world", "body"});
  }
  template <class V>
  void numbers(V& v) {
    v.about_z(torque);
    v(frame);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {}

  template <class S>
  void wrench(const Pose<S>& A, const Twist<S>& a, const Pose<S>& B, const Twist<S>& b, const S& t, Wrench<S>& on_A,
              Wrench<S>& on_B) const {
    Vec3<S> m;
    for (int i = 0; i < 3; ++i) m[i] = at_time(torque.component[i], t);
    on_A = {{}, frame == ForceFrame::body ? m : transposed_times(A.R, m)};
  }
};
using AppliedTorque = AppliedTorqueOf<double>;

}  // namespace tappet
