// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measures of a run, as in src/judge/measure.cpp, computed while it runs. Each of them sees every sample that is
// recorded at its time t with the value x, and `counts` says whether the sample is in the window of the measure.
TAPPET_FUNCTION Real no_value() { return real(0.0) / real(0.0); }

struct FinalMeasure {
  Real x;
  TAPPET_MEMBER void start() { x = no_value(); }
  TAPPET_MEMBER void see(double, Real value, Mask counts) { x = select(counts, value, x); }
  TAPPET_MEMBER Real value() const { return x; }
};

struct MaxMeasure : FinalMeasure {
  TAPPET_MEMBER void see(double, Real value, Mask counts) { x = select(counts & ((x < value) | (x != x)), value, x); }
};

struct MinMeasure : FinalMeasure {
  TAPPET_MEMBER void see(double, Real value, Mask counts) { x = select(counts & ((value < x) | (x != x)), value, x); }
};

struct SumMeasure {
  Real sum, count;
  TAPPET_MEMBER void start() { sum = count = real(0.0); }
  TAPPET_MEMBER void see(double, Real value, Mask counts) {
    sum += select(counts, value, real(0.0));
    count += zero_or_one(counts);
  }
  TAPPET_MEMBER Real value() const { return select(count > 0.0, sum, no_value()); }
};

struct MeanMeasure : SumMeasure {
  TAPPET_MEMBER Real value() const { return sum / count; }
};

struct CountMeasure {
  Real count;
  TAPPET_MEMBER void start() { count = real(0.0); }
  TAPPET_MEMBER void see(double, Real value, Mask counts) { count += zero_or_one(counts & (value > 0.0)); }
  TAPPET_MEMBER Real value() const { return count; }
};

struct FirstMeasure : FinalMeasure {
  TAPPET_MEMBER void see(double t, Real value, Mask counts) {
    x = select(counts & (value > 0.0) & (x != x), real(t), x);
  }
};

struct LastMeasure : FinalMeasure {
  TAPPET_MEMBER void see(double t, Real value, Mask counts) { x = select(counts & (value > 0.0), real(t), x); }
};

struct GrowthMeasure {
  Real first, largest;
  Mask inside, some;
  TAPPET_MEMBER void start() {
    first = largest = real(0.0);
    inside = some = !all_true();
  }
  TAPPET_MEMBER void see(double, Real value, Mask counts) {
    first = select(counts & (!inside), value, first);
    largest = select(counts, larger(largest, value - first), largest);
    inside = counts;
    some = some | counts;
  }
  TAPPET_MEMBER Real value() const { return select(some, largest, no_value()); }
};

// The value at the sample that is nearest to a time; of two equally near ones the later.
struct AtMeasure {
  Real x, distance, at;
  TAPPET_MEMBER void start(Real time) {
    at = time;
    x = no_value(), distance = no_value();
  }
  TAPPET_MEMBER void see(double t, Real value, Mask) {
    const Real d = abs_of(real(t) - at);
    const Mask nearer = (d <= distance) | (distance != distance);
    x = select(nearer, value, x);
    distance = select(nearer, d, distance);
  }
  TAPPET_MEMBER Real value() const { return x; }
};

// The value at the first or the last sample at which a condition holds.
struct AtFirstMeasure : FinalMeasure {
  Mask found;
  TAPPET_MEMBER void start() { x = no_value(), found = !all_true(); }
  TAPPET_MEMBER void see(Real holds, Real value, Mask counts) {
    const Mask now = counts & (holds > 0.0) & (!found);
    x = select(now, value, x);
    found = found | now;
  }
};

struct AtLastMeasure : FinalMeasure {
  TAPPET_MEMBER void see(Real holds, Real value, Mask counts) { x = select(counts & (holds > 0.0), value, x); }
};

// Where the values of measures with many values go: first the first value of every instance, then the second.
struct Series {
  double* first;     // of the first measure and of the first instance that is computed here
  long long count;   // of all instances
  long long most;    // values of each measure
  long long filled;  // lanes that hold an instance

  TAPPET_MEMBER void put(int measure, Real number, Real value, Mask now) const {
#ifdef __CUDACC__
    if (now) first[(measure * most + static_cast<long long>(number)) * count] = value;
#else
    for (int l = 0; l < TAPPET_LANES && l < filled; ++l)
      if (now[l]) first[(measure * most + static_cast<long long>(number[l])) * count + l] = value[l];
#endif
  }
};

// The values at the times from, from + period, … up to an end. Between two samples they lie on a line.
struct StrobeMeasure {
  Real from, to, period, number, x;
  double before;  // the time of the last sample, which had the value x

  TAPPET_MEMBER void start(Real first, Real last, Real every) {
    from = first, to = last, period = every;
    number = real(0.0), x = no_value(), before = 0.0;
  }
  TAPPET_MEMBER Mask is_due(Real at, double t, double slack, const Series& series) const {
    return (at <= real(t)) & (at <= to + slack) & (number < real(static_cast<double>(series.most)));
  }
  TAPPET_MEMBER void see(const Time& time, Real value, const Series& series, int measure) {
    for (Real at = from + number * period; in_any(is_due(at, time.t, time.slack, series));
         at = from + number * period) {
      const Mask now = is_due(at, time.t, time.slack, series);
      const Real share = (at - before) / (time.t - before);
      const Mask here = (at == real(time.t)) | (at <= real(before));
      series.put(measure, number, select(here, value, (1.0 - share) * x + share * value), now);
      number += zero_or_one(now);
    }
    x = value, before = time.t;
  }
  // The end of the run may lie before a time of the strobe by rounding. Returns how many values there are.
  TAPPET_MEMBER Real finish(const Time& time, const Series& series, int measure) const {
    StrobeMeasure last = *this;
    last.before = time.t + time.slack;
    last.see(Time{last.before, time.dt, time.slack}, x, series, measure);
    return last.number;
  }
};
