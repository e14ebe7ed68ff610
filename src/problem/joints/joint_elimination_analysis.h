// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "problem/joints/joint_elimination.h"

namespace tappet {

// Fills the lists of a JointElimination.
class JointElimination::Analysis {
 public:
  Analysis(JointElimination& to, const Inertia& inertia, const BlockRows& W, int joints);
  bool run();  // false if the graph is not suitable

 private:
  struct Joint {
    int value, width;          // of its rows in Y
    std::vector<int> blocks;   // of M̂, on which it acts
    std::vector<int> columns;  // all velocities of these blocks
  };

  void list_responses();
  void find_hubs();
  void list_runs();
  bool make_matrix();
  void list_products(int k);
  void list_products(int j, int k);
  void list_hubs();
  void couple(int k, int hub);

  JointElimination& to_;
  const Inertia& inertia_;
  const BlockRows& W_;
  const int joints_;
  std::vector<Joint> list_;
  std::vector<std::vector<int>> of_block_;  // the joints that act on a block of M̂
  std::vector<int> hub_;                    // by block of M̂: its node, or −1
  std::vector<int> node_;                   // by joint: its node, or −1 if it has no rows
  std::vector<int> column_;                 // by velocity: its column in Y of the present joint, or −1
};

}  // namespace tappet
