// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "describe/describe.h"
#include "math/vec.h"
#include "problem/contact_problem.h"
#include "steppers/scheme_facts.h"
#include "system/contact_list.h"

namespace tappet {

// What one step did.
struct StepReport {
  SolveReport solve;       // the worst contact problem of the step
  double dt = 0.0;         // how far time went; schemes with their own step may differ from what was asked
  int closed = 0;          // contacts in the active set
  bool impulsive = false;  // a contact closed in this step
  int newton = 0;          // iterations of the scheme's own Newton loop; 0: it has none
  int index_sets = 0;      // passes over the active set (combined projection)
  int projections = 0;     // projections onto the positions
  int rejected = 0;        // attempts thrown away for their error (schemes that control their step)

  bool converged() const { return solve.status == SolveStatus::converged; }
};

// Two contact problems of one step as one report: the worse of them, all iterations.
inline SolveReport worse(const SolveReport& a, const SolveReport& b) {
  SolveReport sum = a.status == SolveStatus::converged ? b : a;
  sum.iterations = a.iterations + b.iterations;
  sum.factorisations = a.factorisations + b.factorisations;
  sum.residual = std::max(a.residual, b.residual);
  sum.solver = std::max(a.solver, b.solver);
  sum.islands = std::max(a.islands, b.islands);
  return sum;
}

// Something that happened inside a step, where a scheme locates it.
struct Event {
  enum class Kind { impact, closing, opening, stick, slip, reversal, accumulation, branch, switching };
  double t = 0.0;
  Kind kind = Kind::impact;
  int contact = -1;
  int place = -1;  // of a formula that switches: into System::switches(), and behind them System::time_switches()
};
std::string_view name(Event::Kind kind);

// How a scheme that linearises forces took the derivatives of one of them (LinearlyImplicit).
struct ForceDerivative {
  std::string force;             // its name; "formulas"; "body (elastic)"; "gyroscopic moments" of all
  std::string rule;              // what a definite derivative is
  long exact = 0, definite = 0;  // linearisations with the exact derivatives, and with definite ones

  std::string choice() const;  // in words
};

// Impulses of the last step over all rows (ContactList::rows): joints first, then every contact, whose rows begin at
// Contact::row. P is the impulse of the whole step. Schemes that tell forces and impacts apart also give the force λ at
// the end of the step and the impact impulse Λ, at least for joints and the contacts of the file, which come first; Λ
// is empty if there was no impact so far.
struct Impulses {
  Vec P, lambda, Lambda;
  bool separated = false;
};

// One published scheme. A step starts at `state`, leaves the new one there, and reports; it never throws for
// non-convergence. It reads the contacts at present (ContactList), which it does not change. Workspaces are members,
// sized at construction: a step allocates nothing.
class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual StepReport step(State& state, double dt) = 0;

  // Why the run cannot go on after the last step; empty: it can.
  virtual std::string diagnosis() const { return {}; }

  virtual bool locates_events() const { return false; }
  virtual std::vector<ForceDerivative> force_derivatives() const { return {}; }  // empty: it takes none

  const Impulses& impulses() const { return impulses_; }
  const std::vector<Event>& events() const { return events_; }  // of the last step

 protected:
  Impulses impulses_;
  std::vector<Event> events_;
};

}  // namespace tappet
