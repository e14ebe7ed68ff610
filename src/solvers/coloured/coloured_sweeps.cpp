// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/coloured/coloured_sweeps.h"

#include <algorithm>
#include <cmath>
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
  problem_ = &problem, c_ = &problem.c;
  lay_out(problem);
  const double rho_inverse = velocity_per_impulse(problem);
  const double enough = 0.95 * tolerance * scale(problem, rho_inverse);
  const Deadline deadline(options_.budget_s);
  SolveReport report{SolveStatus::not_converged, 0, HUGE_VAL};
  const auto over = [&] {
    return report.iterations >= sweeps || (report.iterations % 64 == 0 && deadline.passed()) ||
           (report.iterations == ask_after && end_here());
  };
  Vec& xi = P_;                                  // between sweeps P_ is free
  if (tolerance < rounded && !quads_.empty()) {  // the start may already be good enough
    respond(problem, P, xi);
    correct(P);
  }
  while (true) {
    take_start(P);
    const bool arrived = sweep_until(enough, rho_inverse, over, report);
    give_result(P);
    const double before = report.residual;
    respond(problem, P, xi);
    report.residual = residual(problem, rho_inverse, P, xi);
    // If the sweeps have converged but the residual is too large, the difference comes from the rounding of W.
    if (report.residual <= tolerance || !arrived || quads_.empty() || report.residual > 0.5 * before) break;
    correct(P);
  }
  report.status = report.residual <= tolerance ? SolveStatus::converged : SolveStatus::not_converged;
  return report;
}

// Returns true if the point is near enough, as far as the sweeps can tell.
template <class Over>
bool ColouredSweeps::sweep_until(double enough, double rho_inverse, const Over& over, SolveReport& report) {
  momentum_.start();
  // The distance costs most of a sweep, so it is only computed if the changes within a sweep suggest that it may be
  // small enough.
  double look_below = 3.0 * enough;
  while (true) {
    const double change = one_sweep();
    ++report.iterations;
    if (change == 0.0) return true;
    if (!std::isfinite(change) || over()) return false;
    if (change <= look_below) {
      const double left = distance(rho_inverse);
      if (left <= enough) return true;
      look_below = change * std::min(0.95, 1.2 * enough / left);
    }
    momentum_.apply(execution(), change, P_, {velocities(), 8 * velocity_.size()});
  }
}

// c ← c + ξ − ξ̃, where ξ is in P_ and ξ̃ is what a sweep computes at the same P. The two then agree at P. Around P
// they differ by a millionth of the remaining change.
void ColouredSweeps::correct(const Vec& P) {
  std::swap(P_, xi_);
  take_start(P);
  Vec& seen = P_;
  parallel_for(execution(), static_cast<int>(quads_.size()), 64, [&](int first, int last) {
    tappet::velocities(&quads_[first], last - first, velocities(), seen.data() + 12 * first);
  });
  for (const Part& part : parts_) velocity_of(part, seen.data() + part.at);
  if (c_ != &corrected_) corrected_ = problem_->c, c_ = &corrected_;
  const int lanes = 12 * static_cast<int>(quads_.size());
  each_number([&](int row, int at) {
    corrected_[row] += xi_[row] - seen[at];
    if (at < lanes) quads_[at / 12].c[at % 12 / 4][at % 4] = corrected_[row];
  });
}

template <class F>
void ColouredSweeps::each_number(F&& f) const {
  parallel_for(execution(), static_cast<int>(problem_->laws.size()), 1024, [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      const Law& law = problem_->laws[k];
      const int place = place_of_law_[k];
      if (of_balls_[k])
        for (int r = 0; r < 3; ++r) f(law.row + r, 12 * (place / 4) + 4 * r + place % 4);
      else
        for (int r = 0; r < law.rows; ++r) f(law.row + r, parts_[place].at + r);
    }
  });
}

void ColouredSweeps::take_start(const Vec& P) {
  P_.resize(numbers_);
  for (const auto& list : colours_)
    for (const Colour& colour : list)
      if (colour.lanes % 4 != 0) std::fill_n(P_.begin() + 12 * (colour.last_quad - 1), 12, 0.0);
  each_number([&](int row, int at) { P_[at] = P[row]; });
  parallel_for(execution(), static_cast<int>(velocity_.size()), 1024, [&](int first, int last) {
    std::fill(velocity_.begin() + first, velocity_.begin() + last, BodyVelocity{});
  });
  over_colours(
      [this](int first, int last) {
        push(&quads_[first], last - first, P_.data() + 12 * first, velocities());
        return 0.0;
      },
      [this](const Part& part) {
        push_from(part, P_.data() + part.at);
        return 0.0;
      });
}

void ColouredSweeps::give_result(Vec& P) const {
  each_number([&](int row, int at) { P[row] = P_[at]; });
}

// The sum over a colour. Every block has its own sum, so the total does not depend on the number of threads.
template <class OfQuads, class OfPart>
double ColouredSweeps::sum_over(const Colour& colour, OfQuads&& of_quads, OfPart&& of_part) {
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
  double* sums = sums_.data() + colour.first_quad + colour.first_part;  // at least as many as there are blocks
  const double balls = add_up(colour.first_quad, colour.last_quad, quads_in_block, sums, of_quads);
  if (colour.serial) return balls + of_parts(colour.first_part, colour.last_part);
  return balls + add_up(colour.first_part, colour.last_part, parts_in_block, sums, of_parts);
}

template <class OfQuads, class OfPart>
double ColouredSweeps::over_colours(OfQuads&& of_quads, OfPart&& of_part) {
  of_region_.assign(regions_ + 1, 0.0);
  const auto go_through = [&](int first, int last) {
    for (int region = first; region < last; ++region)
      for (const Colour& colour : colours_[region]) of_region_[region] += sum_over(colour, of_quads, of_part);
  };
  if (regions_ < execution().threads())
    go_through(0, regions_);
  else
    parallel_for(execution(), regions_, std::max(1, regions_ / (2 * execution().threads())), go_through);
  go_through(regions_, regions_ + 1);
  return std::accumulate(of_region_.begin(), of_region_.end(), 0.0);
}

double ColouredSweeps::one_sweep() {
  return std::sqrt(over_colours(
      [this](int first, int last) {
        return tappet::visit(&quads_[first], last - first, velocities(), P_.data() + 12 * first);
      },
      [this](const Part& part) { return visit(part); }));
}

double ColouredSweeps::distance(double rho_inverse) {
  const auto of_quads = [&](int first, int last) {
    return squared_distance(&quads_[first], last - first, velocities(), P_.data() + 12 * first, rho_inverse);
  };
  const Colour all{0, static_cast<int>(quads_.size()), 0, 0, static_cast<int>(parts_.size()), false};
  return std::sqrt(sum_over(all, of_quads, [&](const Part& part) { return squared_distance_of(part, rho_inverse); }));
}

}  // namespace tappet
