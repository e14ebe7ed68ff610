// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/path/proximal/proximal_path.h"

#include <algorithm>
#include <cmath>

namespace tappet {

namespace {

constexpr double accuracy = 1e-11;   // of F on the curve
constexpr double tie = 1e-10;        // boundaries crossed by less than this are crossed later
constexpr double shortest = 1e-12;   // of a step, in the length of (r, log α)
constexpr double contraction = 0.4;  // that a step aims at
// Of linear systems: in corrections, whose errors the next one removes, and otherwise.
constexpr double rough = 0.1, sharp = 1e-6;

double length_of(const ProximalPiece::Point& z) { return std::hypot(z.r.eigen().norm(), z.log_alpha); }

double product(const ProximalPiece::Point& x, const ProximalPiece::Point& y) {
  return x.r.eigen().dot(y.r.eigen()) + x.log_alpha * y.log_alpha;
}

}  // namespace

// Newton's method at one α after the other, from the centre, beginning with a small one.
bool ProximalPath::begin() {
  const Vec centre = here_.r;
  for (here_.log_alpha = -4.0; here_.log_alpha < 10.0; here_.log_alpha += 2.0) {
    here_.r = centre;
    piece_.evaluate(here_);
    for (int steps = 0; steps < 12; ++steps) {
      piece_.read_statuses(here_.r);
      const double f = piece_.evaluate(here_);
      if (f <= accuracy) return true;
      if (!std::isfinite(f)) break;
      piece_.factor();
      piece_.newton_step(sharp, newton_);
      for (int i = 0; i < here_.r.size(); ++i) here_.r[i] += newton_[i];
      piece_.evaluate(here_);
    }
  }
  return false;
}

void ProximalPath::make_factors() {
  piece_.evaluate(here_);
  if (state_->factors == factors_here_) return;
  piece_.factor();
  factors_here_ = state_->factors;
}

// After a pivot the sense of the tangent is the one that leads across the boundary, otherwise that of the previous one.
bool ProximalPath::find_tangent(Boundary crossed) {
  piece_.weigh_slip(here_.r);
  factors_here_ = -1;
  make_factors();
  u_here_ = piece_.u();
  std::swap(before_, tangent_);
  piece_.slope(sharp, here_.r, tangent_.r), tangent_.log_alpha = 1.0;
  slope_ = tangent_.r;
  double length = length_of(tangent_);
  if (!std::isfinite(length)) return false;
  piece_.change_of_tau(here_.r, tangent_.r, 1.0, dtau_);
  const bool first = before_.r.size() != tangent_.r.size();
  const double sense = crossed.law >= 0 ? piece_.change_outside(crossed, here_.r, dtau_)
                       : first          ? -1.0
                                        : product(before_, tangent_);
  if (sense < 0.0) length = -length;
  for (double& x : tangent_.r) x /= length;
  for (double& x : dtau_) x /= length;
  tangent_.log_alpha /= length;
  return true;
}

ProximalPath::Boundary ProximalPath::next_boundary(double& length) const {
  Boundary next;
  length = HUGE_VAL;
  piece_.each_boundary([&](Boundary boundary) {
    if (const double s = piece_.length_to(boundary, here_.r, dtau_); s < length) length = s, next = boundary;
  });
  return next;
}

// The boundary that the way to trial_ crosses first, and its share of the way.
ProximalPath::Boundary ProximalPath::first_crossed(double& share) const {
  Boundary first;
  share = HUGE_VAL;
  piece_.each_boundary([&](Boundary boundary) {
    const double after = piece_.outside(boundary, trial_.r, piece_.u());
    if (after <= tie) return;
    const double before = piece_.outside(boundary, here_.r, u_here_);
    const double s = before < 0.0 ? before / (before - after) : before < after ? 0.0 : HUGE_VAL;
    if (s < share) share = s, first = boundary;
  });
  return first;
}

void ProximalPath::predict(double length) {
  trial_ = here_;
  for (int i = 0; i < trial_.r.size(); ++i) trial_.r[i] += length * tangent_.r[i];
  trial_.log_alpha += length * tangent_.log_alpha;
}

// Goes back to a share of the way to trial_.
void ProximalPath::go_back(double share) {
  for (int i = 0; i < trial_.r.size(); ++i) trial_.r[i] = here_.r[i] + share * (trial_.r[i] - here_.r[i]);
  trial_.log_alpha = here_.log_alpha + share * (trial_.log_alpha - here_.log_alpha);
}

// The change of log α with which a step of Newton's method goes across the tangent, or onto the boundary. The slope of
// the curve hardly changes between corrections, so it is only computed again if they become slow.
double ProximalPath::step_across(Boundary boundary, bool slow) {
  const double exactness = shortened_ ? sharp : rough;
  piece_.newton_step(exactness, newton_);
  if (slow) piece_.slope(exactness, trial_.r, slope_);
  if (boundary.law < 0) {
    const auto t = tangent_.r.eigen();
    return -t.dot(newton_.eigen()) / (t.dot(slope_.eigen()) + tangent_.log_alpha);
  }
  piece_.change_of_tau(trial_.r, newton_, 0.0, dtau_newton_);
  piece_.change_of_tau(trial_.r, slope_, 1.0, dtau_slope_);
  const double miss = piece_.outside(boundary, trial_.r, piece_.u());
  return -(miss + piece_.change_outside(boundary, trial_.r, dtau_newton_)) /
         piece_.change_outside(boundary, trial_.r, dtau_slope_);
}

// Newton's method from trial_ with the last factors. They are made again if they become slow.
bool ProximalPath::correct(Boundary boundary) {
  constexpr int most = 10, many = 3;
  double before = HUGE_VAL;
  bool fresh = false;
  contraction_ = 0.0;
  for (int steps = 0; steps <= most; ++steps) {
    const double off = piece_.evaluate(trial_);
    const double f = boundary.law < 0 ? off : std::hypot(off, piece_.outside(boundary, trial_.r, piece_.u()));
    if (f <= accuracy) return true;
    if (!std::isfinite(f)) break;
    if (steps == 1) contraction_ = f / before;
    if (f > (fresh ? 0.5 : 1.0) * before) return f <= 10.0 * accuracy;
    fresh = steps > 0 && f > 0.3 * before;
    if (fresh) piece_.factor();
    before = f;
    const double change = step_across(boundary, fresh || shortened_ || steps == many);
    if (!(std::abs(change) < 2.0)) break;
    for (int i = 0; i < trial_.r.size(); ++i) trial_.r[i] += newton_[i] + change * slope_[i];
    trial_.log_alpha += change;
  }
  contraction_ = 1.0;
  return false;
}

// Otherwise the corrections may have led to another part of the curve. Close to a fold the equations are nearly
// singular, and corrections go across even after the shortest step. So they may always go `across_` far.
bool ProximalPath::along_tangent() const {
  constexpr double steepest = 0.3;
  const double da = trial_.log_alpha - here_.log_alpha;
  double along = da * tangent_.log_alpha, all = da * da;
  for (int i = 0; i < here_.r.size(); ++i) {
    const double d = trial_.r[i] - here_.r[i];
    along += d * tangent_.r[i], all += d * d;
  }
  const double across = std::sqrt(std::max(0.0, all - along * along));
  return along > 0.0 && across <= std::max(steepest * along, across_);
}

// From the predicted trial_ onto the curve. If boundaries were crossed on the way, back to the first of them.
bool ProximalPath::reach(double& length, Boundary& reached) {
  double hardest = 0.0;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const bool corrected = correct(reached);
    hardest = contraction_ = std::max(hardest, contraction_);
    if (!corrected || !along_tangent()) return false;
    double share = 1.0;
    const Boundary earlier = first_crossed(share);
    if (earlier.law < 0) return true;
    if (share < 1e-3 && length > 1e-9) return false;
    reached = earlier, length *= share;
    go_back(share);
    if (share == 0.0) return true;
  }
  return false;
}

