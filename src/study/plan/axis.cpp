// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/plan/axis.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "study/plan/sobol.h"

namespace tappet {

namespace {

// A well-mixed number of 64 bits that depends on all arguments (the finaliser of splitmix64).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}
std::uint64_t mixed(std::uint64_t seed, std::uint64_t a, std::uint64_t b) { return mixed(mixed(mixed(seed) ^ a) ^ b); }

// In the open interval (0, 1): the centres of 2⁵² parts.
double to_unit(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

std::vector<std::int32_t> shuffled(long count, std::uint64_t seed) {
  std::vector<std::int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (long k = count - 1; k > 0; --k) std::swap(order[k], order[mixed(seed, k, 1) % (k + 1)]);
  return order;
}

}  // namespace

double Plan::count(const std::vector<StudyAxis>& axes, long samples) {
  double count = 1, lines = 1;
  bool random = false;
  for (const StudyAxis& axis : axes) {
    if (axis.kind == StudyAxis::Kind::values) count *= static_cast<double>(axis.values.size());
    if (axis.kind == StudyAxis::Kind::column) lines = static_cast<double>(axis.values.size());
    random = random || axis.random();
  }
  return count * lines * (random ? static_cast<double>(samples) : 1.0);
}

Plan::Plan(std::vector<StudyAxis> axes, Sampling sampling, long samples, std::uint64_t seed)
    : axes_(std::move(axes)), sampling_(sampling), seed_(seed) {
  runs_ = static_cast<long>(count(axes_, samples));
  int random_axes = 0;
  for (const StudyAxis& axis : axes_) {
    if (axis.kind == StudyAxis::Kind::column) lines_ = static_cast<long>(axis.values.size());
    if (!axis.random()) continue;
    samples_ = samples;
    if (sampling == Sampling::latin_hypercube) order_.push_back(shuffled(samples, mixed(seed, random_axes, 0)));
    ++random_axes;
  }
}

double Plan::uniform(int random_axis, long sample) const {
  const std::uint64_t drawn = mixed(seed_, random_axis, sample);
  switch (sampling_) {
    case Sampling::independent:
      return to_unit(drawn);
    case Sampling::latin_hypercube:
      return (order_[random_axis][sample] + to_unit(drawn)) / static_cast<double>(samples_);
    case Sampling::sobol: {
      const std::uint64_t shift = mixed(seed_, random_axis, 0) >> 32;
      return (static_cast<double>(sobol_bits(random_axis, static_cast<std::uint32_t>(sample)) ^ shift) + 0.5) * 0x1p-32;
    }
  }
  return 0.5;
}

void Plan::values(long k, std::vector<double>& out) const {
  out.resize(axes_.size());
  for (std::size_t i = axes_.size(); i-- > 0;) {
    const StudyAxis& axis = axes_[i];
    if (axis.kind != StudyAxis::Kind::values) continue;
    const long size = static_cast<long>(axis.values.size());
    out[i] = axis.values[k % size];
    k /= size;
  }
  const long sample = k % samples_, line = k / samples_;
  int random_axis = 0;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const StudyAxis& axis = axes_[i];
    if (axis.kind == StudyAxis::Kind::column) out[i] = axis.values[line];
    if (!axis.random()) continue;
    const double p = uniform(random_axis++, sample);
    out[i] = axis.kind == StudyAxis::Kind::uniform ? axis.low + (axis.high - axis.low) * p
                                                   : axis.low + axis.high * normal_quantile(p);
  }
}

// Newton's method on the logarithm of the tail probability, which is nearly quadratic. It starts from the leading term
// of the asymptotic expansion, and converges to the last digits in a few iterations.
double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1.0 - p);
  const double wanted = std::log(p);
  double x = -std::sqrt(std::max(0.0, -2.0 * std::log(2.0 * p)));
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double tail = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    const double change = (wanted - std::log(tail)) * tail / density;
    x += change;
    if (std::abs(change) <= 1e-16 * (1.0 + std::abs(x))) break;
  }
  return x;
}

}  // namespace tappet
