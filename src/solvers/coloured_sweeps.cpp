// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/coloured_sweeps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/parallel.h"
#include "solvers/local.h"
#include "solvers/support.h"

namespace tappet {

namespace {

// Rows over the velocities of one or two bodies.
template <int rows, int bodies>
void add_rates(const double* w, const double* v_A, const double* v_B, double* xi) {
  for (int r = 0; r < rows; ++r, w += bodies * 6) {
    double sum = xi[r];
    for (int i = 0; i < 3; ++i) sum += w[i] * v_A[i] + w[3 + i] * v_A[4 + i];
    if constexpr (bodies == 2)
      for (int i = 0; i < 3; ++i) sum += w[6 + i] * v_B[i] + w[9 + i] * v_B[4 + i];
    xi[r] = sum;
  }
}

template <int rows, int bodies>
void add_push(const double* y, const double* dP, double* v_A, double* v_B) {
  for (int r = 0; r < rows; ++r, y += bodies * 6)
    for (int i = 0; i < 3; ++i) {
      v_A[i] += y[i] * dP[r], v_A[4 + i] += y[3 + i] * dP[r];
      if constexpr (bodies == 2) v_B[i] += y[6 + i] * dP[r], v_B[4 + i] += y[9 + i] * dP[r];
    }
}

// One contact alone from ξ at the present P: stick where that lies in the cone, else one step of the prox iteration,
// normal first; a sweep need not be more exact than the next one.
void solve_spatial(const double* G, const double* inverse, double mu, const double* xi, const double* P,
                   double* P_new) {
  for (int i = 0; i < 3; ++i) P_new[i] = P[i] - inverse[i] * xi[0] - inverse[3 + i] * xi[1] - inverse[6 + i] * xi[2];
  const auto outside = [&] { return P_new[1] * P_new[1] + P_new[2] * P_new[2] > mu * mu * P_new[0] * P_new[0]; };
  if (P_new[0] >= 0.0 && !outside()) return;
  P_new[0] = std::max(0.0, P[0] - xi[0] / G[0]);
  const double dN = P_new[0] - P[0], step = 1.0 / (std::max(G[4], G[8]) + std::abs(G[5]));
  P_new[1] = P[1] - step * (xi[1] + G[1] * dN), P_new[2] = P[2] - step * (xi[2] + G[2] * dN);
  if (!outside()) return;
  const double scale = mu * P_new[0] / std::sqrt(P_new[1] * P_new[1] + P_new[2] * P_new[2]);
  P_new[1] *= scale, P_new[2] *= scale;
}

double* values(std::vector<BodyVelocity>& velocity) { return velocity.data()->value; }
const double* values(const std::vector<BodyVelocity>& velocity) { return velocity.data()->value; }

}  // namespace

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
  Vec& xi = P_;                                  // between sweeps
  if (tolerance < rounded && !quads_.empty()) {  // the start may be as good as asked for
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
    // Where the sweeps were content and the judge is not, the rounding of W makes the difference.
    if (report.residual <= tolerance || !arrived || quads_.empty() || report.residual > 0.5 * before) break;
    correct(P);
  }
  report.status = report.residual <= tolerance ? SolveStatus::converged : SolveStatus::not_converged;
  return report;
}

// True: near enough, as far as the sweeps can tell.
template <class Over>
bool ColouredSweeps::sweep_until(double enough, double rho_inverse, const Over& over, SolveReport& report) {
  momentum_.start();
  // The distance costs most of a sweep: looked at where the changes within a sweep say that it may be small enough.
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
    momentum_.apply(change, P_, {values(velocity_), 8 * velocity_.size()});
  }
}

