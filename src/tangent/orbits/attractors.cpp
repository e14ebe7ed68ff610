// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/orbits/attractors.h"

#include <fmt/format.h>

#include <algorithm>

namespace tappet {

namespace {

constexpr double settled = 1e-3, same = 1e-6;  // relative to the size of the state

double size_of(const State& state) {
  double largest = 1e-3;
  for (const double x : state.q) largest = std::max(largest, std::abs(x));
  for (const double x : state.u) largest = std::max(largest, std::abs(x));
  return largest;
}

// How far two states are apart. Positions on which nothing depends do not count.
double distance(const ReturnMap& map, const State& a, const State& b, const std::vector<int>& cyclic) {
  Eigen::VectorXd x = map.displacement(a, b);
  for (const int i : cyclic) x[i] = 0;
  return x.cwiseAbs().maxCoeff() / std::max(size_of(a), size_of(b));
}

// The smallest number of returns after which a settled motion repeats; 0 if there is none.
int returns_of(ReturnMap& map, const State& start, int most, const std::vector<int>& cyclic) {
  State at = start;
  for (int times = 1; times <= most; ++times) {
    at = map.settled(at, 1);
    if (distance(map, start, at, cyclic) < settled) return times;
  }
  return 0;
}

bool is_known(ReturnMap& map, const Attractor& known, const Attractor& found) {
  if (known.times != found.times) return false;
  State at = found.orbit.start;
  for (int i = 0; i < found.times; ++i) {
    if (distance(map, known.orbit.start, at, known.orbit.cyclic) < same) return true;
    if (i + 1 < found.times) at = map.settled(at, 1);
  }
  return false;
}

}  // namespace

Attractors find_attractors(const ModelSource& source, const ReturnRule& rule, const std::vector<Overrides>& starts,
                           int settle, int most_times) {
  Attractors all;
  for (size_t i = 0; i < starts.size(); ++i) {
    ModelSource own = source;
    for (const auto& [name, value] : starts[i]) {
      std::erase_if(own.set, [&](const auto& one) { return one.first == name; });
      own.set.emplace_back(name, value);
    }
    const auto number = static_cast<int>(i);
    try {
      ReturnMap once(own, rule);
      const State start = once.settled(once.system().initial(), std::max(settle, 1));
      const OrbitEquations equations(once.from(start), rule);
      const int times = returns_of(once, start, most_times, equations.cyclic());
      if (times == 0) {
        all.others.emplace_back(number, fmt::format("does not repeat within {} returns", most_times));
        continue;
      }
      ReturnRule several = rule;
      several.times *= times, several.phase /= times;
      ReturnMap map(own, several);
      Attractor found{find_orbit(map, several, start), times, {number}};
      const auto known = std::find_if(all.orbits.begin(), all.orbits.end(),
                                      [&](const Attractor& one) { return is_known(once, one, found); });
      if (known != all.orbits.end())
        known->starts.push_back(number);
      else
        all.orbits.push_back(std::move(found));
    } catch (const UsageError&) {
      throw;
    } catch (const std::runtime_error& error) {
      all.others.emplace_back(number, error.what());
    }
  }
  return all;
}

}  // namespace tappet
