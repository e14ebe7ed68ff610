// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/integration/gauss.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/brent.h"

namespace tappet::events {

Gauss::Gauss(Motion& motion, int size)
    : motion_(motion), size_(size), start_(size), end_(size), probe_(size), weight_(size) {
  for (auto* list : {&rates_, &next_rates_, &terms_})
    for (Vec& one : *list) one.assign(size, 0.0);
}

void Gauss::start(const Vec& y, int watched, double first_step, double largest_step, double relative, double absolute) {
  relative_ = relative, absolute_ = absolute, largest_ = largest_step, next_ = first_step, watched_ = watched;
  tau_ = done_ = 0, steps_ = failures_ = 0, known_ = false;
  std::copy(y.begin(), y.end(), end_.begin());
  for (auto* list : {&values_, &earlier_, &last_, &now_, &scratch_, &where_}) list->resize(watched);
  fired_.assign(watched, 0);
  if (watched > 0) motion_.watch(end_.data(), values_.data());
  if (!(next_ > 0)) next_ = this->first_step();
}

// A small part of the time in which the rate changes, at the start. Longer steps follow quickly.
double Gauss::first_step() {
  constexpr double part = 1e-2, shortest = 1e-9, longest = 1e-2, moment = 1e-7;
  motion_.rate(end_.data(), rates_[0].data());
  for (int c = 0; c < size_; ++c) probe_[c] = end_[c] + moment * rates_[0][c];
  motion_.rate(probe_.data(), rates_[1].data());
  double size = 0, change = 0;
  for (int c = 0; c < size_; ++c) {
    size = std::max(size, std::abs(rates_[0][c]));
    change = std::max(change, std::abs(rates_[1][c] - rates_[0][c]) / moment);
  }
  return change > 0 ? std::clamp(part * size / change, shortest, longest) : longest;
}

// What is added to a number in this step is known to a part of round-off of the largest rate at best.
void Gauss::take_weights(double h) {
  constexpr double floor = 1e-15;
  double largest = 0;
  for (int c = 0; c < size_; ++c) largest = std::max(largest, std::abs(rates_[0][c]));
  for (int c = 0; c < size_; ++c)
    weight_[c] =
        relative_ * std::max(std::abs(start_[c]), std::abs(h * rates_[0][c])) + absolute_ + floor * h * largest;
}

// The polynomial of the step before continues well only if that step was not much shorter, for example because the run
// had to stop at its end.
void Gauss::first_guess(double h) {
  constexpr double longest = 4;
  if (known_ && h <= longest * done_) return take_from_terms(1, h / done_);
  motion_.rate(start_.data(), rates_[0].data());
  for (int i = 1; i < stages; ++i) rates_[i] = rates_[0];
}

void Gauss::take_from_terms(double from, double length) {
  for (int i = 0; i < stages; ++i) {
    const auto P = Rule::legendre(from + Rule::get().node[i] * length);
    for (int c = 0; c < size_; ++c) {
      rates_[i][c] = 0;
      for (int k = 0; k < stages; ++k) rates_[i][c] += P[k] * terms_[k][c];
    }
  }
}

double Gauss::improve(double h) {
  for (int i = 0; i < stages; ++i) {
    for (int c = 0; c < size_; ++c) {
      double sum = 0;
      for (int j = 0; j < stages; ++j) sum += Rule::get().up_to[i][j] * rates_[j][c];
      probe_[c] = start_[c] + h * sum;
    }
    motion_.rate(probe_.data(), next_rates_[i].data());
  }
  double change = 0;
  for (int i = 0; i < stages; ++i)
    for (int c = 0; c < size_; ++c) {
      const double one = std::abs(h * (next_rates_[i][c] - rates_[i][c])) / weight_[c];
      change = one > change || std::isnan(one) ? one : change;
    }
  std::swap(rates_, next_rates_);
  return change;
}

// Changes below the tolerance go on as long as they get smaller, because the end is to be right to round-off.
bool Gauss::iterate(double h) {
  constexpr int most = 30;
  constexpr double small = 1e-3, noise = 50;
  contraction_ = 0;
  double before = INFINITY;
  for (int i = 0; i < most; ++i) {
    take_weights(h);  // each time, because a bad first guess has large rates
    const double change = improve(h);
    if (change < small) return true;
    const bool stagnates = change > 0.5 * before;
    if (stagnates && change < noise) return true;
    if (!std::isfinite(change) || (i > 3 && stagnates)) return false;
    if (i > 3 && change > noise) contraction_ = std::max(contraction_, change / before);
    before = change;
  }
  return false;
}

void Gauss::finish(double h) {
  for (int c = 0; c < size_; ++c) {
    double sum = 0;
    for (int j = 0; j < stages; ++j) sum += Rule::get().weight[j] * rates_[j][c];
    end_[c] = start_[c] + h * sum;
  }
}

double Gauss::unresolved(double h) const {
  constexpr double share = 0.05;  // of the last term but one, in case the last one vanishes by chance
  double most = 0;
  for (int c = 0; c < size_; ++c)
    for (const int k : {stages - 2, stages - 1}) {
      double term = 0;
      for (int j = 0; j < stages; ++j) term += Rule::get().coefficient[k][j] * rates_[j][c];
      const double counts = k == stages - 1 ? 1.0 : share;
      most = std::max(most, counts * std::abs(h * term) / (2 * (2 * k + 1)) / weight_[c]);
    }
  return most;
}

void Gauss::keep_terms() {
  for (int k = 0; k < stages; ++k)
    for (int c = 0; c < size_; ++c) {
      terms_[k][c] = 0;
      for (int j = 0; j < stages; ++j) terms_[k][c] += Rule::get().coefficient[k][j] * rates_[j][c];
    }
  known_ = true;
}

// A step may be so long that the iteration converges quickly: its contraction is proportional to the step.
bool Gauss::step(double h) {
  constexpr double safe = 0.8, most_growth = 3, least_rest = 1e-12, quick = 0.25;
  first_guess(h);
  if (!iterate(h)) {
    ++failures_, known_ = false;  // a polynomial may continue badly
    next_ = h / 3;
    return false;
  }
  const double rest = unresolved(h), factor = safe * std::pow(std::max(rest, least_rest), -1.0 / stages);
  next_ = h * std::clamp(factor, 0.1, most_growth);
  if (contraction_ > 0) next_ = std::min(next_, h * quick / contraction_);
  if (rest > 1) return false;
  finish(h);
  return true;
}

Ode::Outcome Gauss::advance(double tau_stop) {
  tau_ += done_, start_ = end_;
  std::fill(fired_.begin(), fired_.end(), 0);
  last_ = values_;
  const double left = tau_stop - tau_, shortest = 1e-15 * std::max(tau_stop, 1e-6);
  double h = 0;
  bool ends = false;
  do {
    h = largest_ > 0 ? std::min(next_, largest_) : next_;
    ends = h >= left * (1 - 1e-12);
    h = ends ? left : std::min(h, left / 2);
    if (!ends && h < shortest) return done_ = 0, Outcome::failed;
  } while (!step(h));
  ++steps_;
  double zero = 1;
  if (watched_ > 0 && find_zero(h, zero)) return land(h, zero), Outcome::root;
  keep_terms();
  done_ = h;
  return ends ? Outcome::stop : Outcome::step;
}

void Gauss::within(double part, double h, double* y) const {
  const auto integrals = Rule::integrals(part);
  std::array<double, stages> share{};
  for (int j = 0; j < stages; ++j)
    for (int k = 0; k < stages; ++k) share[j] += integrals[k] * Rule::get().coefficient[k][j];
  for (int c = 0; c < size_; ++c) {
    double sum = 0;
    for (int j = 0; j < stages; ++j) sum += share[j] * rates_[j][c];
    y[c] = start_[c] + h * sum;
  }
}

void Gauss::at(double tau, Vec& y) const {
  within(done_ > 0 ? std::clamp((tau - tau_) / done_, 0.0, 1.0) : 0.0, done_, y.data());
}

double Gauss::value(int watched, double part, double h) {
  within(part, h, probe_.data());
  motion_.watch(probe_.data(), scratch_.data());
  return scratch_[watched];
}

// The first zero from above within the step. The functions are looked at between the stages too, because steps are
// long.
bool Gauss::find_zero(double h, double& zero) {
  double before = 0;
  sampled_ = 0, earlier_ = last_;
  for (int i = 0; i <= stages; ++i) {
    const double part = i < stages ? Rule::get().node[i] : 1.0;
    if (i < stages)
      within(part, h, probe_.data());
    else
      std::copy(end_.begin(), end_.end(), probe_.begin());
    motion_.watch(probe_.data(), now_.data());
    if (locate(before, part, h, zero)) return true;
    sampled_ = before, before = part;
    std::swap(earlier_, last_), std::swap(last_, now_);
  }
  values_ = last_;
  return false;
}

bool Gauss::locate(double from, double to, double h, double& zero) {
  constexpr double round_off = 2.3e-16, never = 2;
  zero = never;
  for (int w = 0; w < watched_; ++w) {
    where_[w] = never;
    const auto f = [&](double part) { return value(w, part, h); };
    if (last_[w] > 0 && now_[w] <= 0)
      where_[w] = now_[w] == 0 ? to : brent(f, from, last_[w], to, now_[w]);
    else if (last_[w] > 0 && last_[w] < earlier_[w] && last_[w] < now_[w])
      if (const double lowest = dip(w, {sampled_, from, to}, h); lowest < to)
        where_[w] = brent(f, sampled_, earlier_[w], lowest, f(lowest));
    zero = std::min(zero, where_[w]);
  }
  if (zero == never) return false;
  const double same = 100 * round_off * (tau_ + h) / h;
  for (int w = 0; w < watched_; ++w) fired_[w] = where_[w] <= zero + same;
  return true;
}

// A function that is smaller at the middle of three places than at the others may be negative between them, for a short
// time. Returns a place where it is; the last of the three if there is none. Each vertex of the parabola through three
// values is the next place to look at.
double Gauss::dip(int watched, std::array<double, 3> at, double h) {
  constexpr int most = 40;
  constexpr double near = 1e-9;
  const double none = at[2];
  std::array<double, 3> f{earlier_[watched], last_[watched], now_[watched]};
  for (int i = 0; i < most; ++i) {
    const double left = at[1] - at[0], right = at[2] - at[1], down = (f[1] - f[0]) / left, up = (f[2] - f[1]) / right;
    const double curved = (up - down) / (left + right), slope = (down * right + up * left) / (left + right);
    const double vertex = at[1] - slope / (2 * curved), least = f[1] - slope * slope / (4 * curved);
    if (!(curved > 0) || least > 0.5 * f[1] || std::abs(vertex - at[1]) < near * (at[2] - at[0])) return none;
    const double found = value(watched, vertex, h);
    if (found < 0) return vertex;
    const bool before = vertex < at[1];
    if (found < f[1])
      (before ? at[2] : at[0]) = at[1], (before ? f[2] : f[0]) = f[1], at[1] = vertex, f[1] = found;
    else
      (before ? at[0] : at[2]) = vertex, (before ? f[0] : f[2]) = found;
  }
  return none;
}

// The step once more, to end at the zero: its end is more accurate than the polynomial. Two corrections are enough. If
// the iteration does not converge, the polynomial has to do.
void Gauss::land(double h, double zero) {
  constexpr int corrections = 2;
  const auto first = static_cast<int>(std::find(fired_.begin(), fired_.end(), 1) - fired_.begin());
  const double apart = std::min(0.01, zero / 2);
  const double rate = (value(first, zero, h) - value(first, zero - apart, h)) / (apart * h);
  double length = zero * h;
  keep_terms();
  known_ = false;
  for (int k = 0; length > 0; ++k) {
    take_from_terms(0, length / h);
    const bool converged = iterate(length);
    if (!converged) take_from_terms(0, length / h);
    finish(length);
    motion_.watch(end_.data(), values_.data());
    const double late = rate < 0 ? values_[first] / rate : 0.0;
    if (!converged || k == corrections || std::abs(late) > 1e-3 * h || length - late == length) break;
    length -= late;
  }
  done_ = length;
}

}  // namespace tappet::events
