// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/path/last_change.h"

#include <gtest/gtest.h>

#include "problems.h"
#include "solvers/support.h"

namespace tappet {

namespace {

// Contacts without friction that all press under P*: r = ξ = G (P − P*) near P*.
struct AtRest {
  ContactProblem problem = test::random_problem(7, 12, {}, {1, 1, 1, 1, 1, 1}, 0.0);
  Vec P_star{2.0, 0.3, 0.2, 1.5, 0.1, 0.4};

  AtRest() {
    problem.c.assign(6, 0.0);
    problem.G.multiply(P_star, problem.c);
    for (double& c : problem.c) c = -c;
  }
  Vec beside(double factor) const {
    const Vec p{1e-4, 2e-5, -3e-5, -2e-4, 4e-5, 1e-5};
    Vec P = P_star;
    for (int i = 0; i < P.size(); ++i) P[i] += factor * p[i];
    return P;
  }
  Vec residuals(const Vec& P) const {
    Vec xi, r;
    respond(problem, P, xi);
    LastChange::residuals(problem, P, xi, r);
    return r;
  }
};

}  // namespace

// The impulses of a stack at rest that was corrected go 1, −2, 1 beside those of the balance.
TEST(last_change, impulses_return_to_the_balance_along_the_line_on_which_they_left_it) {
  const AtRest at_rest;
  const Vec first = at_rest.beside(1.0), second = at_rest.beside(-2.0), third = at_rest.beside(1.0);
  LastChange change;
  Vec predicted;
  EXPECT_FALSE(change.predict(third, at_rest.residuals(third), predicted));
  change.learn(first, at_rest.residuals(first), second, at_rest.residuals(second));
  ASSERT_TRUE(change.predict(third, at_rest.residuals(third), predicted));
  for (int i = 0; i < predicted.size(); ++i) EXPECT_NEAR(predicted[i], at_rest.P_star[i], 1e-12);
  change.forget();
  EXPECT_FALSE(change.predict(third, at_rest.residuals(third), predicted));
}

// ‖r‖ is the numerator of residual().
TEST(last_change, its_residuals_are_those_of_the_judge) {
  const AtRest at_rest;
  for (double factor : {1.0, 1e4, -3e4}) {
    const Vec P = at_rest.beside(factor), r = at_rest.residuals(P);
    const double e = residual(at_rest.problem, P);
    EXPECT_NEAR(r.eigen().norm() / at_rest.problem.c.eigen().norm(), e, 1e-12 * e);
  }
}

// If the error is another one, nothing is gained.
TEST(last_change, an_error_across_the_line_is_left_to_others) {
  const AtRest at_rest;
  const Vec first = at_rest.beside(1.0), second = at_rest.beside(-2.0);
  const Vec along = at_rest.residuals(first);
  Vec across{1.0, 0.0, 0.0, 0.0, 0.0, 0.0}, predicted;
  across.eigen() -= across.eigen().dot(along.eigen()) / along.eigen().squaredNorm() * along.eigen();
  LastChange change;
  change.learn(first, along, second, at_rest.residuals(second));
  EXPECT_FALSE(change.predict(first, across, predicted));
}

}  // namespace tappet
