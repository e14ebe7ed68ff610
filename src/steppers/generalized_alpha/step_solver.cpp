// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/step_solver.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tappet::alpha {

namespace {

constexpr double kept_ends_at = 0.1;   // the error with kept derivatives; 1 is the tolerance
constexpr double well_below = 3e-3;    // a larger error is reduced once more, if the first iterate was extrapolated
constexpr double worth_it = 0.1;       // if that leaves more of the error, it is round-off, and the next
constexpr int pause = 20;              // steps end at the tolerance
constexpr int longest_pause = 64;      // in which steps begin with the levels
constexpr double near_paradox = 0.25;  // the share of a sliding contact's response that friction leaves

StepLaw::Kind law_kind(const std::string& name) {
  using Kind = StepLaw::Kind;
  return name == "printed" ? Kind::printed : name == "bruls" ? Kind::bruls : Kind::consistent;
}

// Whether the errors of an iteration go back and forth between two values. A contact is then found closed if it was
// assumed open, and open if it was assumed closed. This would continue until all iterations are used.
class BackAndForth {
 public:
  bool seen(double error) {
    const bool same = std::abs(error - last_[1]) <= 1e-4 * error && std::abs(last_[0] - last_[2]) <= 1e-4 * last_[0];
    last_ = {error, last_[0], last_[1]};
    return same && std::abs(last_[0] - last_[1]) > 1e-2 * error;
  }

 private:
  std::array<double, 3> last_{INFINITY, INFINITY, -INFINITY};
};

}  // namespace

StepSolver::StepSolver(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                       const GeneralizedAlphaOptions& options)
    : x(contacts.system().u_size(), contacts.rows()),
      balance(contacts),
      response(contacts),
      law(contacts, law_kind(options.law)),
      contacts_(contacts),
      options_(options),
      solver_(std::move(solver)),
      before_(contacts, balance.evaluator, solver_.get()),
      newton_(contacts.rows()),
      levels_(contacts, solver_.get()),
      fixed_point_(contacts),
      guess_(x),
      closed_(x),
      solved_(x) {
  dz_.reserve(3 * contacts.rows());
  smooth_a_.accept(x.a, x.a, 0.0), smooth_lambda_.accept(x.lambda, x.lambda, 0.0);  // allocates their memory
  smooth_lambda_.renumber(contacts.rows(), [](int row) { return row; });
  forget_smooth_steps();
}

void StepSolver::follow_contacts(const ContactMemory& memory) {
  law.follow_contacts();
  response.follow(memory, spare_);
  for (Vec* rows : {&guess_.kappa, &guess_.Lambda, &guess_.lambda}) rows->assign(contacts_.rows(), 0.0);
  int k = contacts_.named();
  smooth_lambda_.renumber(contacts_.rows(), [&](int row) {
    if (row < contacts_.system().named_rows()) return row;
    while (row >= contacts_[k].row + contacts_[k].rows) ++k;
    const int before = memory.row(contacts_, contacts_[k]);
    return before < 0 ? -1 : before + row - contacts_[k].row;
  });
}

void StepSolver::restart(const State& state, Start& start, std::vector<StepLaw::Sets>& states) {
  before_.consistent_forces(state, start, states, law.slid.all());
  forget_smooth_steps();
}

void StepSolver::begin(const Start& start) {
  balance.involve(start);
  before_.approach(start, balance.involved, law);
  smooth_a_.guess(start.a, start.weight.dt, guess_.a);
  smooth_lambda_.guess(start.lambda, start.weight.dt, guess_.lambda);
  guess_.U.set_zero(), guess_.Q.set_zero(), guess_.kappa.set_zero(), guess_.Lambda.set_zero();
}

void StepSolver::learn(const Start& start, bool smooth) {
  // What has not changed, as in free flight or at rest, needs no extrapolation. Near Painlevé's paradox forces grow
  // without bound, and which of two solutions is found depends on the first guess.
  const bool steady = x.a == start.a && x.lambda == start.lambda;
  if (!smooth || steady || options_.first_iterate == "start" || (response.has(balance) && paradox(near_paradox)))
    return forget_smooth_steps();
  smooth_a_.accept(start.a, x.a, start.weight.dt);
  smooth_lambda_.accept(start.lambda, x.lambda, start.weight.dt);
}

bool StepSolver::solve(const Start& start, const std::vector<StepLaw::Sets>& states, double smallest_dt,
                       StepReport& report, std::vector<Event>& events) {
  unfinished_ = std::max(0, unfinished_ - 1);
  std::fill(law.held.begin(), law.held.end(), 0);
  const bool by_newton = options_.strategy == "newton";
  if (by_newton && levels_first_ > 0) {
    --levels_first_;
    if (iterate_levels(start, options_.newton_iterations, report)) return !paradox(0.0) || leave(start, report, events);
  }
  law.allow_continued = true;
  x = guess_;
  if (by_newton) {
    if (iterate(start, newton, options_.newton_iterations, report)) {
      levels_pause_ = 1;
      return !paradox(0.0) || leave(start, report, events);
    }
    // friction forces the contact: halve first
    if (paradox(near_paradox) && start.weight.dt > smallest_dt) return false;
    if (alternated_ && iterate_held(start, states, true, report)) return true;
  }
  if (iterate_levels(start, options_.level_iterations, report)) {
    if (by_newton) levels_first_ = levels_pause_, levels_pause_ = std::min(2 * levels_pause_, longest_pause);
    return true;
  }
  return iterate_held(start, states, false, report) || iterate_opened(start, report);
}

