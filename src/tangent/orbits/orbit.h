// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "tangent/orbits/return_map.h"

namespace tappet {

// A periodic motion: its start, and how neighbouring motions approach or leave it.
struct Orbit {
  State start;
  Return back;
  std::vector<int> cyclic;  // positions that do not come back, because nothing depends on them
  // Floquet's multipliers: by these factors deviations grow in one period. They are sorted by size. If the motion is
  // not forced in time, one is 1, for a shift along the orbit; for each cyclic position there is another one.
  std::vector<std::complex<double>> multipliers;
  double residual = 0;  // of the last Newton step: the largest difference between start and end
  int iterations = 0;

  bool symmetric = false;  // `back` is half of it

  double period() const { return (symmetric ? 2 : 1) * back.period; }
  bool stable() const { return largest < 1; }
  double largest = 0;  // of the sizes of all multipliers but those that are 1 anyway
};

// The eigenvalues of a square matrix. Those that are zero because the matrix is singular are found as zeros: plastic
// impacts and sticking remove directions for good.
std::vector<std::complex<double>> multipliers_of(const Eigen::MatrixXd& A);

// Newton's method on the return map. `settle` is the number of returns that are only run at first, which leads to an
// orbit that attracts. Throws std::runtime_error with the best that was found if there is no orbit near the start.
Orbit find_orbit(const ModelSource& source, const ReturnRule& rule, int settle = 0);
// The same from a state at the phase of the rule, or on the section.
Orbit find_orbit(ReturnMap& map, const ReturnRule& rule, State start);
// Multiple shooting: the motion is cut where it is quiet, between its events, and Newton's method closes all pieces at
// once. It finds orbits from farther away if deviations grow much in one period. Throws as find_orbit() does.
Orbit find_orbit_in_pieces(ReturnMap& map, const ReturnRule& rule, State start);

// What is needed to solve for an orbit: the places of its unknowns, and the linear equations of one Newton step.
class OrbitEquations {
 public:
  // From the first return: positions whose shift only shifts the motion are cyclic.
  OrbitEquations(const Return& back, const ReturnRule& rule);

  const std::vector<int>& cyclic() const { return cyclic_; }
  const std::vector<int>& kept() const { return kept_; }  // the other numbers of (w, v)
  bool forced() const { return forced_; }
  int size() const { return static_cast<int>(kept_.size()) + (forced_ ? 0 : 1); }  // with the period if it is free

  // Residual, slopes by the unknowns, and slope by the parameter.
  Eigen::VectorXd residual(const Return& back) const;
  Eigen::MatrixXd slopes(const Return& back) const;
  Eigen::VectorXd by_parameter(const Return& back) const;
  Eigen::VectorXd expanded(const Eigen::VectorXd& unknowns) const;  // to all 2n numbers

  // Everything about an orbit that has been found.
  Orbit orbit(const State& start, const Return& back) const;
  Eigen::MatrixXd kept_part(const Eigen::MatrixXd& monodromy) const;

 private:
  bool forced_, symmetric_;
  int all_;
  std::vector<int> cyclic_, kept_;
};

}  // namespace tappet
