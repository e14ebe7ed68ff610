// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>
#include <tappet/problem.h>
#include <tappet/state.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tappet {

// What one step did.
struct StepReport {
  SolveReport solve;       // the worst contact problem of the step
  double dt = 0.0;         // the length of the step; schemes that choose their step may take another one than asked for
  int closed = 0;          // contacts in the active set
  bool impulsive = false;  // whether a contact closed in this step
  int newton = 0;          // iterations of the Newton loop of the scheme; 0 if it has none
  int index_sets = 0;      // passes over the active set (combined projection)
  int projections = 0;     // projections onto the positions
  int rejected = 0;        // attempts that were rejected for their error (schemes that control their step)

  bool converged() const { return solve.status == SolveStatus::converged; }
};

// Combines two contact problems of one step in one report: the worse of them, and all iterations.
inline SolveReport worse(const SolveReport& a, const SolveReport& b) {
  SolveReport sum = a.status == SolveStatus::converged ? b : a;
  sum.iterations = a.iterations + b.iterations;
  sum.factorisations = a.factorisations + b.factorisations;
  sum.residual = std::max(a.residual, b.residual);
  sum.solver = std::max(a.solver, b.solver);
  sum.islands = std::max(a.islands, b.islands);
  return sum;
}

// An event inside a step, if a scheme locates it.
struct Event {
  enum class Kind { impact, closing, opening, stick, slip, reversal, accumulation, branch, switching };
  double t = 0.0;
  Kind kind = Kind::impact;
  int contact = -1;
  int place = -1;  // for a formula that switches: index into Summary::switch_names
};
std::string_view name(Event::Kind kind);

// How a scheme that linearises forces computed the derivatives of one of them.
struct ForceDerivative {
  std::string force;             // its name, "formulas", "body (elastic)", or "gyroscopic moments" for all bodies
  std::string rule;              // describes its definite derivative
  long exact = 0, definite = 0;  // linearisations with the exact derivatives, and with definite ones

  std::string choice() const;  // in words
};

// The impulses of the last step over all rows (ContactList::rows): joints first, then every contact, whose rows begin
// at ContactInfo::row. P is the impulse of the whole step. Schemes that separate forces from impacts also give the
// force λ at the end of the step and the impact impulse Λ, at least for joints and the contacts of the file, which come
// first. Λ is empty if there was no impact so far.
struct Impulses {
  Vec P, lambda, Lambda;
  bool separated = false;
};

// A time-stepping scheme. A step starts at `state`, leaves the new state there, and reports. It never throws if it does
// not converge. It reads the present contacts (ContactList) and does not change them. Workspaces are members that are
// sized at construction, so a step allocates no memory. examples/own_scheme is a scheme outside the library.
class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual StepReport step(State& state, double dt) = 0;

  // Why the run cannot continue after the last step; empty if it can.
  virtual std::string diagnosis() const { return {}; }

  // Whether a scheme of a program works with colliders, whose contacts come and go from step to step.
  virtual bool follows_found_contacts() const { return false; }
  virtual bool locates_events() const { return false; }
  virtual std::vector<ForceDerivative> force_derivatives() const { return {}; }  // empty: it takes none

  // Writes what the next step depends on, besides the state and the contacts, or reads it back. Returns false if the
  // scheme does not support this; a run with it cannot be resumed.
  bool archive(Archive& archive) {
    archive(impulses_.P, impulses_.lambda, impulses_.Lambda);
    return history(archive);
  }
  // Called after every step of a run, with the number of steps so far. At regular intervals, which depend on the steps
  // alone, a scheme drops what it keeps only in order to save time. It then returns true, and archive() is complete.
  virtual bool settle(long step);

  const Impulses& impulses() const { return impulses_; }
  const std::vector<Event>& events() const { return events_; }  // of the last step

 protected:
  // The part of archive() that a scheme adds to its impulses.
  virtual bool history(Archive& /*archive*/) { return false; }

  Impulses impulses_;
  std::vector<Event> events_;
};

}  // namespace tappet
