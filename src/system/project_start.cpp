// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/project_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/minimum_norm.h"
#include "system/contact_list.h"
#include "system/evaluator.h"

namespace tappet {

namespace {

constexpr int most_steps = 50;
constexpr double converged = 1e-12;   // residual [m, rad] at which the projection stops
constexpr double acceptable = 1e-10;  // a residual that is accepted if round-off prevents a smaller one

class StartProjection {
 public:
  StartProjection(const System& system, double limit, State& state)
      : system_(system),
        limit_(limit),
        state_(state),
        contacts_(system),
        evaluate_(contacts_),
        M_(system.mass_matrix()) {}

  std::string project() {
    const State before = state_;
    project_positions(before);
    project_velocities();
    const auto [moved, coordinate] = largest_change(before.q, state_.q);
    const auto [changed, velocity] = largest_change(before.u, state_.u);
    if (coordinate < 0 && velocity < 0) return {};
    return fmt::format("run.start: the start was projected onto joints and contacts: {} and {}",
                       said("positions", moved, coordinate, system_.q_names()),
                       said("velocities", changed, velocity, system_.u_names()));
  }

 private:
  struct Change {
    double size = 0.0;
    int index = -1;
  };
  static Change largest_change(const Vec& before, const Vec& after) {
    Change change;
    for (int i = 0; i < before.size(); ++i)
      if (const double d = std::abs(after[i] - before[i]); d > change.size) change = {d, i};
    return change;
  }
  static std::string said(const char* what, double size, int index, const std::vector<std::string>& names) {
    if (index < 0) return fmt::format("{} stayed", what);
    return fmt::format("{} moved by at most {:.3g} ({})", what, size, names[index]);
  }
  [[noreturn]] void fail(const std::string& message) const {
    const Model& model = system_.model();
    throw ModelError(model.file, model.run.start_place, "run.start", message);
  }

  // The residuals of the rows, and the worst of them with its name. A contact is added when its gap is negative, and
  // then stays.
  Change residuals() {
    const auto& [t, q, u] = state_;
    evaluate_.joint_residuals(t, q, g_);
    evaluate_.gaps(t, q, gaps_);
    for (int k = 0; k < contacts_.named(); ++k)
      if (gaps_[k] < 0.0 && std::find(set_.begin(), set_.end(), k) == set_.end()) set_.push_back(k);
    std::sort(set_.begin(), set_.end());
    Change worst;
    const auto take = [&](double value, int index) {
      if (!(std::abs(value) <= worst.size)) worst = {std::abs(value), index};
    };
    for (size_t j = 0; j < system_.joints().size(); ++j) {
      const Constraint& joint = system_.joints()[j];
      for (int r = joint.row; joint.position_level && r < joint.row + joint.rows; ++r) take(g_[r], static_cast<int>(j));
    }
    for (const int k : set_) take(std::min(gaps_[k], 0.0), static_cast<int>(system_.joints().size()) + k);
    return worst;
  }
  std::string name(int index) const {
    const int joints = static_cast<int>(system_.joints().size());
    return index < joints ? "joint " + system_.joints()[index].name() : "contact " + contacts_[index - joints].name();
  }

  void project_positions(const State& before) {
    Vec w(system_.u_size()), right;
    Change worst = residuals();
    for (int step = 0; !(worst.size <= converged) && step < most_steps; ++step) {
      const double last = worst.size;
      fill_right_side(right);
      correction(right, w);
      system_.displace(state_.q, w, state_.q);
      if (const auto [moved, i] = largest_change(before.q, state_.q); !(moved <= limit_))
        fail(fmt::format(
            "the projection would move {} by {:.3g} or more ({} is violated by {:.3g}); expected at most "
            "{:g}; correct the start, or allow more with `start: {{project: LIMIT}}`",
            i < 0 ? std::string("the start") : system_.q_names()[i], moved, name(worst.index), last, limit_));
      worst = residuals();
      if (worst.size <= acceptable && worst.size >= 0.5 * last) break;  // round-off prevents a smaller residual
    }
    if (!(worst.size <= acceptable))
      fail(
          fmt::format("the projection does not converge: {} is still violated by {:.3g} after {} steps; expected a "
                      "start near one that fits all joints and contacts",
                      name(worst.index), worst.size, most_steps));
  }

  // Rows of joints on velocity level have no position to correct.
  void fill_right_side(Vec& right) {
    right.assign(contacts_.rows(set_), 0.0);
    for (const Constraint& joint : system_.joints())
      for (int r = joint.row; joint.position_level && r < joint.row + joint.rows; ++r) right[r] = -g_[r];
    for (const auto& [k, contact, row] : contacts_.each(set_)) right[row] = -std::min(gaps_[k], 0.0);
    used_.assign(right.size(), 0);
    for (const Constraint& joint : system_.joints())
      for (int r = joint.row; r < joint.row + joint.rows; ++r) used_[r] = joint.position_level;
    for (const auto& [k, contact, row] : contacts_.each(set_)) used_[row] = 1;
  }

  void project_velocities() {
    set_.clear();
    const auto& [t, q, u] = state_;
    Vec right(system_.joint_rows()), w(system_.u_size());
    if (right.empty()) return;
    evaluate_.directions(t, q, set_, W_, chi_);
    W_.multiply(u, right);
    for (int r = 0; r < right.size(); ++r) right[r] = -(right[r] + chi_[r]);
    if (std::all_of(right.begin(), right.end(), [](double x) { return x == 0.0; })) return;
    used_.assign(right.size(), 1);
    correction(right, w);
    for (int i = 0; i < w.size(); ++i) state_.u[i] += w[i];
  }

  // w = M⁻¹ W (Wᵀ M⁻¹ W)⁺ right, over the rows in use. The pseudo-inverse allows joints that repeat what other joints
  // require.
  void correction(const Vec& right, Vec& w) {
    evaluate_.directions(state_.t, state_.q, set_, W_, chi_);
    evaluate_.mass(state_.t, state_.q, M_);
    if (!M_.factor()) fail("the mass matrix is singular at the start; expected a positive definite one");
    std::vector<int> rows;
    for (int r = 0; r < right.size(); ++r)
      if (used_[r]) rows.push_back(r);
    const int n = static_cast<int>(rows.size());
    std::vector<Vec> columns(n, Vec(system_.u_size()));  // M⁻¹ W e_i
    Vec unit(right.size()), product(right.size());
    std::vector<double> A(static_cast<size_t>(n) * n), x(n);
    for (int i = 0; i < n; ++i) {
      unit.set_zero(), columns[i].set_zero();
      unit[rows[i]] = 1.0;
      W_.multiply_transposed(unit, columns[i]);
      M_.solve(columns[i]);
      W_.multiply(columns[i], product);
      for (int j = 0; j < n; ++j) A[static_cast<size_t>(i) * n + j] = product[rows[j]];
      x[i] = right[rows[i]];
    }
    MinimumNorm inverse;
    inverse.factor(n, A.data());
    inverse.solve(x.data());
    w.set_zero();
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < w.size(); ++c) w[c] += x[i] * columns[i][c];
  }

  const System& system_;
  const double limit_;
  State& state_;
  const ContactList contacts_;
  Evaluator evaluate_;
  BlockMatrix M_;
  BlockRows W_;
  ContactSet set_;
  Vec g_, gaps_, chi_;
  std::vector<char> used_;
};

}  // namespace

std::string project_start(const System& system, double limit, State& state) {
  return StartProjection(system, limit, state).project();
}

}  // namespace tappet
