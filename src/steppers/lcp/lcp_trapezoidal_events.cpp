// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/brent.h"
#include "steppers/lcp/lcp_trapezoidal.h"

namespace tappet {

namespace {

bool rubs(const Contact& contact) { return contact.rows > 1; }

// How far a friction force reaches in the polygon of the cone. 1 is its boundary at unit radius.
double reach(int rows, int edges, const double* f) {
  if (rows == 2) return std::abs(f[0]);
  if (rows > 3) return std::hypot(f[0], f[1], f[2]);
  double largest = 0.0;
  for (int j = 0; j < edges; ++j) {
    const double angle = 2 * std::numbers::pi * (j + 0.5) / edges;
    largest = std::max(largest, f[0] * std::cos(angle) + f[1] * std::sin(angle));
  }
  return largest / std::cos(std::numbers::pi / edges);
}

}  // namespace

// The first event of the step whose trial is in u_1_, q_1_, law_. If it finds a collision or nothing, it leaves the
// trial unchanged.
LcpTrapezoidal::Located LcpTrapezoidal::earliest(const State& start, double h) {
  Located first;
  first.tau = h;
  if (located_collisions_) find_collisions(start, h, first);
  if (active_.empty() || !(located_stick_slip_ || located_take_off_)) return first;
  set_modes();
  find_leaving(start, h, first);
  if (located_stick_slip_) find_sticking(start, h, first);
  return first;
}

void LcpTrapezoidal::find_collisions(const State& start, double h, Located& first) {
  evaluate_.gaps(start.t + h, q_1_, gaps_1_);
  for (int k = 0; k < gaps_1_.size(); ++k) {
    if (is_active_[k] || !(gaps_1_[k] < 0.0)) continue;
    const double tau = collision_time(start, h, k);
    if (tau < first.tau) first.tau = tau, first.kind = Event::Kind::impact, first.contact = k;
  }
}

// (7.2) for one contact; h if it does not hit. If a contact leaves the surface at the start of the step, it hits after
// the top of its flight.
double LcpTrapezoidal::collision_time(const State& start, double h, int contact) {
  const auto gap = [&](double tau) {
    interpolate(start, h, tau);
    evaluate_.gaps(start.t + tau, q_tau_, left_);
    return left_[contact];
  };
  const double g_0 = gaps_[contact], g_1 = gaps_1_[contact];
  if (g_0 > std::max(options_.epsilon_a, 0.0)) return brent(gap, 0.0, g_0, h, g_1);
  one_.assign(1, contact);
  const int row = system_.joint_rows();
  const auto rate = [&](double tau) {
    interpolate(start, h, tau);
    evaluate_.directions(start.t + tau, q_tau_, one_, law_.W, law_.chi);
    law_.rates(u_tau_, left_);
    return left_[row];
  };
  const double rate_0 = rate(0.0), rate_1 = rate(h);
  double top = h;
  if (rate_0 > 0.0 && rate_1 < 0.0) {
    top = brent(rate, 0.0, rate_0, h, rate_1);
    if (const double g_top = gap(top); g_top > 0.0) top = brent(gap, top, g_top, h, g_1);
  }
  evaluate_.directions(start.t + h / 2, q_M_, active_, law_.W, law_.chi);
  return top;
}

// If the step does not resolve a mode, u₁ ≈ −u₀, the interpolant (7.3) makes an excursion of dt u₀/4, whose energy is
// (ω dt)²/16 times that of the mode. If the step were cut there, a stiff system would gain energy at every collision. A
// step that ends at the collision avoids this.
bool LcpTrapezoidal::meet(const State& start, double h, Located& collision) {
  constexpr int most_halvings = 40;
  const auto gap = [&](double tau) {
    trial(start, tau);
    evaluate_.gaps(start.t + tau, q_1_, gaps_1_);
    return gaps_1_[collision.contact];
  };
  double a = collision.tau, b = h, g_a = gap(a), g_b = gap(b);
  if (!(g_b < 0.0)) return false;
  for (int k = 0; k < most_halvings && !(g_a > 0.0); ++k) b = a, g_b = g_a, a /= 2, g_a = gap(a);
  if (!(g_a > 0.0)) return false;
  collision.tau = brent(gap, a, g_a, b, g_b);
  return collision.tau < h;
}

// Determines the modes of the active contacts at the start of the step, in order to see when they end.
void LcpTrapezoidal::set_modes() {
  modes_.assign(active_.size(), {});
  for (size_t i = 0; i < active_.size(); ++i) {
    const Contact& contact = contacts_[active_[i]];
    if (!(P_trial_[row_[i]] > 0.0) && !kept_[active_[i]].loaded) continue;
    modes_[i].kind = ContactMode::Kind::slips;
    if (!rubs(contact)) continue;
    const double* slip = gamma_.data() + row_[i] + 1;
    double speed = 0.0;
    for (int r = 0; r < contact.rows - 1; ++r) speed = std::max(speed, std::abs(slip[r]));
    // If directions turn, a contact that sticks has a slip velocity of the order of the error of the step.
    if (speed <= options_.velocity_tolerance || kept_[active_[i]].sticking)
      modes_[i].kind = ContactMode::Kind::sticks;
    else
      law_.slip_direction({.rows = contact.rows, .mu = contact.law->mu_law()}, slip, modes_[i].d);
  }
}

double LcpTrapezoidal::friction_left(int i, const Vec& lambda) const {
  const Contact& contact = contacts_[active_[i]];
  if (!rubs(contact)) return 0.0;
  const int edges = options_.directions + options_.directions % 2;
  return contact.law->mu_law() * lambda[row_[i]] - reach(contact.rows, edges, lambda.data() + row_[i] + 1);
}

// Stick→slip and take-off: a force of the held modes that is positive at the start and negative at the end.
void LcpTrapezoidal::find_leaving(const State& start, double h, Located& first) {
  const int m = static_cast<int>(active_.size());
  // By contact: the normal force and, if it sticks, the friction reserve.
  const auto margin = [&](int j) {
    const int i = j / 2;
    return j % 2 == 0 ? forces_.lambda()[row_[i]] : friction_left(i, forces_.lambda());
  };
  const auto watched = [&](int j) {
    const auto kind = modes_[j / 2].kind;
    if (j % 2 == 0 && kept_[active_[j / 2]].opened) return false;
    return j % 2 == 0 ? located_take_off_ && kind != ContactMode::Kind::open
                      : located_stick_slip_ && kind == ContactMode::Kind::sticks;
  };
  forces_.evaluate(start.t + h, q_1_, u_1_, active_, modes_);
  left_.resize(2 * m);
  bool some = false;
  for (int j = 0; j < 2 * m; ++j) {
    left_[j] = watched(j) ? margin(j) : 0.0;
    some |= left_[j] < 0.0;
  }
  if (!some) return;
  double size = 0.0;
  forces_.evaluate(start.t, start.q, start.u, active_, modes_);
  for (int i = 0; i < m; ++i) size = std::max(size, std::abs(forces_.lambda()[row_[i]]));
  c_.resize(2 * m);
  for (int j = 0; j < 2 * m; ++j) c_[j] = watched(j) ? margin(j) : 0.0;
  for (int j = 0; j < 2 * m; ++j) {
    if (!(left_[j] < 0.0) || !(c_[j] > 1e-9 * size)) continue;
    const auto at = [&](double tau) {
      interpolate(start, h, tau);
      forces_.evaluate(start.t + tau, q_tau_, u_tau_, active_, modes_);
      return margin(j);
    };
    const double tau = brent(at, 0.0, c_[j], h, left_[j]);
    if (tau < first.tau) {
      first.tau = tau, first.contact = active_[j / 2];
      first.kind = j % 2 == 0 ? Event::Kind::opening : Event::Kind::slip;
    }
  }
}

double LcpTrapezoidal::slip_along(int i, const std::array<double, 3>& d) const {
  double sum = 0.0;
  for (int r = 1; r < contacts_[active_[i]].rows; ++r) sum += d[r - 1] * c_[row_[i] + r];
  return sum;
}

// Slip→stick: a contact slides at the start, but not in this direction at the end.
void LcpTrapezoidal::find_sticking(const State& start, double h, Located& first) {
  evaluate_.directions(start.t + h / 2, q_M_, active_, law_.W, law_.chi);
  law_.rates(u_1_, left_);
  bool disturbed = false;
  for (size_t i = 0; i < active_.size(); ++i) {
    const Contact& contact = contacts_[active_[i]];
    if (modes_[i].kind != ContactMode::Kind::slips || !rubs(contact) || !(P_trial_[row_[i]] > 0.0)) continue;
    const HeldSlip held{active_[i], modes_[i].d};
    c_ = gamma_;
    const double before = slip_along(static_cast<int>(i), held.d);
    double after = 0.0;
    for (int r = 1; r < contact.rows; ++r) after += held.d[r - 1] * left_[row_[i] + r];
    if (after > std::max(1e-6 * options_.velocity_tolerance, 1e-12 * before)) continue;
    bool possible = true;
    const auto slide = [&](double tau) {
      possible &= trial(start, tau, &held).status == SolveStatus::converged;
      law_.rates(u_1_, c_);
      return slip_along(static_cast<int>(i), held.d);
    };
    disturbed = true;
    const double at_end = slide(h);
    if (!possible || !(at_end < 0.0)) continue;
    const double tau = brent(slide, 0.0, before, h, at_end);
    if (possible && tau < first.tau) first = {tau, Event::Kind::stick, active_[i], held};
  }
  if (disturbed && first.kind != Event::Kind::stick) trial(start, h);
}

void LcpTrapezoidal::announce(const State& state, const Located& event) {
  Event::Kind kind = event.kind;
  if (kind == Event::Kind::stick) {  // or it turns round at once
    const size_t i = std::find(active_.begin(), active_.end(), event.contact) - active_.begin();
    modes_[i].kind = ContactMode::Kind::sticks;
    forces_.evaluate(state.t, state.q, state.u, active_, modes_);
    kept_[event.contact].sticking = !(friction_left(static_cast<int>(i), forces_.lambda()) < 0.0);
    if (!kept_[event.contact].sticking) kind = Event::Kind::reversal;
  }
  // Its force has just been found to become zero. Its remaining round-off would become zero once more.
  if (kind == Event::Kind::opening) kept_[event.contact].opened = true;
  events_.push_back({state.t, kind, event.contact});
}

}  // namespace tappet
