// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "math/spatial.h"
#include "math/vec.h"
#include "problem/contact_problem.h"

namespace tappet {

// The names of the numbers in a Sample. Rows of friction and of joints are numbered through all contacts and all
// joints, in their order.
struct Layout {
  struct Contact {
    std::string name;
    int row = 0, rows = 0;  // its friction rows
  };
  struct Joint {
    std::string name;
    int row = 0, rows = 0;
  };
  int q_size = 0, u_size = 0;
  std::vector<std::string> q, u;              // names; none if there are more than most_names
  std::vector<std::string> q_units, u_units;  // "" if the model does not say
  std::vector<Contact> contacts;
  std::vector<Joint> joints;
  bool colliders = false;          // whether contacts are also found between colliders
  bool found_one_by_one = false;   // whether these are recorded one by one, and not only their number and depth
  std::vector<std::string> found;  // if so, the names of those that take part in them, by index (FoundNames)

  static constexpr int most_names = 50'000;

  int friction_rows() const { return contacts.empty() ? 0 : contacts.back().row + contacts.back().rows; }
  int joint_rows() const { return joints.empty() ? 0 : joints.back().row + joints.back().rows; }
};

// A contact between two colliders that touch, that is its gap is not positive or it carries an impulse. A is never the
// ground.
struct FoundContact {
  int A = -1, B = -1;                          // Layout::found
  double gap = 0, gap_velocity = 0, slip = 0;  // slip: speed
  double P_N = 0;                              // impulse of the step
  Vec3d P{}, point{}, normal{};  // in the world: impulse on A (normal and friction), point, normal from B to A
};

// The motion at one instant, together with the step that led to it. SI units.
struct Sample {
  double t = 0;
  Vec q, u;
  double kinetic = 0, potential = 0;
  // One entry per contact. Forces are zero if it is open. P is the impulse of the whole step, λ a force, Λ an impact
  // impulse. Schemes that do not separate λ from Λ give only P.
  Vec gap, gap_velocity, P_N, lambda_N, Lambda_N;
  Vec slip_velocity, P_F, lambda_F, Lambda_F;  // one entry per friction row
  Vec joint_residual, joint_impulse;           // one entry per joint row
  SolveStatus status = SolveStatus::converged;
  double found = 0, penetration = 0;   // colliders: the number of contacts in reach, and the largest −gap of them
  std::vector<FoundContact> touching;  // the contacts that touch, if the layout asks for them one by one
  int iterations = 0;
  double residual = 0;
  double dt = 0;                                                // of the step; 0 at the start
  int newton = 0, index_sets = 0, projections = 0, closed = 0;  // as in StepReport
  bool impulsive = false;

  explicit Sample(const Layout& layout);
};

// The contacts that were found between colliders: the number in reach, and the largest −gap among them.
struct FoundContacts {
  int count = 0;
  double penetration = 0;
  std::vector<FoundContact> touching = {};  // one by one, if the run records them
};

// An instant that a scheme located.
struct RecordedEvent {
  double t = 0;
  std::string_view kind;  // "impact", "opening", "stick", … (static text)
  int contact = -1;       // by index
  int place = -1;         // of a formula that switches, into Summary::switch_names
};

}  // namespace tappet
