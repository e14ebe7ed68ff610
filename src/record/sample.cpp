// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/sample.h"

namespace tappet {

Sample::Sample(const Layout& layout) : q(layout.q_size), u(layout.u_size) {
  const int contacts = static_cast<int>(layout.contacts.size());
  for (Vec* x : {&gap, &gap_velocity, &P_N, &lambda_N, &Lambda_N}) x->assign(contacts, 0.0);
  for (Vec* x : {&slip_velocity, &P_F, &lambda_F, &Lambda_F}) x->assign(layout.friction_rows(), 0.0);
  for (Vec* x : {&joint_residual, &joint_impulse}) x->assign(layout.joint_rows(), 0.0);
  joint_motion.assign(Layout::MeasuredJoint::numbers * static_cast<int>(layout.measured.size()), 0.0);
}

}  // namespace tappet
