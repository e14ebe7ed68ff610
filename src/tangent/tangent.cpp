// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/tangent.h"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>

#include "math/brent.h"
#include "tangent/collocation.h"

namespace tappet {

using events::Instant;
using events::Mode;
using events::Watch;

Tangent::Tangent(CompiledModel& base, std::vector<Direction> directions)
    : base_(base),
      directions_(std::move(directions)),
      linear_(base.equations),
      impact_(base.equations),
      functions_(base, linear_, directions_),
      X_(2 * base.system.u_size(), directions_.size()),
      trouble_(directions_.size()) {
  for (size_t d = 0; d < directions_.size(); ++d) X_.col(static_cast<int>(d)) = directions_[d].start;
  largest_ = X_.colwise().norm();
}

void Tangent::spoil(int direction, double t, const std::string& why) {
  if (trouble_[direction].empty()) trouble_[direction] = fmt::format("at t = {:.9g} s {}", t, why);
}

void Tangent::spoil_all(double t, const std::string& why) {
  for (int d = 0; d < X_.cols(); ++d) spoil(d, t, why);
}

int Tangent::rank() const {
  constexpr double lost = 1e-9;  // of what a direction has been
  Eigen::MatrixXd scaled = X_;
  for (int d = 0; d < scaled.cols(); ++d)
    if (trouble_[d].empty() && largest_[d] > 0)
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
    closeness_.nearest_miss.take(base_.equations.gaps(at)[k], t, contact_name(k));
    if (base_.equations.gaps(at)[k] <= events::Kinematics::closed_gap)
      spoil_all(t, fmt::format("contact {} turns back where it would just touch (it grazes)", contact_name(k)));
  }
}

void Tangent::happens(const Instant& instant) {
  gap_rates_.resize(0);
  regime_ = instant.regime_after;
  if (!regime_.sliding.empty())
    spoil_all(instant.after.t, "a formula stays on its switching point, which has no derivative here");
  if (instant.cause == Instant::Cause::start) return start(instant);
  if (instant.cause == Instant::Cause::slip_begun) return;
  take_closeness(instant);
  if (instant.cause == Instant::Cause::paradox) return spoil_all(instant.after.t, "Painlevé's paradox is reached");
  if (instant.cause == Instant::Cause::departure)
    return spoil_all(instant.after.t, "a contact moves whose forces are not unique");
  const Eigen::RowVectorXd delays = time_changes(instant);
  jump(instant, delays);
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
  if (std::isfinite(last_event_)) closeness_.smallest_spacing.take(t - last_event_, t, "");
  last_event_ = t;
  sequence_.push_back({t, words(instant, base_.contacts)});
  if (instant.jumps.empty()) return;
  const Eigen::VectorXd gamma = base_.equations.velocities(instant.before, base_.contacts.all());
  for (int k : instant.jumps.front().set)
    if (!instant.regime_before.phases[k].closed() && gamma[base_.contacts[k].row] < 0)
      closeness_.slowest_impact.take(-gamma[base_.contacts[k].row], t, contact_name(k));
}

// Contacts that are closed at the start must stay closed along every direction.
void Tangent::start(const Instant& instant) {
  const double t = instant.after.t;
  linear_.place(instant.after, regime_);
  start_rate_ = linear_.rate();
  if (!instant.jumps.empty()) return spoil_all(t, "there is an impact at the start");
  functions_.place(instant.after, regime_, X_, 1e-6);
  const auto require_zero = [&](const EventFunction& function, const std::string& why) {
    constexpr double round_off = 1e-9;
    for (int d = 0; d < X_.cols(); ++d)
      if (std::abs(function.change[d]) > round_off * function.size[d]) spoil(d, t, why);
  };
  for (int k : regime_.set) {
    require_zero(functions_.gap(k), fmt::format("contact {} is closed, and this would move it apart", contact_name(k)));
    require_zero(functions_.velocity(k, 0),
                 fmt::format("contact {} is closed, and this would let it separate", contact_name(k)));
    if (regime_.phases[k].mode != Mode::stick) continue;
    for (int f = 1; f < base_.contacts[k].rows; ++f)
      require_zero(functions_.velocity(k, f),
                   fmt::format("contact {} sticks, and this would let it slip", contact_name(k)));
  }
}

