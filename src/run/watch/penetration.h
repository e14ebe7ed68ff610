// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>

#include <string>
#include <vector>

#include "system/system.h"

namespace tappet {

// Judges the largest penetration of a run. A hard contact penetrates by about the distance covered in a step, which
// should be small compared with the model. Two kinds of penetration are mentioned:
//   out of scale  It is more than a fifth of how far the contact had been open before. For a contact that was never far
//                 open, the limit is a thousandth of the size of the model. Between colliders, it is a fifth of the
//                 smallest moving collider.
//   drift         It is more than ten times the largest decrease of the gap in any single step. So it grew over many
//                 steps.
class PenetrationWatch {
 public:
  explicit PenetrationWatch(const System& system);

  void gaps(const Vec& gaps);  // the gaps of the contacts of the file after a step
  void found(double gap);      // the smallest gap between colliders
  void archive(Archive& a) { a(size_, history_, begun_, named_, found_, remark_, found_remark_); }
  std::string remark() const;  // says what is wrong with the largest penetration; empty if nothing is

 private:
  struct History {
    double last = 0.0, opening = 0.0, shrank = 0.0;  // the last gap, the largest so far, the largest decrease in a step
  };
  // size of the model: the spread of its bodies and colliders at the start, or the largest gap so far
  double size_ = 0.0;
  double collider_size_ = 0.0;  // size of the smallest moving collider
  std::vector<History> history_;
  bool begun_ = false;
  double named_ = 0.0, found_ = 0.0;  // largest penetrations
  std::string remark_, found_remark_;
};

}  // namespace tappet
