// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/time_switches.h"

#include <algorithm>

namespace tappet::events {

namespace {

constexpr int samples = 256;  // of a step, between which a change of sign is looked for

int sign(double x) { return (x > 0) - (x < 0); }

// Finds where |f| is smallest between two times, or where f has another sign than at the first of them.
template <class F>
double closest_to_zero(const F& f, double from, double to) {
  constexpr double ratio = 0.3819660112501051;  // of the golden section
  const int before = sign(f(from));
  for (int k = 0; k < 60; ++k) {
    const double a = from + ratio * (to - from), b = to - ratio * (to - from);
    const double f_a = f(a), f_b = f(b);
    if (sign(f_a) != before) return a;
    if (sign(f_b) != before) return b;
    (std::abs(f_a) < std::abs(f_b) ? to : from) = std::abs(f_a) < std::abs(f_b) ? b : a;
  }
  return from;
}

// The last time with the sign of f(from), and the next number after it, up to `to`. Both are INFINITY if f keeps its
// sign.
template <class F>
std::pair<double, double> change_of_sign(const F& f, double from, double to) {
  const int before = sign(f(from));
  double t_2 = from, t_1 = from, f_2 = f(from), f_1 = f_2;
  for (int k = 1; k <= samples; ++k) {
    const double t = k == samples ? to : from + k * ((to - from) / samples), f_t = f(t);
    double low = t_1, high = t;
    if (sign(f_t) == before) {
      const bool dips = k > 1 && std::abs(f_1) <= std::abs(f_2) && std::abs(f_1) <= std::abs(f_t);
      low = t_2, high = dips ? closest_to_zero(f, t_2, t) : t_2;
    }
    if (sign(f(high)) != before) {
      for (double middle = low + (high - low) / 2; middle > low && middle < high; middle = low + (high - low) / 2)
        (sign(f(middle)) == before ? low : high) = middle;
      return {low, high};
    }
    t_2 = t_1, f_2 = f_1, t_1 = t, f_1 = f_t;
  }
  return {INFINITY, INFINITY};
}

}  // namespace

void TimeSwitches::hold_until(double last) { evaluate_.hold_time_until(last_ = last); }

void TimeSwitches::begin(double t) {
  hold_until(INFINITY);
  next_ = INFINITY, scanned_ = t;
}

// Functions of time are held by limiting their time: up to the switch they are not evaluated later than the last number
// before it.
void TimeSwitches::look_ahead(double t_end) {
  if (system_.time_switches().empty() || next_ < INFINITY || scanned_ >= t_end) return;
  double last = INFINITY;
  for (size_t i = 0; i < system_.time_switches().size(); ++i) {
    const TimeSwitch& s = system_.time_switches()[i];
    const auto f = [&](double t) { return s.function.switch_function(s.index, t); };
    const auto [before, after] = change_of_sign(f, scanned_, std::min(t_end, next_));
    if (after < next_) last = before, next_ = after, which_ = static_cast<int>(i);
  }
  scanned_ = std::min(t_end, next_);
  hold_until(last);
}

void TimeSwitches::pass(State& now, EventLog& log) {
  // A function that is zero at one instant changes its sign twice.
  const int place = static_cast<int>(system_.switches().size()) + which_;
  const double instant = 1e-14 * std::max(1.0, next_);
  const bool noted = place == noted_ && next_ - noted_time_ <= instant;
  noted_ = place, noted_time_ = next_;
  now.t = next_;
  next_ = INFINITY;
  hold_until(INFINITY);
  if (!noted) log.note(Event::Kind::switching, -1, now.t, place);
}

}  // namespace tappet::events
