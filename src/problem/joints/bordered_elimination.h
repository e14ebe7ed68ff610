// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/delassus.h>

#include <vector>

#include "math/elimination/block_elimination.h"
#include "math/vec.h"

namespace tappet {

// Velocities and impulses of joints together, for an iteration matrix M̂ that couples the bodies of a joint:
//   M̂ y − W P = f,   L y = d.
// The unknowns of a body and of a joint are a node each. A body at the end of a chain is eliminated first, then the
// joint that holds it, and so on, so that chains and trees have no fill and their cost is linear in the number of
// joints.
class BorderedElimination {
 public:
  // The blocks of `mass` are the bodies. `coupling` is the pattern of M̂, which must outlive this object and is read by
  // factor(). W has the pattern of W and of L. Returns false if a body has too many velocities, or the graph is not
  // suitable for lists.
  bool analyse(const BlockMatrix& mass, const BlockMatrix& M_hat, const Coupling& coupling, const BlockRows& W);
  bool suitable() const { return suitable_; }

  // L = L_u + factor L_q. Returns false if the joints depend on each other.
  bool factor(const BlockRows& W, const BlockRows& L_u, const BlockRows& L_q, double factor);
  void solve(std::span<const double> f, std::span<const double> d, Vec& y, Vec& P);

 private:
  struct FromMatrix {
    const double* from;
    int to;
  };
  struct FromJoint {  // rows × length numbers of consecutive velocities of one body
    int value, stride, rows, length;
    int of_joint, joint_stride;  // where they go to in the block (joint, body)
    int of_body;                 // and, transposed, in the block (body, joint)
  };
  struct Order {  // of elimination, and the places of all entries
    BlockElimination matrix;
    std::vector<FromMatrix> from_matrix;
    std::vector<FromJoint> from_joints;
  };

  bool make_order(const BlockMatrix& mass, const BlockMatrix& M_hat, const BlockRows& W, bool wait, Order& order);
  void list_matrix(const BlockMatrix& mass, const BlockMatrix& M_hat, Order& order);
  void list_joints(const BlockMatrix& mass, const BlockRows& W, Order& order);
  static bool factor(Order& order, const double* w, const double* u, const double* q, double factor);

  bool suitable_ = false;
  std::vector<std::pair<int, int>> coupled_;  // bodies
  std::vector<int> node_of_joint_;
  // A joint becomes a pivot as soon as one of its bodies was eliminated. If this body alone does not determine its
  // rows, it has to wait for all of them.
  Order early_, late_;
  bool waits_ = false;
  std::vector<int> place_;  // by velocity, then by row of a joint: in x_
  Vec x_;
};

}  // namespace tappet
