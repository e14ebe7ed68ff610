// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/watch/contact_work.h"

namespace tappet {

void ContactWork::take(const State& before, const State& after, const Vec& P, Evaluator& evaluate) {
  // Schemes use directions somewhere between those at both ends of the step, so the work is known to a small part only.
  constexpr double clear = 1e-3;
  set_.clear();
  for (int k = 0; k < contacts_.named(); ++k)
    if (P[contacts_[k].row] != 0.0) set_.push_back(k);
  if (set_.empty()) return;
  ContactEnergy mean;
  const auto impulse = [&](const Contact& contact, int, int r) { return P[contact.row + r]; };
  for (const State* at : {&before, &after}) {
    evaluate.directions(at->t, at->q, set_, W_, chi_);
    gamma_before_.resize(W_.rows()), gamma_after_.resize(W_.rows());
    W_.multiply(before.u, gamma_before_), W_.multiply(after.u, gamma_after_);
    for (Vec* gamma : {&gamma_before_, &gamma_after_}) gamma->eigen() += chi_.eigen();
    const ContactEnergy energy(contacts_, set_, gamma_before_, gamma_after_, chi_, impulse);
    mean.work += 0.5 * energy.work, mean.flow += 0.5 * energy.flow;
  }
  flow_ += mean.flow;
  gain_.take(mean, clear, after.t, set_.front());
}

}  // namespace tappet
