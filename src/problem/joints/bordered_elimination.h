// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>
#include <tappet/delassus.h>

#include <array>
#include <vector>

#include "math/elimination/block_elimination.h"
#include "math/vec.h"

namespace tappet {

// Motion and impulses of joints together, for iteration matrices that couple the bodies of a joint. A scheme that holds
// joints on several levels has several unknowns of each kind, such as velocities and positions with their impulses and
// multipliers. With levels i and j:
//   Σ_j A_ij y_j − Σ_j W_ij P_j = f_i,   Σ_j L_ij y_j = d_i.
// All unknowns of a body are a node, and so are all those of a joint. A body at the end of a chain is eliminated first,
// then the joint that holds it, and so on, so that chains and trees have no fill and their cost is linear in the number
// of joints.
class BorderedElimination {
 public:
  static constexpr int most_levels = 3;

  // A matrix of bodies, of which factor() reads the present entries. It must outlive this object. Without a matrix it
  // is the identity.
  struct BodyTerm {
    int i, j;
    const BlockMatrix* matrix;
  };
  // Rows of joints, with the layout of the pattern.
  struct JointTerm {
    int i, j;
    const BlockRows* rows;
    double factor = 1.0;
    int lacking = -1;  // the term belongs to joints that are not held on this level; −1: to all joints
  };
  struct Pattern {
    const BlockMatrix& bodies;  // its blocks are the bodies
    const Coupling& coupling;   // of the matrices of all terms
    const BlockRows& joints;
    int levels = 1;
    std::vector<unsigned> held{};  // by joint: bit i is set if it is held on level i; empty: all joints on all levels
    std::vector<BodyTerm> terms{};
  };

  // Returns false if a body has too many velocities, or the graph is not suitable for lists.
  bool analyse(const Pattern& pattern);
  bool suitable() const { return suitable_; }
  void give_up() { suitable_ = false; }  // until the next analyse()
  void archive(Archive& a) { a(waits_); }

  // A, each term times its factor; W = `act` and L = `judge`. Returns false if the joints depend on each other.
  bool factor(std::span<const double> factors, std::span<const JointTerm> act, std::span<const JointTerm> judge);

  // f and y have the velocities of level 0, then those of level 1, and so on; likewise d and P the rows of joints. What
  // they hold for a joint on a level on which it is not held does not matter. X is a number, or four side by side.
  template <class X>
  void solve(const X* f, const X* d, X* y, X* P);

 private:
  struct FromMatrix {
    const double* from;
    int to;
  };
  struct FromJoint {  // rows × length numbers of consecutive velocities of one body
    int value, stride, rows, length;
    std::array<int, most_levels> slot;  // by level: its place among those on which the joint is held, or −1
    int size, unknowns;                 // of the body on one level, and of the joint on all of its levels
    int of_joint;                       // where they go to in the block (joint, body), if both are on the first level,
    int of_body;                        // and, transposed, in the block (body, joint)
  };
  struct Order {  // of elimination, and the places of all entries
    BlockElimination matrix;
    std::vector<std::vector<FromMatrix>> from_matrix;  // by term
    std::vector<FromJoint> from_joints;
    std::vector<int> place_y, place_P;  // in the vector of matrix.solve(); −1 if the joint is not held there
  };

  unsigned held(const Pattern& pattern, int k) const {
    return pattern.held.empty() ? (1u << pattern.levels) - 1 : pattern.held[k];
  }
  bool make_order(const Pattern& pattern, bool wait, Order& order);
  void list_matrices(const Pattern& pattern, Order& order) const;
  void list_joints(const Pattern& pattern, Order& order) const;
  bool factor(Order& order, std::span<const double> factors, std::span<const JointTerm> act,
              std::span<const JointTerm> judge) const;

  bool suitable_ = false;
  int levels_ = 1;
  std::vector<std::pair<int, int>> coupled_;  // bodies
  std::vector<int> node_of_joint_;
  // A joint becomes a pivot as soon as one of its bodies was eliminated. If this body alone does not determine its
  // rows, it has to wait for all of them.
  Order early_, late_;
  bool waits_ = false;
  Vec x_;
};

}  // namespace tappet
