// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/contact_events.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tappet {

namespace {

using Stretch = ContactHistory::Stretch;

constexpr long bridged = 2;           // samples
constexpr long at_a_time = 1L << 16;  // samples
constexpr long most_changes = 200'000;

// Calls f(stretch, first) over the whole history. Each stretch starts with the last sample of the previous one.
template <class F>
void each_stretch(const ContactHistory& h, F&& f) {
  for (long first = 0; first + 1 < h.samples; first += at_a_time)
    f(h.read(first, std::min(at_a_time + 1, h.samples - first)), first);
}

// Determines from the whole run which values are small.
struct Scales {
  double Lambda = 0.0, gap_velocity = 0.0, slip = 0.0;  // the largest
  double smooth_change = 0.0;

  explicit Scales(const ContactHistory& h) {
    const long stride = h.samples / most_changes + 1;
    std::vector<double> changes;
    each_stretch(h, [&](const Stretch& s, long) {
      largest(s.Lambda_N, Lambda), largest(s.gap_velocity, gap_velocity), largest(s.slip, slip);
      for (size_t k = 1; k < s.t.size(); k += stride) {
        const double change = std::abs(s.gap_velocity[k] - s.gap_velocity[k - 1]);
        if (s.P_N[k] == 0.0 && change > 0.0) changes.push_back(change);
      }
    });
    if (changes.empty()) return;
    const auto middle = changes.begin() + static_cast<long>(changes.size()) / 2;
    std::nth_element(changes.begin(), middle, changes.end());
    // change of the gap velocity in a step without contact; slower contacts only flicker
    smooth_change = 4.0 * *middle;
  }
  static void largest(const std::vector<double>& values, double& most) {
    for (const double v : values) most = std::max(most, std::abs(v));
  }
};

class Finder {
 public:
  explicit Finder(const ContactHistory& h) : h_(h), scales_(h), state_(h.samples, 0), impact_(h.samples, 0) {}

  ContactEvents find() {
    each_stretch(h_, [&](const Stretch& s, long first) { look(s, first); });
    bridge();
    phases();
    std::sort(events_.samples.begin(), events_.samples.end());
    return std::move(events_);
  }

 private:
  struct Boundary {
    long sample;        // the first sample of another state
    double before, at;  // the times of the previous sample and of this one
  };

  void look(const Stretch& s, long first) {
    const long n = static_cast<long>(s.t.size());
    for (long k = 1; k < n; ++k) {
      const bool hit = h_.located ? take_located(s, k, first + k + 1 == h_.samples) : is_impact(s, k);
      if (hit) {
        impact_[first + k] = 1;
        if (!h_.located) add_impact(s.t[k], s, k);
        events_.samples.push_back(first + k);
      }
      if (s.P_N[k] > 0.0) state_[first + k] = phase(s, k);
      if (state_[first + k] != state_[first + k - 1]) boundaries_.push_back({first + k, s.t[k - 1], s.t[k]});
    }
    last_time_ = s.t[n - 1];
  }

  bool take_located(const Stretch& s, long k, bool last) {
    bool any = false;
    for (; next_ < h_.located->size() && ((*h_.located)[next_] <= s.t[k] || last); ++next_, any = true)
      add_impact((*h_.located)[next_], s, k);
    return any;
  }

  bool is_impact(const Stretch& s, long k) const {
    if (scales_.Lambda > 0.0)  // the corrections that implicit schemes make by Λ are smaller than their forces
      return s.Lambda_N[k] > 1e-9 * scales_.Lambda && s.Lambda_N[k] > 0.1 * std::abs(s.P_N[k] - s.Lambda_N[k]);
    const double least = std::max(scales_.smooth_change, 1e-6 * scales_.gap_velocity);
    return s.P_N[k] > 4.0 * s.P_N[k - 1] && s.gap_velocity[k - 1] < -least &&
           s.gap_velocity[k] - s.gap_velocity[k - 1] > least;
  }

  void add_impact(double t, const Stretch& s, long k) {
    events_.impact_times.push_back(t);
    events_.impact_sizes.push_back(s.Lambda_N.empty() || s.Lambda_N[k] == 0.0 ? s.P_N[k] : s.Lambda_N[k]);
  }

  std::uint8_t phase(const Stretch& s, long k) const {
    if (s.slip.empty()) return ContactEvents::closed;
    return s.slip[k] > 1e-5 * scales_.slip ? ContactEvents::slip : ContactEvents::stick;
  }

  // If equal neighbours surround a sequence of at most `bridged` equal values, it takes their value.
  void bridge() {
    const long n = static_cast<long>(state_.size());
    for (long begin = 0, end; begin < n; begin = end) {
      for (end = begin + 1; end < n && state_[end] == state_[begin];) ++end;
      if (begin > 0 && end < n && end - begin <= bridged && state_[begin - 1] == state_[end])
        std::fill(state_.begin() + begin, state_.begin() + end, state_[begin - 1]);
    }
  }

