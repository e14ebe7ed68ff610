// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>

namespace tappet {

// A search for the least value of a function of numbers between 0 and 1, by methods of the library NLopt.
struct NloptSearch {
  enum class Method {
    trust_region,  // BOBYQA
    nelder_mead,
    slopes,  // SLSQP, which needs the derivatives
  };
  Method method = Method::trust_region;
  double tolerance = 1e-6;  // of the numbers
  int most_runs = 500;
  double first_step = 0.2;  // of the methods without derivatives

  // The value at x. `slopes` is null, or receives the derivatives. Exceptions end the search and come out of run().
  using Function = std::function<double(const Eigen::VectorXd& x, Eigen::VectorXd* slopes)>;
  // From x to the best place. Returns why it ended early; empty if it converged.
  std::string run(const Function& function, Eigen::VectorXd& x) const;
};

NloptSearch::Method nlopt_method(const std::string& name);  // "trust-region" or "nelder-mead"

}  // namespace tappet
