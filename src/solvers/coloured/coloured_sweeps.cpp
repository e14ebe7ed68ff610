// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/coloured/coloured_sweeps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "solvers/support.h"

namespace tappet {

SolveReport ColouredSweeps::solve(const ContactProblem& problem, Vec& P) {
  if (problem.G.form() != Delassus::Form::factored) return plain_.solve(problem, P);
  return run_checked(problem, P, [&] {
    const int sweeps = options_.max_iterations > 0 ? options_.max_iterations : default_sweeps;
    return sweep(problem, sweeps, options_.tolerance, P);
  });
}

SolveReport ColouredSweeps::sweep(const ContactProblem& problem, int sweeps, double tolerance, Vec& P, int ask_after,
                                  const std::function<bool()>& end_here) {
  problem_ = &problem;
  lay_out(problem);
  const double per_impulse = velocity_per_impulse(problem), size = scale(problem, per_impulse);
  const Aim aim{tolerance, per_impulse, 0.95 * tolerance * size};
  const Deadline deadline(options_.budget_s);
  SolveReport report{SolveStatus::not_converged, 0, HUGE_VAL};
  const auto over = [&] {
    return report.iterations >= sweeps || (report.iterations % 64 == 0 && deadline.passed()) ||
           (report.iterations == ask_after && end_here());
  };
  const auto power_of_two = [](double x) {
    return x > 0.0 && x < HUGE_VAL ? std::exp2(std::round(std::log2(x))) : 1.0;
  };
  const Units units{power_of_two(1.0 / std::sqrt(per_impulse)), power_of_two(std::sqrt(problem.size()) / size)};
  if (tolerance < single_precision || !are_balls() || !sweep_in<float>(aim, units, over, P, report))
    sweep_in<double>(aim, {}, over, P, report);
  report.status = report.residual <= tolerance ? SolveStatus::converged : SolveStatus::not_converged;
  return report;
}

template <class Real, class Over>
bool ColouredSweeps::sweep_in(const Aim& aim, Units units, const Over& over, Vec& P, SolveReport& report) {
  fill<Real>(*problem_, units);
  while (true) {
    take_start<Real>(P, units.P());
    if (!resolves<Real>(aim, units)) return false;
    const End end = sweep_until<Real>(aim, units, over, report);
    give_result<Real>(1.0 / units.P(), P);
    if (end == End::blurred) return false;
    const double before = report.residual;
    respond(*problem_, P, xi_);
    report.residual = residual(*problem_, aim.per_impulse, P, xi_);
    if (report.residual <= aim.tolerance || end == End::stopped) return true;
    if (report.residual > 0.5 * before) return false;
    // The sweeps have converged but the residual is too large, so the difference comes from rounding.
    if constexpr (std::is_same_v<Real, float>) correct(P, units);
  }
}

// Whether the rounding of the impulses leaves less than the error that is allowed. There is nothing beyond double
// precision, so that is always taken.
template <class Real>
bool ColouredSweeps::resolves(const Aim& aim, Units units) {
  if constexpr (std::is_same_v<Real, double>) return true;
  double square = 0.0;
  for (const Real x : balls<Real>().P) square += x * x;
  const double rounding = std::numeric_limits<Real>::epsilon() * std::sqrt(square);
  return rounding * aim.per_impulse * units.W * units.W <= 0.5 * aim.enough * units.c;
}

template <class Real, class Over>
ColouredSweeps::End ColouredSweeps::sweep_until(const Aim& aim, Units units, const Over& over, SolveReport& report) {
  Balls<Real>& list = balls<Real>();
  list.momentum.start();
  // The distance costs most of a sweep, so it is only computed if the changes within a sweep suggest that it may be
  // small enough.
  const double enough = aim.enough * units.c;
  double look_below = 3.0 * enough;
  for (int sweeps = 1;; ++sweeps) {
    const double change = one_sweep<Real>();
    ++report.iterations;
    if (change == 0.0) return End::arrived;
    if (!std::isfinite(change) || over()) return End::stopped;
    if (sweeps % 64 == 0 && !resolves<Real>(aim, units)) return End::blurred;
    if (std::is_same_v<Real, float> && sweeps == most_in_single) return End::blurred;
    if (change <= look_below) {
      const double left = distance<Real>(aim.per_impulse * units.W * units.W);
      if (left <= enough) return End::arrived;
      look_below = change * std::min(0.95, 1.2 * enough / left);
    }
    list.momentum.apply(execution(), change, list.P, {list.velocities(), 8 * list.velocity.size()});
  }
}

// c ← c + ξ − ξ̃, where ξ is in xi_ and ξ̃ is what a sweep computes at the same P. The two then agree at P.
void ColouredSweeps::correct(const Vec& P, Units units) {
  Balls<float>& list = balls<float>();
  take_start<float>(P, units.P());
  parallel_for(execution(), static_cast<int>(list.groups.size()), 64, [&](int first, int last) {
    const int at = BallGroup<float>::numbers * first;
    velocities(&list.groups[first], last - first, list.velocities(), list.P.data() + at);
  });
  constexpr int lanes = Wide<float>::lanes, numbers = BallGroup<float>::numbers;
  each_number<float>([&](int row, int at) {
    float& c = reinterpret_cast<float*>(list.groups[at / numbers].c + at % numbers / lanes)[at % lanes];
    c = static_cast<float>(c + (units.c * xi_[row] - list.P[at]));
  });
}

template <class Real, class F>
void ColouredSweeps::each_number(F&& f) const {
  constexpr int lanes = Wide<Real>::lanes, numbers = BallGroup<Real>::numbers;
  parallel_for(execution(), static_cast<int>(problem_->laws.size()), 1024, [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      const Law& law = problem_->laws[k];
      const int place = place_of_law_[k];
      if (of_balls_[k])
        for (int r = 0; r < 3; ++r) f(law.row + r, numbers * (place / lanes) + lanes * r + place % lanes);
      else
        for (int r = 0; r < law.rows; ++r) f(law.row + r, parts_[place].at + r);
    }
  });
}