bool StepSolver::iterate_levels(const Start& start, int most, StepReport& report) {
  law.allow_continued = false;
  if (!solver_) return false;
  x = guess_;
  return iterate(start, options_.strategy == "fixed-point" ? fixed_point : levels, most, report);
}

bool StepSolver::iterate_held(const Start& start, const std::vector<StepLaw::Sets>& states, bool closed_before,
                              StepReport& report) {
  for (int k : balance.involved) law.held[k] = states[k].B == closed_before;
  x = guess_;
  const bool solved = iterate(start, held, options_.newton_iterations, report);
  std::fill(law.held.begin(), law.held.end(), 0);
  return solved;
}

bool StepSolver::iterate_opened(const Start& start, StepReport& report) {
  x = guess_;
  x.lambda.set_zero();
  return iterate(start, opened, options_.newton_iterations, report);
}

bool StepSolver::iterate(const Start& start, Strategy strategy, int most, StepReport& report) {
  report.solve.solver = std::max<int>(report.solve.solver, strategy);
  BackAndForth errors;
  double before = INFINITY;  // the error of the iteration before
  bool finishing = false;    // the iteration before met the tolerance, with the unknowns solved_
  for (int iteration = 0;; ++iteration) {
    const bool solved = evaluate(start);
    if (finishing && !(error_ <= worth_it * before)) unfinished_ = pause;
    if (finishing && !(error_ <= before)) {
      x = solved_;
      return evaluate(start);
    }
    if (solved && (finishing || iteration == most || is_well_solved(start))) return true;
    alternated_ = !solved && errors.seen(error_);
    if (iteration == most || !std::isfinite(error_) || alternated_) return false;
    if (solved) finishing = true, solved_ = x;
    ++report.newton;
    // If the same derivatives reduce the error as much once more, this iteration is the last one.
    const bool keep = iteration > 0 && response.has(balance) && error_ * (error_ / before) <= kept_ends_at;
    before = error_;
    if (!(keep ? response.renew(balance, start) : response.linearise(balance, start, x, holds_joints(strategy))))
      return finishing;
    find_direction(start, strategy, keep);
    response.move(balance, start, dz_, x);  // (143)
  }
}

// The contact solver and the fixed point see joints as rows of their problems.
bool StepSolver::holds_joints(Strategy strategy) { return strategy != levels && strategy != fixed_point; }

bool StepSolver::evaluate(const Start& start) {
  const bool grown = balance.evaluate(start, x);
  if (grown) before_.approach(start, balance.involved, law);
  law.evaluate(balance, start, response);
  error_ = std::max(balance.error(start, options_.tolerance),
                    law.error(balance, start, response, options_.tolerance, options_.position_tolerance));
  return error_ <= 1.0;
}

// Whether no further iteration is needed. Gaps are left out, because round-off keeps many of them just below their
// tolerance.
bool StepSolver::is_well_solved(const Start& start) const {
  if (options_.first_iterate == "start" || error_ <= well_below || unfinished_ > 0) return true;
  return balance.error(start, options_.tolerance) <= well_below &&
         law.error(balance, start, response, options_.tolerance, INFINITY) <= well_below;
}

void StepSolver::find_direction(const Start& start, Strategy strategy, bool kept) {
  const Trial trial{balance, start, response, law};
  if (strategy == levels) {
    levels_.solve(trial, dz_);
  } else if (strategy == fixed_point) {
    fixed_point_.solve(trial, options_.fixed_point_iterations, dz_);
  } else {
    if (!kept && response.size() > 0) law.evaluate(balance, start, response);  // with other prox parameters
    newton_.direction(trial, kept, dz_);
  }
}

// Painlevé's paradox: whether the friction of some sliding contact presses it on, w_Nᵀ M⁻¹ (w_N − μ W_F d) ≤ share · G.
// With share 0 a closed and an open contact may both be solutions.
bool StepSolver::paradox(double share) const {
  if (response.size() == 0) return false;
  for (const auto& [c, k, contact, i] : contacts_.numbered(balance.involved))
    if (law.sets()[c].B && contact.rows > 1 && !law.sets()[c].D_stick && law.pressing(balance, response, c, i) <= share)
      return true;
  return false;
}

// Of two solutions the open one, if it is one: contact that only its friction keeps closed ends here.
bool StepSolver::leave(const Start& start, StepReport& report, std::vector<Event>& events) {
  closed_ = x;
  for (size_t c = 0; c < balance.involved.size(); ++c)
    if (law.sets()[c].B && !law.sets()[c].D_stick)
      events.push_back({balance.t, Event::Kind::branch, balance.involved[c]});
  if (iterate_opened(start, report)) return true;
  x = closed_;
  return evaluate(start);
}

}  // namespace tappet::alpha
