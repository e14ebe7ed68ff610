// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "system/system.h"

namespace tappet {

// Judges the largest penetration of a run. A contact that is hard penetrates by what a step moves, and that should be
// little against the model. Two kinds are remarked on:
//   out of scale  more than a fifth of how far the contact had been open before (or than a thousandth of the size of
//   the
//                 model, for a contact that was never far open); between colliders, more than a fifth of the smallest
//                 moving collider;
//   drift         more than ten times what the gap shrank in any single step: the penetration grew over many steps.
class PenetrationWatch {
 public:
  explicit PenetrationWatch(const System& system);

  void gaps(const Vec& gaps);  // of the contacts of the file, after a step
  void found(double gap);      // the smallest one between colliders
  std::string remark() const;  // what is wrong with the largest penetration; empty: nothing

 private:
  struct History {
    double last = 0.0, opening = 0.0, shrank = 0.0;  // the last gap, the largest so far, the largest loss in a step
  };
  double size_ = 0.0;  // of the model: the spread of its bodies and colliders at the start, the largest gap so far
  double collider_size_ = 0.0;  // of the smallest moving one
  std::vector<History> history_;
  bool begun_ = false;
  double named_ = 0.0, found_ = 0.0;  // largest penetrations
  std::string remark_, found_remark_;
};

}  // namespace tappet
