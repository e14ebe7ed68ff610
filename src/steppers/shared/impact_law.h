// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "steppers/lcp/polyhedral_law.h"
#include "steppers/shared/propagation.h"
#include "steppers/stepper.h"
#include "system/evaluator.h"

namespace tappet {

// The velocities after an impact, Potra 2006 §7.3, §7.4, after Poisson:
//   compression     M (u^c − u⁻) = W P^c under the contact law at u^c                                  (7.5), (7.6)
//   decompression   M (u⁺ − u^c) = W_N e P_N^c + W P^x under the contact law at u⁺                     (7.7)–(7.9)
// Here friction in decompression uses all of its normal impulse, ‖P_F^x‖ ≤ μ (e P_N^c + P_N^x), as it does in
// compression. A ball that hits with spin then obeys Coulomb's law over the whole impact. As printed, (7.7) and (7.8)
// leave the restored impulse without friction, ‖P_F^x‖ ≤ μ P_N^x. With Newton's law there is a single step: M (u⁺ − u⁻)
// = W P under the contact law for γ⁺ + e γ⁻. With a law that propagates (Propagation), the contact law without
// restitution follows it.
class ImpactLaw {
 public:
  enum class Kind { poisson, printed, newton, propagating };
  ImpactLaw(const ContactList& contacts, Evaluator& evaluate, PolyhedralLaw& law, const std::string& name);

  // The option `impact` of schemes with this law.
  template <class V>
  static void describe(V& v, std::string& impact) {
    v.choice("impact", impact, {"poisson", "printed", "newton", "sequential", "energetic", "energetic-hertz"},
             "law of impact: Poisson's, (7.7) as printed, Newton's, or one that travels through bodies (no friction)");
  }

  // `e` is the restitution by contact of the system. u is u⁻ on entry and u⁺ on return. Leaves the directions at (t, q)
  // in the law.
  SolveReport solve(double t, const Vec& q, const ContactSet& set, const Vec& e, Vec& u);
  const Vec& P() const { return P_; }  // all impulses, rows [joints | set]

 private:
  SolveReport poisson(const ContactSet& set, const Vec& e, Vec& u);
  SolveReport newton(const ContactSet& set, const Vec& e, Vec& u);
  SolveReport propagate(const ContactSet& set, const Vec& e, Vec& u);

  const ContactList& contacts_;
  const System& system_;
  Evaluator& evaluate_;
  PolyhedralLaw& law_;
  const Kind kind_;
  BlockMatrix M_;
  Vec P_, c_, restored_;
  std::optional<Propagation> propagation_;
  ContactProblem problem_;  // propagating
  Vec e_, stiffness_;
};

}  // namespace tappet