// One step along the tangent of at most this length, and at most to the next boundary. It is shortened until it ends on
// the curve. Returns false if it would have to be too short.
bool ProximalPath::step(double& length, Boundary& reached) {
  shortened_ = false;
  for (double most = length; most > shortest; shortened_ = true) {
    reached = next_boundary(length);
    if (length > most) reached = {}, length = most;
    predict(length);
    if (length == 0.0 || reach(length, reached)) return true;
    most = std::min(most, length) * std::clamp(contraction / std::max(contraction_, 1e-3), 0.1, 0.5);
    make_factors();
  }
  return false;
}

// If no step is short enough, the curve would end here. A short step that may go farther across passes most such
// places.
bool ProximalPath::step_or_pass(double& length, Boundary& reached) {
  if (step(length, reached)) return true;
  across_ = far_across;
  length = std::min(longest_, far_across);
  const bool passed = step(length, reached);
  across_ = little_across;
  return passed;
}

void ProximalPath::follow(PathState& state, const Vec& centre, int max_factorisations, ExactPath::Judge& judge) {
  state_ = &state;
  piece_.start(state, centre);
  here_.r = centre, tangent_.r.resize(0);
  crossed_ = {}, longest_ = 1.0;
  ended_ = !begin();
  resume(max_factorisations, judge);
}

void ProximalPath::resume(int max_factorisations, ExactPath::Judge& judge) {
  constexpr double smallest = -32.0;  // of log α
  if (ended_) return;
  const int last = state_->factorisations + max_factorisations;
  while (!ended_ && state_->factorisations < last && !state_->late()) {
    double length = longest_;
    ended_ = !find_tangent(crossed_) || !step_or_pass(length, crossed_);
    if (ended_) return;
    std::swap(here_, trial_);
    if (crossed_.law >= 0) piece_.cross(crossed_);
    if (length > 0.0) {
      const double next = length * std::clamp(contraction / std::max(contraction_, 1e-3), 0.5, 3.0);
      longest_ = crossed_.law >= 0 && contraction_ <= contraction ? std::max(longest_, next) : next;
      if (judge.done(here_.r)) return;
    }
    ended_ = here_.log_alpha < smallest;
  }
}

}  // namespace tappet