template <class Real>
void ColouredSweeps::take_start(const Vec& P, double unit) {
  Balls<Real>& list = balls<Real>();
  each_number<Real>([&](int row, int at) { list.P[at] = static_cast<Real>(unit * P[row]); });
  parallel_for(execution(), static_cast<int>(list.velocity.size()), 1024, [&](int first, int last) {
    std::fill(list.velocity.begin() + first, list.velocity.begin() + last, BodyVelocity<Real>{});
  });
  over_colours(
      [&list](int first, int last) {
        push(&list.groups[first], last - first, list.P.data() + BallGroup<Real>::numbers * first, list.velocities());
        return 0.0;
      },
      [this](const Part& part) {
        push_from(part, balls<double>().P.data() + part.at);
        return 0.0;
      });
}

template <class Real>
void ColouredSweeps::give_result(double unit, Vec& P) {
  const std::vector<Real>& own = balls<Real>().P;
  each_number<Real>([&](int row, int at) { P[row] = unit * own[at]; });
}

// The sum over a colour. Every block has its own sum, so the total does not depend on the number of threads.
template <class OfGroups, class OfPart>
double ColouredSweeps::sum_over(const Colour& colour, OfGroups&& of_groups, OfPart&& of_part) {
  const auto add_up = [&](int first, int last, int in_block, double* sums, auto&& of_range) {
    const int blocks = (last - first + in_block - 1) / in_block;
    parallel_for(execution(), blocks, std::max(4, blocks / (2 * execution().threads())), [&](int from, int to) {
      for (int b = from; b < to; ++b)
        sums[b] = of_range(first + b * in_block, std::min(first + (b + 1) * in_block, last));
    });
    double sum = 0.0;
    for (int b = 0; b < blocks; ++b) sum += sums[b];
    return sum;
  };
  const auto of_parts = [&](int first, int last) {
    double sum = 0.0;
    for (int i = first; i < last; ++i) sum += of_part(parts_[i]);
    return sum;
  };
  double* sums = sums_.data() + colour.first_group + colour.first_part;  // at least as many as there are blocks
  const double balls = add_up(colour.first_group, colour.last_group, groups_in_block, sums, of_groups);
  if (colour.serial) return balls + of_parts(colour.first_part, colour.last_part);
  return balls + add_up(colour.first_part, colour.last_part, parts_in_block, sums, of_parts);
}

template <class OfGroups, class OfPart>
double ColouredSweeps::over_colours(OfGroups&& of_groups, OfPart&& of_part) {
  of_region_.assign(regions_ + 1, 0.0);
  const auto go_through = [&](int first, int last) {
    for (int region = first; region < last; ++region)
      for (const Colour& colour : colours_[region]) of_region_[region] += sum_over(colour, of_groups, of_part);
  };
  if (regions_ < execution().threads())
    go_through(0, regions_);
  else
    parallel_for(execution(), regions_, std::max(1, regions_ / (2 * execution().threads())), go_through);
  go_through(regions_, regions_ + 1);
  return std::accumulate(of_region_.begin(), of_region_.end(), 0.0);
}

template <class Real>
double ColouredSweeps::one_sweep() {
  Balls<Real>& list = balls<Real>();
  return std::sqrt(over_colours(
      [&list](int first, int last) {
        Real* P = list.P.data() + BallGroup<Real>::numbers * first;
        return tappet::visit(&list.groups[first], last - first, list.velocities(), P);
      },
      [this](const Part& part) { return visit(part); }));
}

template <class Real>
double ColouredSweeps::distance(double per_impulse) {
  Balls<Real>& list = balls<Real>();
  const auto of_groups = [&](int first, int last) {
    const Real *P = list.P.data() + BallGroup<Real>::numbers * first, *v = list.velocities();
    return squared_distance(&list.groups[first], last - first, v, P, static_cast<Real>(per_impulse));
  };
  Colour all{};
  all.last_group = static_cast<int>(list.groups.size()), all.last_part = static_cast<int>(parts_.size());
  return std::sqrt(sum_over(all, of_groups, [&](const Part& part) { return squared_distance_of(part, per_impulse); }));
}

}  // namespace tappet
