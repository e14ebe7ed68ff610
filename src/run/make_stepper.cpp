// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/make_stepper.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/reading/nearest.h"
#include "solvers/make_solver.h"
#include "steppers/schemes.h"

namespace tappet {

namespace {

struct SchemeEntry {
  SchemeInfo info;
  std::unique_ptr<Stepper> (*make)(const ContactList&, ContactList* growing, std::unique_ptr<ContactSolver>,
                                   const std::vector<Option>&);
};

// Adds the place of an option to the message if its value does not fit.
template <class Set>
bool placed(const Option& option, const std::string& file, Set set) try {
  return set();
} catch (const std::invalid_argument& error) {
  if (option.place.line > 0) throw ModelError(file, option.place, option.key, error.what());
  throw UsageError(error.what());
}

// A scheme that can use contacts which are found within a step is told where to add them.
template <class Scheme>
std::unique_ptr<Stepper> growing(std::unique_ptr<Scheme> stepper, ContactList* contacts) {
  if constexpr (requires { stepper->may_grow(*contacts); })
    if (contacts) stepper->may_grow(*contacts);
  return stepper;
}

template <class Scheme>
std::unique_ptr<Stepper> make(const ContactList& contacts, ContactList* own, std::unique_ptr<ContactSolver> solver,
                              const std::vector<Option>& given) {
  if constexpr (requires { typename Scheme::Options; }) {
    typename Scheme::Options options;
    for (const Option& option : given)
      placed(option, contacts.system().model().file, [&] { return set_option(options, option.key, option.value); });
    return growing(std::make_unique<Scheme>(contacts, std::move(solver), options), own);
  } else {
    return growing(std::make_unique<Scheme>(contacts, std::move(solver)), own);
  }
}

template <class Scheme>
SchemeEntry entry() {
  constexpr SchemeFacts facts = Scheme::facts;
  SchemeInfo info{.name = std::string(facts.name),
                  .paper = std::string(facts.paper),
                  .level = std::string(facts.level),
                  .order = std::string(facts.order),
                  .summary = std::string(facts.summary),
                  .follows_found_contacts = facts.follows_found_contacts,
                  .options = {},
                  .renamed_options = {},
                  .forces = force_readings()[static_cast<int>(facts.forces)].word};
  if constexpr (requires { typename Scheme::Options; }) {
    const OptionList list = list_options<typename Scheme::Options>();
    info.options = list.options, info.renamed_options = list.renames;
  }
  return {info, make<Scheme>};
}

const std::vector<SchemeEntry>& entries() {
  static const std::vector<SchemeEntry> list = [] {
    std::vector<SchemeEntry> entries;
    for_each<Schemes>([&]<class Scheme>() { entries.push_back(entry<Scheme>()); });
    return entries;
  }();
  return list;
}

const SchemeEntry* find(const std::string& scheme) {
  for (const SchemeEntry& entry : entries())
    if (entry.info.name == scheme) return &entry;
  return nullptr;
}

std::vector<std::string> names(const std::vector<OptionInfo>& options) {
  std::vector<std::string> result;
  for (const OptionInfo& option : options) result.push_back(option.name);
  return result;
}

Choices names_of_solvers() {
  Choices result;
  for (const SolverEntry& entry : solver_names()) result.push_back(entry.name);
  return result;
}

struct SolverSettings {
  std::string solver = "auto";
  SolverOptions options;