// c ← c + ξ − ξ̃ with ξ in P_ and ξ̃ what a sweep sees of it at the same P. The two then agree at P, and around it but
// for a millionth of what is still to change.
void ColouredSweeps::correct(const Vec& P) {
  std::swap(P_, xi_);
  take_start(P);
  Vec& seen = P_;
  parallel_for(static_cast<int>(quads_.size()), 64, [&](int first, int last) {
    velocities(&quads_[first], last - first, values(velocity_), seen.data() + 12 * first);
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
  parallel_for(static_cast<int>(problem_->laws.size()), 1024, [&](int first, int last) {
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
  parallel_for(static_cast<int>(velocity_.size()), 1024, [&](int first, int last) {
    std::fill(velocity_.begin() + first, velocity_.begin() + last, BodyVelocity{});
  });
  over_colours(
      [this](int first, int last) {
        push(&quads_[first], last - first, P_.data() + 12 * first, values(velocity_));
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

void ColouredSweeps::velocity_of(const Part& part, double* xi) const {
  const BlockRows& W = problem_->G.W();
  const double *c = c_->data() + part.row, *w = W.values(part.law), *v = values(velocity_);
  if (part.kind == Part::Kind::general) {
    const auto columns = W.columns(part.law);
    for (int r = 0; r < problem_->laws[part.law].rows; ++r, w += columns.size()) {
      xi[r] = c[r];
      for (size_t a = 0; a < columns.size(); ++a) xi[r] += w[a] * v[place_[columns[a]]];
    }
    return;
  }
  double A[8], B[8];
  const double *v_A = in_own_frame(part.A, A), *v_B = in_own_frame(std::max(part.B, 0), B);
  if (part.kind == Part::Kind::normal) {
    xi[0] = c[0];
    part.B < 0 ? add_rates<1, 1>(w, v_A, v_B, xi) : add_rates<1, 2>(w, v_A, v_B, xi);
  } else {
    xi[0] = c[0], xi[1] = c[1], xi[2] = c[2];
    part.B < 0 ? add_rates<3, 1>(w, v_A, v_B, xi) : add_rates<3, 2>(w, v_A, v_B, xi);
  }
}

void ColouredSweeps::push_from(const Part& part, const double* dP) {
  const BlockRows& Y = problem_->G.Y();
  const double* y = Y.values(part.law);
  double* v = values(velocity_);
  if (part.kind == Part::Kind::general) {
    const auto columns = Y.columns(part.law);
    for (int r = 0; r < problem_->laws[part.law].rows; ++r, y += columns.size())
      for (size_t a = 0; a < columns.size(); ++a) v[place_[columns[a]]] += y[a] * dP[r];
    return;
  }
  double A[8] = {}, B[8] = {};
  const bool turned_A = is_turned(part.A), turned_B = part.B >= 0 && is_turned(part.B);
  double *v_A = turned_A ? A : v + 8 * part.A, *v_B = turned_B ? B : v + 8 * std::max(part.B, 0);
  if (part.kind == Part::Kind::normal)
    part.B < 0 ? add_push<1, 1>(y, dP, v_A, v_B) : add_push<1, 2>(y, dP, v_A, v_B);
  else
    part.B < 0 ? add_push<3, 1>(y, dP, v_A, v_B) : add_push<3, 2>(y, dP, v_A, v_B);
  if (turned_A) add_turned(part.A, A);
  if (turned_B) add_turned(part.B, B);
}

const double* ColouredSweeps::in_own_frame(int body, double* line) const {
  const double* v = velocity_[body].value;
  if (!is_turned(body)) return v;
  const Frame& R = frames_[body];
  for (int i = 0; i < 3; ++i) {
    line[i] = v[i];
    line[4 + i] = R[i] * v[4] + R[3 + i] * v[5] + R[6 + i] * v[6];
  }
  return line;
}

void ColouredSweeps::add_turned(int body, const double* line) {
  double* v = velocity_[body].value;
  const Frame& R = frames_[body];
  for (int i = 0; i < 3; ++i) {
    v[i] += line[i];
    v[4 + i] += R[3 * i] * line[4] + R[3 * i + 1] * line[5] + R[3 * i + 2] * line[6];
  }
}

double ColouredSweeps::visit(const Part& part) {
  if (part.kind == Part::Kind::general) return visit_general(part);
  const double* P = P_.data() + part.at;
  double xi[3], P_new[3], dP[3];
  velocity_of(part, xi);
  if (part.kind == Part::Kind::spatial) {
    solve_spatial(part.G, part.inverse, part.mu, xi, P, P_new);
    return finish(part, part.G, 4, P_new, dP);
  }
  P_new[0] = part.G[0] > 0.0 ? std::max(0.0, P[0] - xi[0] / part.G[0]) : 0.0;
  return finish(part, part.G, 0, P_new, dP);
}

double ColouredSweeps::visit_general(const Part& part) {
  const Law& law = problem_->laws[part.law];
  const int rows = law.rows;
  thread_local std::vector<double> scratch;
  scratch.resize(rows * (2 * rows + 3));
  double *xi = scratch.data(), *P_new = xi + rows, *dP = P_new + rows, *G = dP + rows, *copy = G + rows * rows;
  const double* P = P_.data() + part.at;
  velocity_of(part, xi);
  problem_->G.diagonal_block(part.row, rows, G);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j) xi[i] -= G[j * rows + i] * P[j];
  if (law.kind == Law::Kind::contact) {
    solve_contact(rows, law.mu, G, rows, xi, P_new);
  } else {
    std::copy_n(G, rows * rows, copy);
    solve_joint(rows, copy, xi, P_new);
  }
  return finish(part, G, rows + 1, P_new, dP);
}

// P ← P_new, and the bodies move; G: from one entry of the diagonal to the next `stride` numbers.
double ColouredSweeps::finish(const Part& part, const double* G, int stride, const double* P_new, double* dP) {
  double square = 0.0;
  for (int i = 0; i < problem_->laws[part.law].rows; ++i) {
    dP[i] = P_new[i] - P_[part.at + i];
    P_[part.at + i] = P_new[i];
    const double change = G[i * stride] * dP[i];
    square += change * change;
  }
  if (square > 0.0) push_from(part, dP);
  return square;
}

// Σ over a colour. Every block has its own sum, so that the total does not depend on the threads.
template <class OfQuads, class OfPart>
double ColouredSweeps::sum_over(const Colour& colour, OfQuads&& of_quads, OfPart&& of_part) {
  const auto add_up = [&](int first, int last, int in_block, double* sums, auto&& of_range) {
    const int blocks = (last - first + in_block - 1) / in_block;
    parallel_for(blocks, std::max(4, blocks / (2 * threads())), [&](int from, int to) {
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
  double* sums = sums_.data() + colour.first_quad + colour.first_part;  // at least as many as blocks
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
  if (regions_ < threads())
    go_through(0, regions_);
  else
    parallel_for(regions_, std::max(1, regions_ / (2 * threads())), go_through);
  go_through(regions_, regions_ + 1);
  return std::accumulate(of_region_.begin(), of_region_.end(), 0.0);
}

double ColouredSweeps::one_sweep() {
  return std::sqrt(over_colours(
      [this](int first, int last) {
        return tappet::visit(&quads_[first], last - first, values(velocity_), P_.data() + 12 * first);
      },
      [this](const Part& part) { return visit(part); }));
}

double ColouredSweeps::distance(double rho_inverse) {
  const auto of_quads = [&](int first, int last) {
    return squared_distance(&quads_[first], last - first, values(velocity_), P_.data() + 12 * first, rho_inverse);
  };
  const Colour all{0, static_cast<int>(quads_.size()), 0, 0, static_cast<int>(parts_.size()), false};
  return std::sqrt(sum_over(all, of_quads, [&](const Part& part) { return squared_distance_of(part, rho_inverse); }));
}

double ColouredSweeps::squared_distance_of(const Part& part, double rho_inverse) const {
  const Law& law = problem_->laws[part.law];
  thread_local std::vector<double> xi;
  xi.resize(law.rows);
  velocity_of(part, xi.data());
  return squared_distance(*problem_, law, rho_inverse, P_.data() + part.at, xi.data());
}

}  // namespace tappet
