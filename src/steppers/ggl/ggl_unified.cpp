// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/ggl/ggl_unified.h"

#include <fmt/format.h>

#include <stdexcept>

#include "steppers/shared/found_laws.h"

namespace tappet {

GglUnified::GglUnified(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      options_(options),
      velocity_only_(options.contact_level == "velocity"),
      linearised_(options.gaps == "linearised"),
      midpoint_predictor_(options.predictor == "midpoint"),
      solver_(std::move(solver)),
      evaluate_(contacts),
      newton_(evaluate_, *solver_,
              {.midpoint = true,
               .linearised = options.gaps == "linearised",
               .prox = options.newton == "prox",
               .prox_parameter = options.prox_parameter,
               .joints = joint_level(options.joint_level),
               .momentum_tolerance = options.newton_tolerance,
               .gap_tolerance = options.tolerance,
               .iterations = options.newton_iterations}),
      active_(contacts),
      q_M_(system_.q_size()) {
  impulses_.P.assign(contacts.rows(), 0.0);
  if (options.newton != "prox") return;
  for (const Contact& contact : system_.named_contacts())
    if (contact.law->mu[0] > 0.0)
      throw std::invalid_argument(
          "ggl-unified: newton=prox has no friction (the paper has none); expected contacts with mu = 0, or "
          "complementarity");
  each_found_law(system_, [](const ColliderEntry& one, const ColliderEntry& other, const ContactLaw& law) {
    if (law.mu_law() > 0.0)
      throw std::invalid_argument(fmt::format(
          "ggl-unified: newton=prox has no friction (the paper has none), but colliders '{}' and '{}' touch "
          "with mu = {:g}; expected mu = 0, or complementarity",
          one.name, other.name, law.mu_law()));
  });
}

StepReport GglUnified::step(State& state, double dt) {
  StepReport report;
  active_.start();
  newton_.start(state);
  smooth_.guess(state.u, dt, newton_.u_1);
  if (midpoint_predictor_) {
    evaluate_.displace(state.q, dt / 2, state.u, q_M_);
    evaluate_.gaps(state.t + dt / 2, q_M_, gaps_);
    active_.close(gaps_);  // (11)
    pass(state, dt, report);
  } else {
    double limit = 0.0;  // a contact that is added after the prediction must penetrate, not only touch
    do {
      pass(state, dt, report);
      if (!report.converged() || (velocity_only_ && report.index_sets > 1)) break;
      evaluate_.gaps(state.t + dt, newton_.q_1, gaps_);
      limit = report.index_sets == 1 ? 0.0 : -10 * options_.tolerance;
    } while (active_.add(gaps_, limit));
  }
  if (active_.empty() && report.converged())
    smooth_.accept(state.u, newton_.u_1, dt);
  else
    smooth_.forget();
  std::swap(state.q, newton_.q_1);
  std::swap(state.u, newton_.u_1);
  state.t += dt;
  scatter_rows(contacts_, active_, newton_.P, impulses_.P);
  active_.report(dt, report);
  return report;
}

// The velocities at the start only matter to restitution, or if the rates of joints are linearised.
void GglUnified::pass(const State& state, double dt, StepReport& report) {
  if (active_.empty() && !linearised_) {
    rates_0_.assign(contacts_.rows(), 0.0);
  } else {
    evaluate_.directions(state.t, state.q, active_, W_0_, chi_0_);
    gamma_0_.resize(chi_0_.size());
    if (!chi_0_.empty()) W_0_.multiply(state.u, gamma_0_);
    for (int r = 0; r < gamma_0_.size(); ++r) gamma_0_[r] += chi_0_[r];
    scatter_rows(contacts_, active_, gamma_0_, rates_0_);
  }
  const StepReport pass = newton_.solve(state, dt, rates_0_, active_, velocity_only_ ? none_ : active_.set());
  report.solve = pass.solve;
  report.newton += pass.newton;
  ++report.index_sets;
}

}  // namespace tappet
