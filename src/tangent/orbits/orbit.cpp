// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/orbits/orbit.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

namespace tappet {

// A = U S Vᵀ with rank r has the same eigenvalues other than zero as the r × r matrix S Vᵀ U, and 0 otherwise. That
// matrix may be singular again.
std::vector<std::complex<double>> multipliers_of(const Eigen::MatrixXd& A) {
  constexpr double lost = 1e-9;  // relative to the largest singular value
  const auto n = A.rows();
  if (n == 0) return {};
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const auto& s = svd.singularValues();
  Eigen::Index r = 0;
  while (r < n && s[r] > lost * s[0]) ++r;
  std::vector<std::complex<double>> found;
  if (r < n) {
    found = multipliers_of(s.head(r).asDiagonal() * svd.matrixV().leftCols(r).transpose() * svd.matrixU().leftCols(r));
    found.resize(n, 0.0);
  } else {
    const Eigen::VectorXcd values = A.eigenvalues();
    found.assign(values.begin(), values.end());
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  return found;
}

OrbitEquations::OrbitEquations(const Return& back, const ReturnRule& rule)
    : forced_(rule.forced()), symmetric_(!rule.mirrored.empty()), all_(static_cast<int>(back.by_start.rows())) {
  constexpr double only_shifts = 1e-10;
  for (int i = 0; i < all_; ++i) {
    const bool position = i < all_ / 2;
    const double change = (back.by_start.col(i) - Eigen::VectorXd::Unit(all_, i)).norm();
    (position && change < only_shifts ? cyclic_ : kept_).push_back(i);
  }
}

Eigen::MatrixXd OrbitEquations::kept_part(const Eigen::MatrixXd& monodromy) const { return monodromy(kept_, kept_); }

Eigen::VectorXd OrbitEquations::residual(const Return& back) const {
  Eigen::VectorXd all(size());
  all.head(kept_.size()) = back.difference(kept_);
  if (!forced_) all[size() - 1] = back.section_value;
  return all;
}

Eigen::MatrixXd OrbitEquations::slopes(const Return& back) const {
  const auto m = static_cast<int>(kept_.size());
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(size(), size());
  all.topLeftCorner(m, m) = kept_part(back.by_start) - Eigen::MatrixXd::Identity(m, m);
  if (!forced_) all.col(m).head(m) = back.rate(kept_), all.row(m).head(m) = back.section_row(kept_);
  return all;
}

Eigen::VectorXd OrbitEquations::by_parameter(const Return& back) const {
  Eigen::VectorXd all(size());
  all.head(kept_.size()) = back.by_parameter(kept_);
  if (!forced_) all[size() - 1] = back.section_by_parameter;
  return all;
}

Eigen::VectorXd OrbitEquations::expanded(const Eigen::VectorXd& unknowns) const {
  Eigen::VectorXd all = Eigen::VectorXd::Zero(all_);
  all(kept_) = unknowns.head(kept_.size());
  return all;
}

Orbit OrbitEquations::orbit(const State& start, const Return& back) const {
  Orbit orbit;
  orbit.start = start, orbit.back = back, orbit.cyclic = cyclic_, orbit.symmetric = symmetric_;
  std::vector<std::complex<double>> found = multipliers_of(kept_part(back.by_start));
  if (symmetric_)
    for (auto& one : found) one *= one;  // two halves
  std::vector<std::complex<double>> own = found;
  if (!forced_)
    own.erase(std::min_element(own.begin(), own.end(),
                               [](const auto& a, const auto& b) { return std::abs(a - 1.0) < std::abs(b - 1.0); }));
  for (const auto& one : own) orbit.largest = std::max(orbit.largest, std::abs(one));
  found.insert(found.end(), cyclic_.size(), 1.0);
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  orbit.multipliers = std::move(found);
  orbit.residual = residual(back).cwiseAbs().maxCoeff();
  return orbit;
}

namespace {

// The last Newton step is judged relative to the size of the start and of what the motion does.
double size_of(const State& start) {
  double largest = 1e-3;
  for (const double x : start.q) largest = std::max(largest, std::abs(x));
  for (const double x : start.u) largest = std::max(largest, std::abs(x));
  return largest;
}

// In one piece or, if that does not succeed, in several.
Orbit orbit_from(ReturnMap& map, const ReturnRule& rule, const State& start) {
  if (rule.pieces) return find_orbit_in_pieces(map, rule, start);
  std::string first;
  try {
    return find_orbit(map, rule, start);
  } catch (const std::runtime_error& error) {
    first = error.what();
  }
  try {
    return find_orbit_in_pieces(map, rule, start);
  } catch (const std::runtime_error&) {
    throw std::runtime_error(first);
  }
}

// A motion whose state comes back goes on differently if a force depends on time and has not come back too.
void require_repeating(ReturnMap& map, const ReturnRule& rule, const Orbit& orbit) {
  constexpr double repeats = 1e-6;
  State again = map.mirrored(orbit.back.end);
  again.t = orbit.start.t + orbit.back.period;
  const State end = map.piece(again, again.t + orbit.back.period).end;
  Eigen::VectorXd apart = map.displacement(again, map.mirrored(end));
  for (const int i : orbit.cyclic) apart[i] = 0;
  const double off = apart.cwiseAbs().maxCoeff();
  if (off <= repeats * size_of(orbit.start) * std::max(1.0, orbit.largest)) return;
  throw std::runtime_error(fmt::format(
      "the motion comes back after {:.9g} s, but does not repeat: after another {:.9g} s it is {:.3g} away, because a "
      "force depends on time; expected {}",
      orbit.back.period, orbit.back.period, off,
      rule.forced() ? fmt::format("--period with the period of the force, found {}", rule.period)
                    : "--period instead of --section"));
}

}  // namespace

Orbit find_orbit(const ModelSource& source, const ReturnRule& rule, int settle) {
  ReturnMap map(source, rule);
  const int returns = rule.forced() ? settle : std::max(settle, 1);  // one leads onto the section
  const State start = map.settled(map.system().initial(), returns);
  const Orbit found = orbit_from(map, rule, start);
  require_repeating(map, rule, found);
  return found;
}

Orbit find_orbit(ReturnMap& map, const ReturnRule& rule, State start) {
  constexpr int most = 30;
  constexpr double converged = 1e-11, lost = 1e6;
  Return back = map.from(start);
  const OrbitEquations equations(back, rule);
  double best = equations.residual(back).cwiseAbs().maxCoeff();
  for (int iteration = 1; iteration <= most; ++iteration) {
    const Eigen::VectorXd step =
        equations.slopes(back).completeOrthogonalDecomposition().solve(-equations.residual(back));
    const double size = equations.expanded(step).cwiseAbs().maxCoeff(), scale = size_of(start);
    if (!(size < lost * scale)) break;
    start = map.moved(start, equations.expanded(step));
    back = map.from(start);
    best = std::min(best, equations.residual(back).cwiseAbs().maxCoeff());
    if (size > converged * scale) continue;
    Orbit orbit = equations.orbit(start, back);
    orbit.iterations = iteration;
    return orbit;
  }
  throw std::runtime_error(fmt::format(
      "no orbit was found: start and end differ by {:.3g} at best, after {} steps of Newton's method; expected a start "
      "nearer to an orbit, or more returns to settle on one that attracts",
      best, most));
}

}  // namespace tappet
