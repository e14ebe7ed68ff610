// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/watch/energy_watch.h"

#include <algorithm>
#include <cmath>

#include "run/watch/energy_sources.h"

namespace tappet {

EnergyWatch::EnergyWatch(const ContactList& contacts)
    : contacts_(contacts), watches_scheme_(!has_energy_sources(contacts.system())) {}

void EnergyWatch::take(const State& before, const State& after, const StepReport& report, const Vec& P,
                       Evaluator& evaluate) {
  // Schemes use directions somewhere between those at both ends of the step, so the work is known to a small part only.
  constexpr double clear = 1e-3;
  ++steps_;
  if (!report.impulsive && left_ == 0 && report.projections == 0) return;
  if (left_ == 0) begin(before);
  const bool in_impact = report.impulsive || left_ > 0;
  left_ = report.impulsive ? steps_of_impact - 1 : std::max(0, left_ - 1);

  const double gained = rise(before, after, evaluate);
  const bool rises = gained > noticeable * scale_;
  set_.clear();
  for (const int k : contacts_.all())
    if (P[contacts_[k].row] != 0.0) set_.push_back(k);
  // The work takes time and memory, in large systems too much to compute it if the energy does not rise.
  const bool known = !set_.empty() && (rises || (in_impact && (is_small() || !watches_scheme_)));
  const ContactEnergy energy = known ? work(before, after, P, evaluate) : ContactEnergy{};
  if (energy.giver >= 0) giver_ = contacts_.name(energy.giver);
  flow_ += energy.flow;
  // In a step with an impact other forces act too. Only the energy says whether the impact itself has given some.
  if (report.impulsive && !watches_scheme_ && energy.is_gain(clear)) by_law_.take(energy.work, after.t, giver_);
  if (rises) share(gained, energy.is_gain(clear) ? energy.work : 0.0, after);
}

void EnergyWatch::begin(const State& before) {
  told_ = 0;
  giver_.clear();
  if (!is_small()) return;  // only the work in single steps is known
  u_before_ = before.u;
  impulse_.assign(before.u.size(), 0.0);
}

// Says what gained this energy: the law as far as the contacts did work, in this step or in the whole impact, and the
// scheme the rest.
void EnergyWatch::share(double gained, double work, const State& after) {
  double whole = 0;
  for (int i = 0; i < impulse_.size(); ++i) whole += 0.5 * impulse_[i] * (u_before_[i] + after.u[i]);
  const double by_law = std::clamp(std::max(work, whole - told_), 0.0, gained), by_scheme = gained - by_law;
  told_ += by_law;
  if (by_law > noticeable * scale_) by_law_.take(by_law, after.t, giver_);
  if (by_scheme > noticeable * scale_) by_scheme_.take(by_scheme, after.t, giver_);
}

std::vector<std::string> EnergyWatch::remarks() const {
  std::vector<std::string> list;
  if (by_law_.total > solved * flow_) list.push_back(words_about_law(by_law_));
  if (by_scheme_.total > remarkable * scale_) list.push_back(words_about_scheme(by_scheme_));
  return list;
}

// By how much the energy after the step exceeds those of the last steps.
double EnergyWatch::rise(const State& before, const State& after, Evaluator& evaluate) {
  if (!watches_scheme_ || !contacts_.applied().empty()) return 0.0;
  if (levels_[(steps_ - 1) % recent].step != steps_ - 1)
    note_level(steps_ - 1, evaluate.energy(before.t, before.q, before.u));
  double highest = -INFINITY;
  for (const Level& level : levels_)
    if (level.step > steps_ - recent) highest = std::max(highest, level.energy);
  const Energy now = evaluate.energy(after.t, after.q, after.u);
  note_level(steps_, now);
  const double gained = now.total() - highest;
  if (gained <= 0 || contacts_.system().model().formulas.forces.empty()) return gained;
  const double power = std::max({0.0, power_of_motion(before, evaluate), power_of_motion(after, evaluate)});
  return gained - power * (after.t - before.t);
}

// The power of the forces that change their sign with the velocities: dampers, and formulas that vanish at rest. Only
// formulas may give energy.
double EnergyWatch::power_of_motion(const State& state, Evaluator& evaluate) {
  for (Vec* h : {&h_, &h_back_}) h->resize(state.u.size());
  back_ = state.u;
  for (double& u : back_) u = -u;
  evaluate.forces(state.t, state.q, state.u, h_);
  evaluate.forces(state.t, state.q, back_, h_back_);
  double power = 0;
  for (int i = 0; i < h_.size(); ++i) power += 0.5 * state.u[i] * (h_[i] - h_back_[i]);
  return power;
}

void EnergyWatch::note_level(long step, const Energy& energy) {
  levels_[step % recent] = {step, energy.total()};
  scale_ = std::max(scale_, energy.kinetic);
}

// In parts, so that the directions of thousands of contacts take no memory.
ContactEnergy EnergyWatch::work(const State& before, const State& after, const Vec& P, Evaluator& evaluate) {
  ContactEnergy mean;
  const auto impulse = [&](const Contact& contact, int, int r) { return P[contact.row + r]; };
  for (size_t first = 0; first < set_.size(); first += few) {
    part_.assign(set_.begin() + first, set_.begin() + std::min(set_.size(), first + few));
    for (const State* at : {&before, &after}) {
      evaluate.directions(at->t, at->q, part_, W_, chi_);
      gamma_before_.resize(W_.rows()), gamma_after_.resize(W_.rows());
      W_.multiply(before.u, gamma_before_), W_.multiply(after.u, gamma_after_);
      if (!impulse_.empty()) add_impulse(P);
      for (Vec* gamma : {&gamma_before_, &gamma_after_}) gamma->eigen() += chi_.eigen();
      const ContactEnergy energy(contacts_, part_, gamma_before_, gamma_after_, chi_, impulse);
      mean.work += 0.5 * energy.work, mean.flow += 0.5 * energy.flow;
      if (energy.giver >= 0 && (mean.giver < 0 || energy.given > mean.given))
        mean.giver = energy.giver, mean.given = energy.given;
    }
  }
  return mean;
}

// Half of the impulses of the contacts that are not moved, as their directions are now.
void EnergyWatch::add_impulse(const Vec& P) {
  half_P_.assign(W_.rows(), 0.0);
  for (const auto& [k, contact, row] : contacts_.each(part_)) {
    bool moved = false;
    for (int r = 0; r < contact.rows; ++r) moved |= chi_[row + r] != 0.0;
    for (int r = 0; r < contact.rows && !moved; ++r) half_P_[row + r] = 0.5 * P[contact.row + r];
  }
  W_.multiply_transposed(half_P_, impulse_);
}

}  // namespace tappet
