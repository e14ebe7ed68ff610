// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "math/vec.h"
#include "problem/contact_problem.h"

namespace tappet {

// What the numbers of a Sample are called. Rows of friction and of joints are counted through all
// contacts and all joints, in their order.
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
  std::vector<std::string> q, u;              // names; none where there are more than most_names
  std::vector<std::string> q_units, u_units;  // "" where the model does not say
  std::vector<Contact> contacts;
  std::vector<Joint> joints;
  bool colliders = false;  // contacts are found too: how many and how deep, not one by one

  static constexpr int most_names = 50'000;

  int friction_rows() const { return contacts.empty() ? 0 : contacts.back().row + contacts.back().rows; }
  int joint_rows() const { return joints.empty() ? 0 : joints.back().row + joints.back().rows; }
};

// The motion at one instant, with the step that led there. SI units.
struct Sample {
  double t = 0;
  Vec q, u;
  double kinetic = 0, potential = 0;
  // One entry a contact; zero forces where it is open. P is the impulse of the whole step, λ a force,
  // Λ an impact impulse; schemes that do not tell λ from Λ give P alone.
  Vec gap, gap_velocity, P_N, lambda_N, Lambda_N;
  Vec slip_velocity, P_F, lambda_F, Lambda_F;  // one entry a friction row
  Vec joint_residual, joint_impulse;           // one entry a joint row
  SolveStatus status = SolveStatus::converged;
  double found = 0, penetration = 0;  // colliders: contacts in reach, largest −gap of them
  int iterations = 0;
  double residual = 0;
  double dt = 0;                                                // of the step; 0 at the start
  int newton = 0, index_sets = 0, projections = 0, closed = 0;  // as in StepReport
  bool impulsive = false;

  explicit Sample(const Layout& layout);
};

// Of the contacts that were found between colliders: how many are in reach, and the largest −gap among them.
struct FoundContacts {
  int count = 0;
  double penetration = 0;
};

// A moment a scheme located.
struct RecordedEvent {
  double t = 0;
  std::string_view kind;  // "impact", "opening", "stick", … (static text)
  int contact = -1;       // by index
  int place = -1;         // of a formula that switches, into Summary::switch_names
};

}  // namespace tappet
