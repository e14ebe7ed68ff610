// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "system/evaluator.h"

namespace tappet::events {

enum class Mode { open, slip, stick };  // slip: closed, friction (if any) on its limit

// How one contact moves between two events.
struct ContactPhase {
  static constexpr int most_friction_rows = 3;
  Mode mode = Mode::open;
  bool holds = false;                             // its normal acceleration is one of the equations
  std::array<bool, most_friction_rows> sticks{};  // and these tangential ones
  std::array<double, most_friction_rows> slip{};  // unit vector along the slip velocity
  bool directed = true;                           // it follows the velocity; else that has only begun

  bool unique_normal = true, unique = true;  // its normal force; all of its forces

  bool closed() const { return mode != Mode::open; }
};

// The equations of motion while no contact changes its phase:
//   M a = h + W λ,   joints and held directions: Wᵀa + ζ = 0,   slipping contacts: λ_F = −μ λ_N γ_F/‖γ_F‖.
// Rows are [joints | set]. `equations` are those that hold; rows that depend on others are left out of them (their
// forces are zero: where forces are not unique, these are one solution).
class Balance {
 public:
  explicit Balance(const ContactList& contacts);

  const ContactList& contacts;
  const System& system;
  Evaluator evaluate;

  void set_phases(const std::vector<ContactPhase>& phases);  // also chooses the set; then choose_equations()
  void place(double t, const Vec& q, const Vec& u);          // everything below at this state
  // Those of `wanted` (rows, the most important first) that are independent, joints before all.
  void choose_equations(const std::vector<int>& wanted);
  // Rows whose forces are not unique: those of `wanted` that are no equations, and the equations they depend on.
  void find_indeterminate(const std::vector<int>& wanted);
  std::vector<char> indeterminate;                    // by row
  bool depends(int row, const std::vector<int>& on);  // whether a row is a combination of others
  bool solve();                                       // a, lambda; false: singular
  // Branches of the switches of formulas. Those that slide, where both branches lead back to the switching point, stay
  // on it: solve() finds b so that the switch function keeps its value (Filippov).
  void set_branch(int i, double b);
  Vec branches;              // b by switch; of sliding ones outside of [−1, 1] where no b keeps them
  std::vector<int> sliding;  // switches
  // u ← u + M⁻¹ Σ f P with the held velocities zero; friction as in solve()
  bool correct_velocity(Vec& u);
  // q ← q ⊕ M⁻¹ W z so that held gaps and joints are zero (one Newton step); the largest residual before it
  double correct_position(double t, Vec& q);

  ContactSet set;
  std::vector<int> first_row;        // by position in the set
  std::vector<ContactPhase> phases;  // by contact
  std::vector<int> equations;        // rows
  BlockMatrix M;
  BlockRows W;
  Vec chi, zeta, gamma, a_free, a, lambda;  // gamma = Wᵀu + χ; lambda by rows
  Mat rows;                                 // Wᵀ, dense

  // det G with friction over det G without: towards zero a slipping contact runs into Painlevé's paradox.
  double friction_ratio();

  double dot(int row, const Vec& x) const;

 private:
  bool solve_held();  // with branches as they are
  bool slide();
  void switch_rates(double b, int i, Vec& rates);  // of the sliding switches, branch i set to b; −1: as they are
  std::vector<int> independent(const std::vector<int>& order);  // rows that do not depend on those before them
  void directions_of_slip();
  void respond(bool with_friction);  // forces_, response_, G_
  bool solve_equations(Vec& x);
  double determinant();

  State at_;
  Vec first_, all_rates_, rates_, rates_beside_;
  Mat slopes_;
  Vec h_, rhs_, residual_, gaps_, w_, q_1_;
  Mat forces_, response_, G_;
  std::vector<int> pivots_;
  std::vector<std::array<double, 3>> slip_now_;
  std::vector<int> contact_of_row_;  // −1: joint, or friction row
};

}  // namespace tappet::events
