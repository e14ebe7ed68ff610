// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/search/nlopt_search.h"

#include <fmt/format.h>
#include <nlopt.h>

#include <exception>
#include <limits>
#include <memory>

namespace tappet {

namespace {

// NLopt is a C library: exceptions must not pass through it. The first one is kept, and thrown again afterwards.
struct Objective {
  const NloptSearch::Function& function;
  nlopt_opt optimiser = nullptr;
  std::exception_ptr failure = nullptr;

  static double value(unsigned n, const double* x, double* slopes, void* data) {
    auto& self = *static_cast<Objective*>(data);
    const Eigen::VectorXd at = Eigen::Map<const Eigen::VectorXd>(x, n);
    Eigen::VectorXd found;
    try {
      const double value = self.function(at, slopes ? &found : nullptr);
      if (slopes) Eigen::Map<Eigen::VectorXd>(slopes, n) = found;
      return value;
    } catch (...) {
      self.failure = std::current_exception();
      nlopt_force_stop(self.optimiser);
      if (slopes) Eigen::Map<Eigen::VectorXd>(slopes, n).setZero();
      return std::numeric_limits<double>::max();
    }
  }
};

nlopt_algorithm algorithm(NloptSearch::Method method) {
  if (method == NloptSearch::Method::slopes) return NLOPT_LD_SLSQP;
  return method == NloptSearch::Method::nelder_mead ? NLOPT_LN_NELDERMEAD : NLOPT_LN_BOBYQA;
}

}  // namespace

NloptSearch::Method nlopt_method(const std::string& name) {
  return name == "nelder-mead" ? NloptSearch::Method::nelder_mead : NloptSearch::Method::trust_region;
}

std::string NloptSearch::run(const Function& function, Eigen::VectorXd& x) const {
  const auto n = static_cast<unsigned>(x.size());
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimiser(nlopt_create(algorithm(method), n), nlopt_destroy);
  Objective objective{function, optimiser.get()};
  nlopt_set_min_objective(optimiser.get(), Objective::value, &objective);
  nlopt_set_lower_bounds1(optimiser.get(), 0.0);
  nlopt_set_upper_bounds1(optimiser.get(), 1.0);
  nlopt_set_initial_step1(optimiser.get(), first_step);
  nlopt_set_xtol_abs1(optimiser.get(), tolerance);
  nlopt_set_maxeval(optimiser.get(), most_runs);
  double least = 0;
  const nlopt_result result = nlopt_optimize(optimiser.get(), x.data(), &least);
  if (objective.failure) std::rethrow_exception(objective.failure);
  if (result == NLOPT_MAXEVAL_REACHED)
    return fmt::format("not converged after {} runs; expected a larger `most:`, or narrower bounds", most_runs);
  if (result < 0 && result != NLOPT_ROUNDOFF_LIMITED) return "the method of NLopt failed";
  return {};
}

}  // namespace tappet
