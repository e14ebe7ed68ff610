// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/tangent.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

#include "math/brent.h"
#include "tangent/collocation.h"

namespace tappet {

using events::Instant;
using events::Mode;
using events::Watch;

Tangent::Tangent(CompiledModel& base, std::vector<Direction> directions, Side side)
    : base_(base),
      directions_(std::move(directions)),
      side_(side),
      linear_(base.equations),
      saltation_(base, linear_, directions_, side),
      X_(2 * base.system.u_size(), directions_.size()),
      troubles_(directions_.size()) {
  for (size_t d = 0; d < directions_.size(); ++d) X_.col(static_cast<int>(d)) = directions_[d].start;
  largest_ = X_.colwise().norm();
}

int Tangent::rank() const {
  constexpr double lost = 1e-9;  // of what a direction has been
  Eigen::MatrixXd scaled = X_;
  for (int d = 0; d < scaled.cols(); ++d)
    if (troubles_.list()[d].empty() && largest_[d] > 0)
      scaled.col(d) /= largest_[d];
    else
      scaled.col(d).setZero();
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(scaled);
  return static_cast<int>((svd.singularValues().array() > lost).count());
}

Eigen::VectorXd Tangent::rate(const State& at) {
  linear_.place(at, regime_);
  return linear_.rate();
}

void Tangent::passes(const events::Passage& passage) {
  const double h = passage.to - passage.from;
  longest_passage_ = std::max(longest_passage_, h);
  if (h <= 0) return;
  State at = base_.system.initial();
  const int n = base_.system.u_size();
  collocate(
      h,
      [&](double part, Eigen::MatrixXd& A, Eigen::MatrixXd& B) {
        passage.at(passage.from + part * h, at);
        linear_.place(at, regime_);
        A = linear_.A;
        B = Eigen::MatrixXd::Zero(X_.rows(), X_.cols());
        for (size_t d = 0; d < directions_.size(); ++d)
          if (ParameterSlope* p = directions_[d].parameter)
            B.col(static_cast<int>(d)).tail(n) =
                linear_
                    .respond(p->of([&](CompiledModel& m) {
                      m.equations.hold(regime_.branches);
                      return m.equations.motion(at, regime_, linear_.a, linear_.lambda);
                    }))
                    .col(0)
                    .head(n);
      },
      X_);
  note_sizes();
  look_for_misses(passage);
}

// The gap of an open contact is smallest where its velocity changes its sign.
void Tangent::look_for_misses(const events::Passage& passage) {
  State at = base_.system.initial();
  const auto rates = [&](double t) {
    passage.at(t, at);
    const Eigen::VectorXd gamma = base_.equations.velocities(at, base_.contacts.all());
    Eigen::VectorXd normal(base_.contacts.size());
    for (int k : base_.contacts.all()) normal[k] = gamma[base_.contacts[k].row];
    return normal;
  };
  const Eigen::VectorXd before = gap_rates_.size() > 0 ? gap_rates_ : rates(passage.from);
  gap_rates_ = rates(passage.to);
  passage.at(passage.from, at);
  const Eigen::VectorXd gaps = base_.equations.gaps(at);  // a contact that has just opened has none yet
  for (int k : base_.contacts.all()) {
    if (regime_.phases[k].closed() || !(before[k] < 0 && gap_rates_[k] > 0)) continue;
    if (gaps[k] <= events::Kinematics::closed_gap) continue;
    const double t =
        brent([&](double when) { return rates(when)[k]; }, passage.from, before[k], passage.to, gap_rates_[k]);
    passage.at(t, at);
    const double gap = base_.equations.gaps(at)[k];
    closeness_.nearest_miss.take(gap, t, contact_name(k));
    if (gap <= events::Kinematics::closed_gap) pass_by(k, at);
  }
}

// A contact that turns back where it would just touch. Neighbours with a larger gap miss it too.
void Tangent::pass_by(int k, const State& at) {
  constexpr double round_off = 1e-9;
  EventFunctions& functions = saltation_.functions();
  linear_.place(at, regime_);
  functions.place(at, regime_, X_, 1e-6);
  const EventFunction gap = functions.gap(k);
  for (int d = 0; d < X_.cols(); ++d)
    if (std::abs(gap.change[d]) > round_off * gap.size[d] && !(static_cast<int>(side_) * gap.change[d] > 0))
      troubles_.spoil(d, at.t,
                      fmt::format("contact {} turns back where it would just touch (it grazes)", contact_name(k)));
}

void Tangent::happens(const Instant& instant) {
  take(instant);
  if (listener_) listener_(instant);
}

void Tangent::take(const Instant& instant) {
  gap_rates_.resize(0);
  regime_ = instant.regime_after;
  if (!regime_.sliding.empty())
    troubles_.spoil_all(instant.after.t, "a formula stays on its switching point, which has no derivative here");
  if (instant.cause == Instant::Cause::start) return start(instant);
  if (instant.cause == Instant::Cause::slip_begun) return;
  take_closeness(instant);
  const auto columns = static_cast<size_t>(X_.cols());
  last_ = {.t = instant.before.t,
           .before = instant.before,
           .regime = instant.regime_before,
           .X = X_,
           .rate = {},
           .delays = Eigen::RowVectorXd::Zero(X_.cols()),
           .one = std::vector<char>(columns)};
  if (instant.cause == Instant::Cause::paradox)
    return troubles_.spoil_all(instant.after.t, "Painlevé's paradox is reached");
  if (instant.cause == Instant::Cause::departure)
    return troubles_.spoil_all(instant.after.t, "a contact moves whose forces are not unique");
  saltation_.apply(instant, longest_passage_ > 0 ? 1e-2 * longest_passage_ : 1e-6, X_, troubles_);
  last_.delays = saltation_.delays(), last_.rate = saltation_.rate_before(), last_.one = saltation_.one_event();
}

namespace {

std::string words(const Instant& instant, const ContactList& contacts) {
  std::vector<std::string> parts;
  for (const auto& fired : instant.fired)
    if (fired.is_switch()) parts.push_back(fmt::format("switch {}", fired.index));
  if (instant.cause == Instant::Cause::time) parts.push_back("switch of time");
  for (int k : contacts.all()) {
    const bool was = instant.regime_before.phases[k].closed(), is = instant.regime_after.phases[k].closed();
    const Mode before = instant.regime_before.phases[k].mode, after = instant.regime_after.phases[k].mode;
    const bool fired = std::any_of(instant.fired.begin(), instant.fired.end(),
                                   [&](const auto& f) { return f.what == Watch::gap && f.index == k; });
    const bool accumulates =
        std::find(instant.accumulated.begin(), instant.accumulated.end(), k) != instant.accumulated.end();
    const std::string name = contacts.name(k);
    if (accumulates)
      parts.push_back("accumulation " + name);
    else if (!was && (fired || is))
      parts.push_back((is ? "closing " : "impact ") + name);
    else if (was && !is)
      parts.push_back("opening " + name);
    else if (was && contacts[k].rows > 1 && before != after)
      parts.push_back((after == Mode::stick ? "stick " : "slip ") + name);
  }
  return parts.empty() ? "no change" : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

void Tangent::take_closeness(const Instant& instant) {
  const double t = instant.before.t;
  ++closeness_.events;
  if (std::isfinite(last_.t)) closeness_.smallest_spacing.take(t - last_.t, t, "");
  sequence_.push_back({t, words(instant, base_.contacts)});
  if (instant.jumps.empty()) return;
  const Eigen::VectorXd gamma = base_.equations.velocities(instant.before, base_.contacts.all());
  for (int k : instant.jumps.front().set)
    if (!instant.regime_before.phases[k].closed() && gamma[base_.contacts[k].row] < 0)
      closeness_.slowest_impact.take(-gamma[base_.contacts[k].row], t, contact_name(k));
}

// Joints must fit, and contacts that are closed at the start must stay closed, along every direction.
void Tangent::start(const Instant& instant) {
  const double t = instant.after.t;
  linear_.place(instant.after, regime_);
  start_rate_ = linear_.rate();
  if (!instant.jumps.empty()) return troubles_.spoil_all(t, "there is an impact at the start");
  EventFunctions& functions = saltation_.functions();
  functions.place(instant.after, regime_, X_, 1e-6);
  std::vector<EventFunction> held;
  const auto hold = [&](const EventFunction& function, const std::string& why) {
    constexpr double round_off = 1e-9;
    if (keep_closed_) return held.push_back(function);
    for (int d = 0; d < X_.cols(); ++d)
      if (std::abs(function.change[d]) > round_off * function.size[d]) troubles_.spoil(d, t, why);
  };
  for (const EventFunction& joint : functions.joints())
    hold(joint, fmt::format("joint {} does not allow this change of the start", joint.name));
  for (int k : regime_.set) {
    hold(functions.gap(k), fmt::format("contact {} is closed, and this would move it apart", contact_name(k)));
    hold(functions.velocity(k, 0),
         fmt::format("contact {} is closed, and this would let it separate", contact_name(k)));
    if (regime_.phases[k].mode != Mode::stick) continue;
    for (int f = 1; f < base_.contacts[k].rows; ++f)
      hold(functions.velocity(k, f), fmt::format("contact {} sticks, and this would let it slip", contact_name(k)));
  }
  if (!held.empty()) project(held);
}

// The nearest columns for which all of these functions stay zero.
void Tangent::project(const std::vector<EventFunction>& held) {
  Eigen::MatrixXd rows(held.size(), X_.rows()), changes(held.size(), X_.cols());
  for (size_t i = 0; i < held.size(); ++i) {
    rows.row(static_cast<int>(i)) = held[i].row, changes.row(static_cast<int>(i)) = held[i].change;
  }
  X_ -= rows.completeOrthogonalDecomposition().solve(changes);
}

namespace {

// Whether a function becomes zero at most an instant before or after its state.
bool about_zero(const EventFunction& function) {
  return function.rate != 0 && std::abs(function.value) <= Tangent::instant * std::abs(function.rate);
}

}  // namespace

std::string Tangent::trouble_of_end(const State& state) {
  const std::string when = fmt::format("at t = {:.9g} s", state.t);
  if (state.t - last_.t <= instant) return when + " there is an event, exactly at the end";
  linear_.place(state, regime_);
  EventFunctions& functions = saltation_.functions();
  functions.place(state, regime_, X_, 1e-6);
  for (int k : base_.contacts.all()) {
    if (!regime_.phases[k].closed()) {
      if (const EventFunction gap = functions.gap(k); gap.rate < 0 && about_zero(gap))
        return fmt::format("{} contact {} closes, exactly at the end", when, contact_name(k));
      continue;
    }
    const events::ContactPhase& phase = regime_.phases[k];
    if (phase.holds && phase.unique_normal && about_zero(functions.normal_force(k)))
      return fmt::format("{} contact {} opens, exactly at the end", when, contact_name(k));
    if (base_.contacts[k].rows < 2) continue;
    if (phase.mode == Mode::slip && phase.directed && about_zero(functions.slip(k)))
      return fmt::format("{} contact {} ceases to slip, exactly at the end", when, contact_name(k));
    if (phase.mode == Mode::stick && phase.holds && phase.unique && about_zero(functions.friction_left(k)))
      return fmt::format("{} contact {} begins to slip, exactly at the end", when, contact_name(k));
  }
  return {};
}

}  // namespace tappet
