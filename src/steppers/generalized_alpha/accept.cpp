// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "steppers/generalized_alpha/generalized_alpha.h"

// What a solved step leaves: the state, impulses and forces, events, and the memory for the next step.
namespace tappet {

void GeneralizedAlpha::accept(State& state, StepReport& report) {
  state.t = balance_.t;
  state.q = balance_.q, state.u = balance_.u;
  report.solve.residual = std::max(report.solve.residual, error_ * options_.tolerance);
  report.solve.iterations = report.newton;
  report.closed = 0;
  for (int i = 0; i < balance_.rows; ++i) {
    const int s = balance_.row[i];
    impulses_.P[s] += law_.P[i];
    impulses_.Lambda[s] += balance_.Lambda[i];
  }
  for (size_t c = 0; c < balance_.involved.size(); ++c) {
    const auto& set = law_.sets()[c];
    report.closed += set.A;
    report.impulsive = report.impulsive || (set.B && !state_of_[balance_.involved[c]].B);
    if (set.B) continue;
    const Contact& contact = contacts_[balance_.involved[c]];  // it is exactly zero and need not be remembered
    for (int i = contact.row; i < contact.row + contact.rows; ++i) x_.lambda[i] = 0.0;
  }
  impulses_.lambda = x_.lambda;
  note_events();
  remember();
}

void GeneralizedAlpha::remember() {
  bool changed = false;
  size_t c = 0;
  int row = system_.joint_rows();
  for (size_t k = 0; k < state_of_.size(); ++k) {
    alpha::StepLaw::Sets now;
    const bool involved = c < balance_.involved.size() && balance_.involved[c] == static_cast<int>(k);
    if (involved) {
      now = law_.sets()[c++];
      law_.slid[k] = now.B && !now.D_stick && balance_.lambda[row] > 0.0;
      row += contacts_[k].rows;
    } else {
      law_.slid[k] = 0;
    }
    now.continued = false;
    changed = changed || !(now == state_of_[k]);
    state_of_[k] = now;
  }
  for (int i = 0; i < x_.a.size(); ++i) {
    start_.a_bar[i] = changed ? x_.a[i] : start_.weight.bar(start_.a_bar[i], start_.a[i], x_.a[i]);  // (71)
    start_.a[i] = x_.a[i];
  }
  for (int i = 0; i < x_.lambda.size(); ++i) {  // (96), (114)
    start_.lambda_bar[i] =
        changed ? x_.lambda[i] : start_.weight.bar(start_.lambda_bar[i], start_.lambda[i], x_.lambda[i]);
    start_.lambda[i] = x_.lambda[i];
  }
}

void GeneralizedAlpha::note_events() {
  // an impulse that exceeds those of the forces by this factor, without an approach
  constexpr double catastrophe = 10.0;
  size_t c = 0;
  int row = system_.joint_rows();
  for (size_t k = 0; k < state_of_.size(); ++k) {
    const Contact& contact = contacts_[k];
    const auto note = [&](Event::Kind kind) { events_.push_back({balance_.t, kind, static_cast<int>(k)}); };
    const bool involved = c < balance_.involved.size() && balance_.involved[c] == static_cast<int>(k);
    const auto before = state_of_[k], now = involved ? law_.sets()[c] : alpha::StepLaw::Sets{};
    if (before.B && !now.B) note(Event::Kind::opening);
    if (!involved) continue;
    const double approach = law_.gamma_before[contact.row];
    if (now.B && !before.B) note(approach < 0.0 ? Event::Kind::impact : Event::Kind::closing);
    if (contact.rows > 1 && now.B && before.B && now.D_stick != before.D_stick)
      note(now.D_stick ? Event::Kind::stick : Event::Kind::slip);
    const double Lambda = balance_.Lambda[row] * response_.weight[contact.row];
    if (now.B && contact.rows > 1 && Lambda > catastrophe * start_.weight.dt * balance_.force &&
        Lambda > catastrophe * std::abs(approach) * response_.r[contact.row] * response_.weight[contact.row])
      note(Event::Kind::branch);
    row += contact.rows, ++c;
  }
}

}  // namespace tappet
