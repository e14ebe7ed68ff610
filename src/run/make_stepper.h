// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/model.h"
#include "run/options.h"
#include "steppers/stepper.h"

namespace tappet {

// This is the only place where the names of schemes and solvers are connected with their types.

struct SchemeInfo {
  std::string name, paper, level, order, summary;  // as in SchemeFacts
  bool follows_found_contacts = false;
  std::vector<OptionInfo> options;
  std::vector<RenamedOption> renamed_options = {};  // the old names still work
  std::string forces = {};  // how the force of a contact is read from a result: one of the words of force_readings()
};

// How the force of a closed contact can be read from the result of a scheme, in words:
//   lambda        the scheme gives the force itself
//   P/dt          the impulse of a step divided by dt is the mean force of the step
//   mean of P/dt  impulses alternate from step to step, so only their mean over several steps is a force
struct ForceReading {
  std::string word, meaning;
};
const std::vector<ForceReading>& force_readings();

// Whether contacts may come and go during a run with this scheme.
bool follows_colliders(const std::string& scheme);

struct SolverInfo {
  std::string name, summary;
};

std::vector<SchemeInfo> schemes();
const SchemeInfo* scheme_info(const std::string& scheme);  // null if there is no scheme of that name
std::vector<SolverInfo> solvers();
std::vector<OptionInfo> solver_options();  // the options that every scheme has: solver, tolerance, …

// Throws if there is no such scheme and suggests the nearest name. It throws a ModelError if a place is given,
// otherwise a UsageError.
void check_scheme(const std::string& scheme, const std::string& file = "", Place place = {});
bool knows_option(const std::string& scheme, const std::string& key);
// The present name of an option that has been renamed, otherwise the name itself.
std::string present_name(const std::string& scheme, const std::string& key);

// The options are those of the scheme and of its contact solver. An unknown key or a value that does not fit throws a
// UsageError, or a ModelError with its place if the option is in the model file. The contacts must outlive the stepper.
// `solver` makes a contact solver of the caller, instead of the one that the option `solver` names.
// If the list may be changed, a scheme on position level adds contacts to it that it finds within a step
// (ContactList::grow).
std::unique_ptr<Stepper> make_stepper(const std::string& scheme, const ContactList& contacts,
                                      const std::vector<Option>& options = {}, const MakeSolver& solver = {});
std::unique_ptr<Stepper> make_stepper(const std::string& scheme, ContactList& contacts,
                                      const std::vector<Option>& options = {}, const MakeSolver& solver = {});

// A scheme of the caller, which is given the contacts and the contact solver. Throws UsageError if it does not follow
// the contacts of colliders but the system has some.
using MakeStepper = std::function<std::unique_ptr<Stepper>(ContactList&, std::unique_ptr<ContactSolver>)>;
std::unique_ptr<Stepper> make_own_stepper(const std::string& scheme, const MakeStepper& make, ContactList& contacts,
                                          const std::vector<Option>& options, const MakeSolver& solver);

}  // namespace tappet