  template <class V>
  void describe(V& v) {
    v.choice("solver", solver, names_of_solvers(), "contact solver of the step (`tappet solvers`)");
    options.describe(v);
  }
};

std::vector<std::string> schemes_with_colliders() {
  std::vector<std::string> result;
  for (const SchemeEntry& entry : entries())
    if (entry.info.follows_found_contacts) result.push_back(entry.info.name);
  return result;
}

bool has(const std::vector<OptionInfo>& options, const std::string& key) {
  for (const OptionInfo& option : options)
    if (option.name == key) return true;
  return false;
}

[[noreturn]] void refuse(const Option& option, const SchemeInfo& scheme, const std::string& file) {
  std::vector<std::string> known = names(scheme.options);
  for (const OptionInfo& other : solver_options()) known.push_back(other.name);
  const std::string message = fmt::format("scheme {} has no option '{}'{}; it has {}", scheme.name, option.key,
                                          suggestion(option.key, known), listed(known));
  if (option.place.line > 0) throw ModelError(file, option.place, option.key, message);
  throw UsageError(message);
}

}  // namespace

const std::vector<ForceReading>& force_readings() {  // in the order of SchemeFacts::Forces
  static const std::vector<ForceReading> list = {
      {"lambda", "lambda is the force of a contact at the end of a step"},
      {"P/dt", "P/dt is the mean force of a contact in a step"},
      {"mean of P/dt", "impulses alternate from step to step, so only the mean of P/dt over several steps is a force"}};
  return list;
}

std::vector<SchemeInfo> schemes() {
  std::vector<SchemeInfo> list;
  for (const SchemeEntry& entry : entries()) list.push_back(entry.info);
  return list;
}

const SchemeInfo* scheme_info(const std::string& scheme) {
  const SchemeEntry* entry = find(scheme);
  return entry ? &entry->info : nullptr;
}

std::vector<SolverInfo> solvers() {
  std::vector<SolverInfo> list;
  for (const SolverEntry& entry : solver_names())
    list.push_back({std::string(entry.name), std::string(entry.description)});
  return list;
}

std::vector<OptionInfo> solver_options() { return list_options<SolverSettings>().options; }

void check_scheme(const std::string& scheme, const std::string& file, Place place) {
  if (find(scheme)) return;
  std::vector<std::string> known;
  for (const SchemeEntry& entry : entries()) known.push_back(entry.info.name);
  const std::string message =
      fmt::format("no scheme '{}'{}; expected one of {}", scheme, suggestion(scheme, known), listed(known));
  if (place.line > 0) throw ModelError(file, place, "scheme", message);
  throw UsageError(message);
}

bool follows_colliders(const std::string& scheme) {
  const SchemeEntry* entry = find(scheme);
  return entry && entry->info.follows_found_contacts;
}

bool knows_option(const std::string& scheme, const std::string& key) {
  const SchemeEntry* entry = find(scheme);
  return (entry && has(entry->info.options, present_name(scheme, key))) || has(solver_options(), key);
}

std::string present_name(const std::string& scheme, const std::string& key) {
  if (const SchemeEntry* entry = find(scheme))
    for (const RenamedOption& option : entry->info.renamed_options)
      if (option.before == key) return option.now;
  return key;
}

namespace {

// The contact solver that the options ask for. Options of the scheme itself are left to it, also if the solver has one
// of the same name.
std::unique_ptr<ContactSolver> solver_of(const SchemeInfo& scheme, const std::string& file,
                                         const std::vector<Option>& options, const MakeSolver& make_own) {
  SolverSettings settings;
  for (const Option& option : options) {
    if (has(scheme.options, present_name(scheme.name, option.key))) continue;
    if (!placed(option, file, [&] { return set_option(settings, option.key, option.value); }))
      refuse(option, scheme, file);
  }
  if (!make_own) return make_solver(settings.solver, settings.options);
  std::unique_ptr<ContactSolver> solver = make_own(settings.options);
  if (!solver) throw UsageError("the program gave no contact solver; expected one");
  return solver;
}

std::unique_ptr<Stepper> make_listed(const std::string& scheme, const ContactList& contacts, ContactList* growing,
                                     const std::vector<Option>& options, const MakeSolver& solver) {
  check_scheme(scheme);
  const System& system = contacts.system();
  if (system.has_colliders() && !follows_colliders(scheme))
    throw UsageError(fmt::format("scheme {} does not work with colliders; expected one of {}", scheme,
                                 listed(schemes_with_colliders())));
  const SchemeEntry& entry = *find(scheme);
  try {
    return entry.make(contacts, growing, solver_of(entry.info, system.model().file, options, solver), options);
  } catch (const std::invalid_argument& error) {  // a scheme that cannot run this model says why
    throw UsageError(error.what());
  }
}

}  // namespace

std::unique_ptr<Stepper> make_stepper(const std::string& scheme, const ContactList& contacts,
                                      const std::vector<Option>& options, const MakeSolver& solver) {
  return make_listed(scheme, contacts, nullptr, options, solver);
}

std::unique_ptr<Stepper> make_stepper(const std::string& scheme, ContactList& contacts,
                                      const std::vector<Option>& options, const MakeSolver& solver) {
  return make_listed(scheme, contacts, &contacts, options, solver);
}

std::unique_ptr<Stepper> make_own_stepper(const std::string& scheme, const MakeStepper& make, ContactList& contacts,
                                          const std::vector<Option>& options, const MakeSolver& solver) {
  SchemeInfo info;
  info.name = scheme;
  std::unique_ptr<Stepper> stepper = make(contacts, solver_of(info, contacts.system().model().file, options, solver));
  if (!stepper) throw UsageError(fmt::format("the program gave no stepper for the scheme {}; expected one", scheme));
  if (contacts.system().has_colliders() && !stepper->follows_found_contacts())
    throw UsageError(
        fmt::format("scheme {} does not work with colliders; expected one whose follows_found_contacts() is "
                    "true, or one of {}",
                    scheme, listed(schemes_with_colliders())));
  return stepper;
}

}  // namespace tappet