  void phases() {
    const long n = static_cast<long>(state_.size());
    size_t next = 0;
    const auto boundary = [&](long sample) {  // the boundaries after bridging are among those before
      while (next < boundaries_.size() && boundaries_[next].sample < sample) ++next;
      return next < boundaries_.size() ? boundaries_[next] : Boundary{sample, last_time_, last_time_};
    };
    for (long begin = 1, end; begin < n; begin = end) {
      for (end = begin + 1; end < n && state_[end] == state_[begin];) ++end;
      const bool bounce = end - begin == 1 && impact_[begin];  // it touched and left within one step
      if (state_[begin] == 0 || bounce) continue;
      Boundary from = boundary(begin);
      const Boundary to = end < n ? boundary(end) : Boundary{n, last_time_, last_time_};
      if (begin == 1 && !impact_[begin]) from.at = from.before;  // it was closed from the start
      events_.from.push_back(from.before), events_.from_after.push_back(from.at);
      events_.to.push_back(to.before), events_.to_after.push_back(to.at);
      events_.phases.push_back(state_[begin]);
      events_.samples.push_back(begin);
      events_.samples.push_back(end - 1);
    }
  }

  const ContactHistory& h_;
  const Scales scales_;
  std::vector<std::uint8_t> state_, impact_;
  std::vector<Boundary> boundaries_;
  double last_time_ = 0.0;
  size_t next_ = 0;  // the next located impact
  ContactEvents events_;
};

}  // namespace

namespace {

bool is_one_of(const std::string& kind, std::initializer_list<const char*> kinds) {
  return std::any_of(kinds.begin(), kinds.end(), [&](const char* k) { return kind == k; });
}

// The last listed instant of these kinds in a step; NaN if there is none.
double last_listed(const std::vector<ListedMoment>& listed, double before, double at,
                   std::initializer_list<const char*> kinds) {
  const double slack = 1e-12 * std::max(1.0, std::abs(at));  // for times that were rounded to a grid
  auto moment = std::upper_bound(listed.begin(), listed.end(), at + slack,
                                 [](double t, const ListedMoment& m) { return t < m.t; });
  while (moment != listed.begin() && (--moment)->t >= before - slack)
    if (is_one_of(moment->kind, kinds)) return moment->t;
  return std::nan("");
}

// The first of the times in (before, at]; NaN if there is none.
double first_within(const std::vector<double>& times, double before, double at) {
  const auto next = std::upper_bound(times.begin(), times.end(), before);
  return next != times.end() && *next <= at ? *next : std::nan("");
}

// Slow slip is taken for sticking. Near a change between the two, the samples may therefore be too early or too late by
// this number.
constexpr double samples_off = 3.0;

double located(const std::vector<ListedMoment>& listed, double before, double at, std::uint8_t phase) {
  const auto find = [&](std::initializer_list<const char*> kinds) {
    const double t = last_listed(listed, before, at, kinds), off = samples_off * (at - before);
    return std::isnan(t) ? last_listed(listed, before - off, at + off, kinds) : t;
  };
  if (phase == 0) return find({"opening"});
  const double t = phase == ContactEvents::stick  ? find({"stick"})
                   : phase == ContactEvents::slip ? find({"slip"})
                                                  : std::nan("");
  return std::isnan(t) ? last_listed(listed, before, at, {"impact", "closing", "reversal", "accumulation"}) : t;
}

}  // namespace

ContactEvents contact_events(const ContactHistory& history) { return Finder(history).find(); }

void settle_times(std::vector<ContactEvents>& contacts, const std::vector<std::vector<ListedMoment>>& listed) {
  std::vector<double> impacts;
  for (const ContactEvents& e : contacts) impacts.insert(impacts.end(), e.impact_times.begin(), e.impact_times.end());
  std::sort(impacts.begin(), impacts.end());
  for (size_t c = 0; c < contacts.size(); ++c) {
    ContactEvents& e = contacts[c];
    // `low` and `high` are the times at which the neighbouring phases begin and end.
    const auto settle = [&](double& time, double after, std::uint8_t phase, double low, double high) {
      if (!(after > time)) return;
      const double choices[] = {located(listed[c], time, after, phase), first_within(e.impact_times, time, after),
                                first_within(impacts, time, after)};
      for (const double choice : choices)
        if (!std::isnan(choice) && choice >= low && choice <= high) {
          time = choice;
          return;
        }
    };
    for (size_t i = 0; i < e.phases.size(); ++i) {
      const bool follows = i > 0 && e.from[i] == e.to[i - 1];
      const bool followed = i + 1 < e.phases.size() && e.from[i + 1] == e.to[i];
      if (!follows)
        settle(e.from[i], e.from_after[i], e.phases[i], i > 0 ? e.to[i - 1] : -std::numeric_limits<double>::infinity(),
               e.to_after[i]);
      const double next = i + 1 < e.phases.size() ? (followed ? e.to_after[i + 1] : e.from[i + 1]) : e.to_after[i];
      settle(e.to[i], e.to_after[i], followed ? e.phases[i + 1] : 0, e.from[i], std::max(next, e.to_after[i]));
      if (followed) e.from[i + 1] = e.to[i];
    }
  }
}

}  // namespace tappet
