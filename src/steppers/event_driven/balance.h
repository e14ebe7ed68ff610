// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "steppers/shared/factorised_mass.h"
#include "system/evaluator.h"

namespace tappet::events {

enum class Mode { open, slip, stick };  // slip: closed, with friction (if any) at its limit

// The motion of one contact between two events.
struct ContactPhase {
  static constexpr int most_friction_rows = 3;
  Mode mode = Mode::open;
  bool holds = false;                             // whether its normal acceleration is one of the equations
  std::array<bool, most_friction_rows> sticks{};  // whether these tangential accelerations are equations too
  std::array<double, most_friction_rows> slip{};  // unit vector along the slip velocity
  bool directed = true;                           // whether it follows the velocity; otherwise the slip has only begun

  bool unique_normal = true, unique = true;  // whether its normal force is unique; whether all its forces are

  bool closed() const { return mode != Mode::open; }
};

// The equations of motion while no contact changes its phase:
//   M a = h + W λ,   joints and held directions: Wᵀa + ζ = 0,   slipping contacts: λ_F = −μ λ_N γ_F/‖γ_F‖.
// The rows are [joints | set]. `equations` lists the rows that hold. Rows that depend on others are left out of them,
// and their forces are zero. If forces are not unique, this is one solution.
class Balance {
 public:
  explicit Balance(const ContactList& contacts);

  const ContactList& contacts;
  const System& system;
  Evaluator evaluate;

  void archive(Archive& a);
  void set_phases(const std::vector<ContactPhase>& phases);  // also chooses the set; call choose_equations() afterwards
  void place(double t, const Vec& q, const Vec& u);          // computes everything below at this state
  // Chooses those of `wanted` (rows, the most important first) that are independent. Joints come before all others.
  void choose_equations(const std::vector<int>& wanted);
  // Finds the rows whose forces are not unique: those of `wanted` that are not equations, and the equations on which
  // they depend.
  void find_indeterminate(const std::vector<int>& wanted);
  std::vector<char> indeterminate;                    // by row
  bool depends(int row, const std::vector<int>& on);  // whether a row is a combination of others
  bool solve();                                       // computes a and lambda; false if singular
  // The branches of the switches of formulas. A switch slides if both branches lead back to the switching point. Then
  // the motion stays there: solve() finds b so that the switch function keeps its value (Filippov).
  void set_branch(int i, double b);
  Vec branches;              // b by switch; outside [−1, 1] for a sliding switch that no b can keep
  std::vector<int> sliding;  // switches
  // u ← u + M⁻¹ Σ f P so that the held velocities are zero. Friction is as in solve().
  bool correct_velocity(Vec& u);
  // q ← q ⊕ M⁻¹ W z so that held gaps and joints are zero (one Newton step). Returns the largest residual before it.
  double correct_position(double t, Vec& q);
  double project(State& state);  // on joints and held contacts, both of these; the largest residual of positions before

  ContactSet set;
  std::vector<int> first_row;        // by position in the set
  std::vector<ContactPhase> phases;  // by contact
  std::vector<int> equations;        // rows
  FactorisedMass M;
  BlockRows W;
  Vec chi, zeta, gamma, a_free, a, lambda;  // gamma = Wᵀu + χ; lambda by rows
  Mat rows;                                 // Wᵀ, dense

  // det G with friction divided by det G without. If this approaches zero, a slipping contact runs into Painlevé's
  // paradox.
  double friction_ratio();

  double dot(int row, const Vec& x) const;

 private:
  bool solve_held();  // with the present branches
  bool slide();
  // of the sliding switches, with branch i set to b; −1: no branch is changed
  void switch_rates(double b, int i, Vec& rates);
  // A row of Wᵀ: its velocities and its numbers. `rows` has the same as dense columns.
  std::pair<std::span<const int>, const double*> entries(int row) const;
  std::vector<int> independent(const std::vector<int>& order);  // rows that do not depend on those before them
  void directions_of_slip();
  void respond(bool with_friction);  // computes response_ and G_
  bool solve_equations(Vec& x);
  double determinant();

  State at_;
  Vec first_, all_rates_, rates_, rates_beside_;
  Mat slopes_;
  Vec h_, rhs_, residual_, gaps_, w_, q_1_;
  Mat response_, G_;
  std::vector<int> pivots_;
  std::vector<std::array<double, 3>> slip_now_;
  std::vector<int> block_of_row_;    // in W
  std::vector<int> contact_of_row_;  // −1 for a joint or a friction row
};

}  // namespace tappet::events
