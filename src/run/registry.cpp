// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "model/reading/nearest.h"
#include "solvers/registry.h"
#include "steppers/event_driven/event_driven.h"
#include "steppers/generalized_alpha/generalized_alpha.h"
#include "steppers/ggl/ggl_decoupled.h"
#include "steppers/ggl/ggl_unified.h"
#include "steppers/half_explicit/explicit_velocity.h"
#include "steppers/half_explicit/half_explicit_acceleration.h"
#include "steppers/half_explicit/half_explicit_adaptive.h"
#include "steppers/half_explicit/half_explicit_velocity.h"
#include "steppers/lcp/lcp_euler.h"
#include "steppers/lcp/lcp_trapezoidal.h"
#include "steppers/moreau/moreau_explicit.h"
#include "steppers/moreau/moreau_jean.h"
#include "steppers/moreau/moreau_midpoint.h"
#include "steppers/position/position_trapezoidal.h"
#include "steppers/position/schatzman_paoli.h"
#include "steppers/projection/combined_projection.h"
#include "steppers/projection/direct_projection.h"

namespace tappet {

namespace {

constexpr const char* with_colliders[] = {"moreau-explicit",   "moreau-midpoint",     "moreau-jean",
                                          "direct-projection", "combined-projection", "lcp-euler"};

// Schemes that tell forces from impacts, and those whose contacts open and close from one step to the next.
constexpr const char* with_forces[] = {"generalized-alpha",          "event-driven",           "lcp-trapezoidal",
                                       "half-explicit-acceleration", "half-explicit-velocity", "half-explicit-adaptive",
                                       "explicit-velocity"};
constexpr const char* that_alternate[] = {"moreau-explicit",   "moreau-midpoint", "moreau-jean",
                                          "direct-projection", "ggl-decoupled",   "lcp-euler"};

std::string reading_of(const std::string& scheme) {
  if (std::ranges::count(with_forces, scheme) > 0) return force_readings()[0].word;
  return force_readings()[std::ranges::count(that_alternate, scheme) > 0 ? 2 : 1].word;
}

struct SchemeEntry {
  SchemeInfo info;
  std::function<std::unique_ptr<Stepper>(const ContactList&, std::unique_ptr<ContactSolver>,
                                         const std::vector<Option>&)>
      make;
};

// Says where an option stands whose value does not fit.
template <class Set>
bool placed(const Option& option, const std::string& file, Set set) try {
  return set();
} catch (const std::invalid_argument& error) {
  if (option.place.line > 0) throw ModelError(file, option.place, option.key, error.what());
  throw UsageError(error.what());
}

// A scheme is constructed from (contacts, solver) or (contacts, solver, Scheme::Options).
template <class Scheme>
SchemeEntry entry(SchemeInfo info) {
  info.forces = reading_of(info.name);
  if constexpr (requires { typename Scheme::Options; }) {
    info.options = list_options<typename Scheme::Options>();
    return {info,
            [](const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const std::vector<Option>& given) {
              typename Scheme::Options options;
              for (const Option& option : given)
                placed(option, contacts.system().model().file,
                       [&] { return set_option(options, option.key, option.value); });
              return std::make_unique<Scheme>(contacts, std::move(solver), options);
            }};
  } else {
    return {info, [](const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const std::vector<Option>&) {
              return std::make_unique<Scheme>(contacts, std::move(solver));
            }};
  }
}

const std::vector<SchemeEntry>& entries() {
  static const std::vector<SchemeEntry> list = {
      entry<MoreauExplicit>({"moreau-explicit",
                             "Schindler and Acary 2014, (43)–(47)",
                             "velocity",
                             "1",
                             "explicit positions, contact law at the end of the step",
                             {}}),
      entry<MoreauMidpoint>({"moreau-midpoint",
                             "Schoeder, Ulbrich and Schindler 2013, (8)–(13)",
                             "velocity",
                             "1 (2 without contact)",
                             "everything evaluated at the midpoint",
                             {}}),
      entry<MoreauJean>({"moreau-jean",
                         "Acary 2012, (18)",
                         "velocity",
                         "1 (2 at theta = 0.5 without contact)",
                         "implicit in the forces by the theta rule",
                         {}}),
      entry<SchatzmanPaoli>({"schatzman-paoli",
                             "Acary 2012, (20)–(22)",
                             "position",
                             "1",
                             "two steps in the positions, the impact law over several steps",
                             {}}),
      entry<PositionTrapezoidal>({"position-trapezoidal",
                                  "Acary 2012, §6.2, Fig. 11",
                                  "position",
                                  "1 (2 without contact)",
                                  "a negative example: velocities oscillate in contact, no restitution",
                                  {}}),
      entry<DirectProjection>({"direct-projection",
                               "Acary 2012, (28), Algorithm 1",
                               "velocity and position",
                               "1",
                               "the theta rule and a projection; no penetration, chatters at rest",
                               {}}),
      entry<CombinedProjection>({"combined-projection",
                                 "Acary 2012, (65), (66), Algorithm 2",
                                 "velocity and position",
                                 "1",
                                 "activates what it projects; no penetration, comes to rest",
                                 {}}),
      entry<GglDecoupled>({"ggl-decoupled",
                           "Schoeder, Ulbrich and Schindler 2013, (29)–(33)",
                           "velocity, then position",
                           "1",
                           "the midpoint rule and a projection; energy jumps up",
                           {}}),
      entry<GglUnified>({"ggl-unified",
                         "Schoeder, Ulbrich and Schindler 2013, (36)–(52)",
                         "velocity and position, coupled",
                         "1",
                         "implicit midpoint, both laws in one problem; no penetration, energy decays",
                         {}}),
      entry<LcpEuler>({"lcp-euler",
                       "Anitescu and Potra 1997, 2002, as in Potra 2006",
                       "velocity, polyhedral friction",
                       "1",
                       "one complementarity problem a step by Lemke's method, linearly implicit forces",
                       {}}),
      entry<LcpTrapezoidal>({"lcp-trapezoidal",
                             "Potra, Anitescu, Gavrea and Trinkle 2006, §6–§8",
                             "velocity, polyhedral friction",
                             "2",
                             "one complementarity problem a step, events located, Poisson impacts, stiff forces",
                             {}}),
      entry<HalfExplicitAcceleration>({"half-explicit-acceleration",
                                       "Schindler and Acary 2014, Fig. 4",
                                       "acceleration; impacts on velocity",
                                       "2",
                                       "explicit forces, impacts apart from forces, no friction; contacts drift",
                                       {}}),
      entry<ExplicitVelocity>({"explicit-velocity",
                               "Schindler and Acary 2014, Fig. 7, (100)",
                               "velocity",
                               "the negative example: strong drift",
                               "forces that project the velocity at the start of a stage",
                               {}}),
      entry<HalfExplicitVelocity>({"half-explicit-velocity",
                                   "Schindler and Acary 2014, Fig. 9, (119)–(131)",
                                   "velocity",
                                   "2",
                                   "explicit forces, contact laws at the end of each stage, impacts apart from forces",
                                   {}}),
      entry<HalfExplicitAdaptive>({"half-explicit-adaptive",
                                   "Schindler and Acary 2014, Fig. 24, (139)–(141)",
                                   "velocity",
                                   "2",
                                   "half-explicit-velocity with short steps for impacts and control of the local error",
                                   {}}),
      entry<GeneralizedAlpha>({"generalized-alpha",
                               "Capobianco, Harsch, Eugster and Leine 2021, §5–§9",
                               "position, velocity and acceleration",
                               "2",
                               "forces and impacts apart, no penetration, stiff forces damped by rho_inf",
                               {}}),
      entry<EventDriven>({"event-driven",
                          "the reference; Acary 2012 §1, Schindler and Acary 2014 §2.2",
                          "acceleration between located events, impacts on velocity",
                          "that of CVODE (adaptive)",
                          "integrates between located events; dt is the distance of outputs",
                          {}}),
  };
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

std::vector<std::string> names_of_solvers() {
  std::vector<std::string> result;
  for (const SolverEntry& entry : solver_names()) result.emplace_back(entry.name);
  return result;
}

struct SolverSettings {
  std::string solver = "auto";
  SolverOptions options;

  template <class V>
  void describe(V& v) {
    v.choice("solver", solver, names_of_solvers(), "contact solver of the step (`tappet solvers`)");
    v.number("tolerance", options.tolerance, 0, 1, "residual at which the contact solver stops");
    v.integer("max_iterations", options.max_iterations, 0, 1000000000, "of the contact solver; 0: its own default");
    v.integer("facets", options.facets, 2, 1000, "edges of the friction pyramid in lemke");
    v.number("budget", options.budget_s, 0, 1e9, "seconds after which auto tries no further solver");
  }
};

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

const std::vector<ForceReading>& force_readings() {
  static const std::vector<ForceReading> list = {
      {"lambda", "lambda is the force of a contact at the end of a step"},
      {"P/dt", "P/dt is the mean force of a contact in a step"},
      {"mean of P/dt", "impulses alternate from step to step: only a mean of P/dt over several steps is a force"}};
  return list;
}

std::vector<SchemeInfo> schemes() {
  std::vector<SchemeInfo> list;
  for (const SchemeEntry& entry : entries()) list.push_back(entry.info);
  return list;
}

std::vector<SolverInfo> solvers() {
  std::vector<SolverInfo> list;
  for (const SolverEntry& entry : solver_names())
    list.push_back({std::string(entry.name), std::string(entry.description)});
  return list;
}

std::vector<OptionInfo> solver_options() { return list_options<SolverSettings>(); }

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
  return std::find(std::begin(with_colliders), std::end(with_colliders), scheme) != std::end(with_colliders);
}

bool knows_option(const std::string& scheme, const std::string& key) {
  const SchemeEntry* entry = find(scheme);
  return (entry && has(entry->info.options, key)) || has(solver_options(), key);
}

std::unique_ptr<Stepper> make_stepper(const std::string& scheme, const ContactList& contacts,
                                      const std::vector<Option>& options) {
  check_scheme(scheme);
  const System& system = contacts.system();
  if (system.has_colliders() && !follows_colliders(scheme))
    throw UsageError(fmt::format("scheme {} does not go with colliders; expected one of {}", scheme,
                                 listed({std::begin(with_colliders), std::end(with_colliders)})));
  const SchemeEntry& entry = *find(scheme);
  const std::string& file = system.model().file;
  SolverSettings solver;
  for (const Option& option : options) {
    if (has(entry.info.options, option.key)) continue;  // the scheme's own, also where the solver has one of that name
    if (!placed(option, file, [&] { return set_option(solver, option.key, option.value); }))
      refuse(option, entry.info, file);
  }
  try {
    return entry.make(contacts, make_solver(solver.solver, solver.options), options);
  } catch (const std::invalid_argument& error) {  // a scheme that cannot do this model says why
    throw UsageError(error.what());
  }
}

}  // namespace tappet
