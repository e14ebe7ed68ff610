// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/delassus.h>
#include <tappet/describe.h>

#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tappet {

// The contact problem: find P with ξ = G P + c and −ξ ∈ N_C(P) for each group of rows (Law). G = Wᵀ M̂⁻¹ W is the
// Delassus operator, and c = Wᵀ u_free + b. The velocities are u = u_free + M̂⁻¹ W P. The laws cover the rows 0 … size −
// 1 without gaps, in order.
struct ContactProblem {
  Delassus G;
  Vec c;
  Laws laws;

  // For a part of a larger problem that is solved separately: the units in which the whole problem is judged,
  // instead of those of the part. 0 means the units of the part.
  double whole_per_impulse = 0.0;  // 1/ρ
  double whole_scale = 0.0;        // its share of ‖c‖ of the whole problem

  int size() const { return c.size(); }
};

inline int contacts(const ContactProblem& problem) {
  int count = 0;
  for (const Law& law : problem.laws) count += law.kind == Law::Kind::contact;
  return count;
}

enum class SolveStatus { converged, not_converged, infeasible, bad_input };

std::string_view name(SolveStatus status);

struct SolveReport {
  SolveStatus status = SolveStatus::converged;
  int iterations = 0;      // of all solvers that were tried, each in its own unit
  double residual = 0.0;   // residual() of the point that was returned
  int solver = 0;          // the solver of a chain that gave the result (0 is the first)
  int factorisations = 0;  // the number of factorisations of matrices of the size of the problem
  int islands = 1;  // the number of islands that were solved separately; iterations are then a mean by rows, rounded up
};

// This function alone judges every solver. It does not depend on units (docs/solvers.md has the definition).
double residual(const ContactProblem& problem, const Vec& P);

// The same if ξ = G P + c is known.
double residual(const ContactProblem& problem, const Vec& P, const Vec& xi);

// The units in which residual() judges: 1/ρ, which converts an impulse of a contact into a velocity; the weight of a
// row of a joint; and the norm of velocities with these weights.
double velocity_per_impulse(const ContactProblem& problem);
double joint_weight(const ContactProblem& problem, double per_impulse, int row);
double norm(const ContactProblem& problem, double per_impulse, const Vec& xi);
double scale(const ContactProblem& problem, double per_impulse);  // ‖c‖, or for a part the share of the whole problem

// residual() if 1/ρ is known too, and the contribution of one law to the square of its numerator.
double residual(const ContactProblem& problem, double per_impulse, const Vec& P, const Vec& xi);
double squared_distance(const ContactProblem& problem, const Law& law, double per_impulse, const double* P,
                        const double* xi);

// Describes what is wrong with a problem (sizes, laws, numbers that are not finite); empty if nothing is. The text
// names the row or law and what was expected.
std::string fault(const ContactProblem& problem);

// Takes P as the warm start and leaves the best point that was found in it. If P is zero or has another size than the
// problem, it is a cold start. Bad input is a status and not an exception. Its text is that of fault().
// examples/own_solver is a solver outside the library.
struct ContactSolver {
  virtual ~ContactSolver() = default;
  virtual SolveReport solve(const ContactProblem& problem, Vec& P) = 0;
  // From here on, the solver gives the same bits as a new one. It drops factors and whatever else it keeps from
  // earlier problems in order to save time.
  virtual void forget() {}
  // The form of G that this solver needs, for a problem with these numbers of rows and of velocities that the contacts
  // act on.
  virtual Delassus::Form form(int rows, int /*velocities*/) const { return Delassus::form_of(rows); }
};

struct SolverOptions {
  double tolerance = 1e-8;  // of residual(); small problems end at round-off in any case
  int max_iterations = 0;   // in the unit of the solver; 0 for its default
  double budget_s = 60.0;   // no solver continues after this time
  int facets = 8;           // only for `lemke`: edges of the pyramid that replaces the friction cone, an even number
  int seed = 0;             // only for `path`: seed of the random weights with which it starts again

  template <class V>
  void describe(V& v) {
    v.optional("tolerance", tolerance, Range{0, 1}, "residual at which the contact solver stops");
    v.optional("max_iterations", max_iterations, Range{0, 1000000000},
               "largest number of iterations of the contact solver; 0: its default");
    v.optional("facets", facets, Range{2, 1000}, "number of edges of the friction pyramid in lemke");
    v.optional("budget", budget_s, Range{0, 1e9}, "seconds after which auto starts no further solver");
    v.optional("seed", seed, Range{0, 1000000000}, "seed of the random weights with which path starts again");
  }

  void check() const;  // throws a std::invalid_argument that names the option
};

struct SolverEntry {
  std::string_view name, description;
  std::unique_ptr<ContactSolver> (*make)(const SolverOptions&);
};

// The solvers of the library, `auto` first.
std::span<const SolverEntry> solver_names();

// Throws std::invalid_argument for wrong options or for a name that does not exist. The message names those that do.
std::unique_ptr<ContactSolver> make_solver(std::string_view name, const SolverOptions& options = {});

// Makes a contact solver of a program (RunOptions::solver).
using MakeSolver = std::function<std::unique_ptr<ContactSolver>(const SolverOptions&)>;

// Contact problems in the FCLIB layout, HDF5 files that other programs exchange too. An error names the file, the place
// in it and what was expected.
struct ProblemFileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
ContactProblem read_fclib(const std::string& path);
struct FreeMotion;  // inside the library
void write_fclib(const std::string& path, const ContactProblem& problem, const std::string& title,
                 const std::string& description, const FreeMotion* motion = nullptr);

}  // namespace tappet