std::vector<EventFunction> Tangent::functions_of(const Instant& instant) {
  std::vector<EventFunction> list;
  std::vector<int> arriving;
  for (const events::Watched& fired : instant.fired) {
    if (fired.is_switch()) list.push_back(functions_.formula_switch(fired.index));
    if (fired.what == Watch::gap) arriving.push_back(fired.index);
    if (fired.what == Watch::normal) list.push_back(functions_.normal_force(fired.index));
    if (fired.what == Watch::friction) list.push_back(functions_.friction_left(fired.index));
    if (fired.what == Watch::slip) list.push_back(functions_.slip(fired.index));
  }
  if (!instant.jumps.empty())
    for (int k : instant.jumps.front().set)
      if (!instant.regime_before.phases[k].closed()) arriving.push_back(k);
  std::sort(arriving.begin(), arriving.end());
  arriving.erase(std::unique(arriving.begin(), arriving.end()), arriving.end());
  for (int k : arriving) {
    list.push_back(functions_.gap(k));
    // An impact is too slow if it would turn back at a depth that the integration does not resolve.
    constexpr double depth = 1e-11;  // m
    const double speed = -list.back().rate, brake = functions_.velocity(k, 0).rate;
    if (brake > 0 && speed * speed < 2 * brake * depth) list.back().rate = 0;
  }
  if (instant.cause == Instant::Cause::time) list.push_back(functions_.time_switch(instant.time_switch));
  return list;
}

// If several functions are zero at once, there is a derivative along a direction only if all of them stay together.
Eigen::RowVectorXd Tangent::time_changes(const Instant& instant) {
  constexpr double together = 1e-6, round_off = 1e-9;
  const double t = instant.before.t, step = longest_passage_ > 0 ? 1e-2 * longest_passage_ : 1e-6;
  linear_.place(instant.before, instant.regime_before);
  functions_.place(instant.before, instant.regime_before, X_, step);
  const std::vector<EventFunction> functions = functions_of(instant);
  Eigen::RowVectorXd delays = Eigen::RowVectorXd::Zero(X_.cols());
  for (size_t j = 0; j < functions.size(); ++j) {
    const EventFunction& f = functions[j];
    const std::string what = f.contact >= 0 ? fmt::format("{} of contact {}", f.name, contact_name(f.contact)) : f.name;
    if (!(std::abs(f.rate) > 1e-12)) {
      for (int d = 0; d < X_.cols(); ++d)
        if (std::abs(f.change[d]) > round_off * f.size[d])
          spoil(d, t, fmt::format("the {} reaches zero without crossing it (it grazes)", what));
      continue;
    }
    const Eigen::RowVectorXd own = -f.change / f.rate, unsure = round_off * f.size / std::abs(f.rate);
    if (j == 0) {
      delays = own;
      continue;
    }
    for (int d = 0; d < X_.cols(); ++d)
      if (std::abs(own[d] - delays[d]) > together * std::max(std::abs(own[d]), std::abs(delays[d])) + unsure[d])
        spoil(
            d, t,
            fmt::format("two events coincide that this separates: the {} and the {} of contact {}", what,
                        functions[0].name, functions[0].contact >= 0 ? contact_name(functions[0].contact) : "(none)"));
  }
  return delays;
}

void Tangent::jump(const Instant& instant, const Eigen::RowVectorXd& delays) {
  const int n = base_.system.u_size();
  X_ += linear_.rate() * delays;
  State at = instant.before;
  for (const events::VelocityJump& jump : instant.jumps) {
    impact_.place(at, jump, instant.regime_after);
    if (impact_.undecided() >= 0)
      spoil_all(at.t, fmt::format("contact {} is at the limit between two kinds of impact",
                                  contact_name(impact_.undecided())));
    const auto residual = [&](Equations& equations, const State& state) {
      return equations.jump(state, impact_.jump(), impact_.statuses());
    };
    Eigen::MatrixXd after = impact_.by_q * X_.topRows(n) + impact_.by_u * X_.bottomRows(n);
    after += impact_.respond(functions_.by_time([&](const State& s) { return residual(base_.equations, s); })) * delays;
    for (size_t d = 0; d < directions_.size(); ++d)
      if (ParameterSlope* p = directions_[d].parameter)
        after.col(static_cast<int>(d)) +=
            impact_.respond(p->of([&](CompiledModel& m) { return residual(m.equations, at); }));
    X_.bottomRows(n) = after;
    at.u = jump.u_after;
  }
  linear_.place(instant.after, instant.regime_after);
  X_ -= linear_.rate() * delays;
}

std::string Tangent::trouble_of_end(const State& state) {
  constexpr double instant = 1e-11;  // s
  if (state.t - last_event_ <= instant)
    return fmt::format("at t = {:.9g} s there is an event, exactly at the end", state.t);
  const Eigen::VectorXd gaps = base_.equations.gaps(state),
                        gamma = base_.equations.velocities(state, base_.contacts.all());
  for (int k : base_.contacts.all())
    if (const double speed = -gamma[base_.contacts[k].row]; !regime_.phases[k].closed() && gaps[k] < instant * speed)
      return fmt::format("at t = {:.9g} s contact {} closes, exactly at the end", state.t, contact_name(k));
  return {};
}

}  // namespace tappet
