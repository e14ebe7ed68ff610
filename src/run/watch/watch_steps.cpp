// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a run counts, checks and warns of after each step.
#include <fmt/format.h>

#include <cmath>

#include "run/run.h"

namespace tappet {

// Squares of numbers beyond this limit, such as energies, are no longer finite.
bool Run::stays_in_range(const StepReport& report) {
  constexpr double largest = 1e150;
  for (const Vec* values : {&state_.q, &state_.u})
    for (int i = 0; i < values->size(); ++i) {
      if (std::abs((*values)[i]) < largest) continue;
      summary_.status = RunStatus::failed;
      summary_.message = fmt::format(
          "{} is {} after step {} from t = {:.9g} s, dt = {:.6g} s, scheme {}, residual {:.3g}; "
          "the step or the forces are too large for this scheme",
          (values == &state_.q ? system_.q_names() : system_.u_names())[i],
          std::isfinite((*values)[i]) ? "larger than 1e150" : "not finite", summary_.steps + 1, before_.t, report.dt,
          settings_.scheme, report.solve.residual);
      std::swap(state_, before_);
      return false;
    }
  return true;
}

void Run::count(const StepReport& report) {
  summary_.impulsive_steps += report.impulsive;
  if (!scheme_remarks_) energy_watch_.take(before_, state_, report, stepper_->impulses().P, evaluate_);
  summary_.rejected_steps += report.rejected;
  if (report.converged()) hopeless_iterations_ = 0;
  if (!report.converged()) {
    ++summary_.unconverged_steps;
    warn_of_step(report);
    if (report.solve.iterations >= many_iterations) hopeless_iterations_ += report.solve.iterations;
    if (hopeless_iterations_ >= most_hopeless_iterations) give_up(report);
  }
  if (system_.has_colliders()) {
    summary_.max_found = std::max(summary_.max_found, contacts_.found());
    summary_.max_closed = std::max(summary_.max_closed, report.closed);
    closed_ += report.closed;
  }
  if (summary_.sleeping) {
    summary_.asleep = contacts_.asleep();
    summary_.max_asleep = std::max(summary_.max_asleep, summary_.asleep);
    asleep_ += summary_.asleep;
  }
  iterations_ += report.solve.iterations;
  summary_.max_iterations = std::max(summary_.max_iterations, report.solve.iterations);
  islands_ += report.solve.islands;
  summary_.max_islands = std::max(summary_.max_islands, report.solve.islands);
  summary_.max_residual = std::max(summary_.max_residual, report.solve.residual);
}

// Steps that take very long and fail one after the other would go on for ever.
void Run::give_up(const StepReport& report) {
  summary_.status = RunStatus::failed;
  summary_.message = fmt::format(
      "steps one after the other did not converge, after {} iterations in all, up to t = {:.9g} s, scheme {}, "
      "residual {:.3g}{}; masses, lengths or forces may differ too much in size, or the step may be too large",
      hopeless_iterations_, state_.t, settings_.scheme, report.solve.residual, closed_contacts());
}

void Run::watch_constraints() {
  evaluate_.named_gaps(state_.t, state_.q, positions_.gaps);
  penetration_.gaps(positions_.gaps);
  for (int k = 0; k < positions_.gaps.size(); ++k)
    if (-positions_.gaps[k] > summary_.violation.max)
      summary_.violation = {-positions_.gaps[k], layout_.contacts[k].name, state_.t};
  if (system_.joints().empty()) return;
  evaluate_.joint_residuals(state_.t, state_.q, positions_.joint_residuals);
  for (const auto& [name, row, rows] : layout_.joints)
    for (int r = row; r < row + rows; ++r)
      if (std::abs(positions_.joint_residuals[r]) > summary_.joint_violation.max)
        summary_.joint_violation = {std::abs(positions_.joint_residuals[r]), name, state_.t};
}

// Gains of energy among other things.
void Run::list_remarks() {
  std::vector<std::string> remarks = scheme_remarks_ ? scheme_remarks_->remarks() : energy_watch_.remarks();
  for (std::string& remark : remarks) summary_.warnings.push_back(std::move(remark));
}

// The names of the contacts that carry the impulses of the step, at most three.
std::string Run::closed_contacts() const {
  std::string names;
  int closed = 0;
  const Vec& P = stepper_->impulses().P;
  for (int k = 0; k < contacts_.size() && !P.empty(); ++k)
    if (P[contacts_[k].row] != 0.0 && ++closed <= 3)
      names += (names.empty() ? ", contacts " : ", ") + contacts_.name(k);
  return closed > 3 ? fmt::format("{} and {} more", names, closed - 3) : names;
}

void Run::warn_of_step(const StepReport& report) {
  constexpr long told = 5;
  if (!asked_.listener || summary_.unconverged_steps > told) return;
  asked_.listener->warning(fmt::format("t = {:.9g} s, step {}, scheme {}: {}, residual {:.3g} after {} iterations{}{}",
                                       state_.t, summary_.steps, settings_.scheme, name(report.solve.status),
                                       report.solve.residual, report.solve.iterations, closed_contacts(),
                                       summary_.unconverged_steps == told ? "; further ones are only counted" : ""));
}

}  // namespace tappet
