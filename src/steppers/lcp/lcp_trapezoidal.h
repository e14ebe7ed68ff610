// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>

#include "steppers/lcp/linearly_implicit.h"
#include "steppers/shared/contact_forces.h"
#include "steppers/shared/contact_memory.h"
#include "steppers/shared/impact_law.h"
#include "steppers/stepper.h"

namespace tappet {

struct LcpTrapezoidalOptions {
  std::string form = "II";                   // (6.10): the law holds for (u₀ + u₁)/2; "I", (6.12): for u₁
  std::string collisions = "located";        // (7.2); "grid": at the start of the next step
  std::string stick_slip = "located";        // (7.10)–(7.15); "grid"
  std::string take_off = "located";          // likewise
  std::string impact = "poisson";            // "printed": (7.5)–(7.9) to the letter, "newton"; impact_law.h
  std::string force_jacobian = "auto";       // exact if M̃ is positive definite, otherwise (10.13), (10.14)
  int directions = 8;                        // number of edges of the friction cone in space; 2 in the plane
  double epsilon_a = 1e-9, epsilon_b = 0.0;  // (7.1) [m], [m/s³]
  double velocity_tolerance = 1e-9;          // a slower contact counts as at rest, for sticking and for touching [m/s]
  std::string accumulation = "guarded";      // e_N = 0 if a bounce would end within the step; "followed"
  double stabilisation = 0.0;                // fraction of gaps and joint errors that is removed per step (§10.4)
  int events = 200;  // largest number of events located in a step; further impacts of the step have e_N = 0

  template <class V>
  void describe(V& v) {
    v.choice("form", form, {"I", "II"},
             "the contact law holds for the velocity at the end (6.12), or for the mean velocity (6.10)");
    v.choice("collisions", collisions, {"located", "grid"},
             "collisions are located inside the step, or seen at its end");
    v.choice("stick_slip", stick_slip, {"located", "grid"},
             "changes between stick and slip are located inside the step, or seen at its end");
    v.choice("take_off", take_off, {"located", "grid"},
             "openings of contacts are located inside the step, or seen at its end");
    ImpactLaw::describe(v, impact);
    v.choice("force_jacobian", force_jacobian, {"auto", "exact", "definite"},
             "force derivatives: exact, made definite by (10.13), (10.14), or definite only if exact ones fail");
    v.optional("directions", directions, Range{4, 64}, "number of edges of the friction cone in space");
    v.optional("epsilon_a", epsilon_a, Range{0, 1}, "gap that counts as closed (7.1)");
    v.optional("epsilon_b", epsilon_b, Range{0, 1e9}, "the same, times dt³ (7.1)");
    v.optional("velocity_tolerance", velocity_tolerance, Range{0, 1},
               "contacts with a smaller velocity count as at rest");
    v.choice("accumulation", accumulation, {"guarded", "followed"},
             "a contact whose bounces end within a step comes to rest, or bounces are followed");
    v.optional("stabilisation", stabilisation, Range{0, 1},
               "fraction of gaps and joint errors that is removed per step");
    v.optional("events", events, Range{1, 1000000}, "largest number of events located in a step");
  }
};

// The linearly implicit trapezoidal method of Potra, Anitescu, Gavrea, Trinkle 2006, algorithm of §8:
//   q₁ = q₀ + dt/2 (u₀ + u₁)                                                            (6.3)
//   M̃ (u₁ − u₀) = k̃ + W P                                          (6.4), (6.9); linearly_implicit.h
//   joints, contacts and friction for (u₀ + u₁)/2 (II, (6.5)–(6.8)) or u₁ (I, (6.12)), W at q₀ + dt/2 u₀
//   active: g_N ≤ max(ε_a, ε_b dt³) (7.1), and contacts that carried an impulse in the previous step
// A step without events solves one complementarity problem. A step with an event ends there, and another one covers the
// rest:
//   collision   root of g_N on the interpolant of positions and velocities (7.2), (7.3). If forces depend on the state,
//               it is the root of steps that end there. Then ImpactLaw is applied.
//   slip→stick  root of the slip velocity of a step that continues to slide (Brent), since comparing bases is ambiguous
//               at 0
//   stick→slip, take-off   root of the friction reserve or of the normal force of ContactForces (7.13)–(7.15) (Brent)
// With q₁ as in (6.3) the cubic interpolant of (7.2) is the parabola with linear velocities, (7.10), (7.11). With
// stabilisation s the laws hold for γ + s g(q₀)/dt instead of γ (§10.4, after Anitescu and Hart 2004). The error of
// joints and gaps that a step leaves, which is of third order, is removed by the next step, so errors do not add up. If
// a contact enters the active set with ġ_N < 0, the impact law is applied, wherever the contact is found.
class LcpTrapezoidal final : public Stepper {
 public:
  static constexpr SchemeFacts facts{
      .name = "lcp-trapezoidal",
      .paper = "Potra, Anitescu, Gavrea and Trinkle 2006, §6–§8",
      .level = "velocity, polyhedral friction",
      .order = "2",
      .summary = "one complementarity problem per step, located events, Poisson impacts, stiff forces",
      .forces = SchemeFacts::Forces::given,
      .follows_found_contacts = true};
  using Options = LcpTrapezoidalOptions;
  LcpTrapezoidal(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;
  bool locates_events() const override { return true; }
  std::vector<ForceDerivative> force_derivatives() const override { return implicit_.derivatives(); }
  std::string diagnosis() const override;

 private:
  bool history(Archive& a) override { return a(law_, implicit_, kept_, lost_steps_, dt_), true; }
  struct Located {
    double tau = 0.0;
    Event::Kind kind = Event::Kind::impact;
    int contact = -1;
    HeldSlip slip;
    bool found() const { return contact >= 0; }
  };

  struct Kept {  // what is remembered of a contact
    bool held = false, loaded = false, sticking = false;
    bool opened = false;  // its opening was located at the start of this step
    double last_impact = -std::numeric_limits<double>::infinity();
  };

  void select_active(State& state);  // including the impacts of contacts that enter
  void impact(State& state);
  bool bounces_quickly(const State& state);
  bool guard(const State& state);  // returns true if some e_ was set to zero

  SolveReport trial(const State& start, double h, const HeldSlip* held = nullptr);  // u_1_, q_1_, law_.P()
  void stabilise(const State& start);                                               // c_
  void check_linearisation(const State& start, double h, SolveReport& report);      // the linearisation of a trial
  void interpolate(const State& start, double h, double tau);                       // q_tau_, u_tau_
  void finish(State& state, const Vec& P, double h, double t_1, double share);      // state ← q_1_, u_1_; impulses

  Located earliest(const State& start, double h);
  void find_collisions(const State& start, double h, Located& first);
  double collision_time(const State& start, double h, int contact);
  bool meet(const State& start, double h, Located& collision);  // its time, by steps that end there
  void find_sticking(const State& start, double h, Located& first);
  void find_leaving(const State& start, double h, Located& first);
  void set_modes();
  double friction_left(int i, const Vec& lambda) const;  // of contact i of active_
  double slip_along(int i, const std::array<double, 3>& d) const;
  void announce(const State& state, const Located& event);

  const ContactList& contacts_;
  const System& system_;
  const Options options_;
  const bool mean_, located_collisions_, located_stick_slip_, located_take_off_, guarded_;
  Evaluator evaluate_;
  PolyhedralLaw law_;
  ImpactLaw impact_law_;
  ContactForces forces_;
  LinearlyImplicit implicit_;
  StepReport report_;
  double dt_ = 0.0;
  int lost_steps_ = 0;
  int events_located_ = 0;
  ContactSet near_, active_, one_;
  ByContact<Kept> kept_;
  std::vector<char> is_active_;     // by contact
  std::vector<int> row_;            // first row by contact of active_
  std::vector<ContactMode> modes_;  // of active_, near_
  Vec e_, gaps_, gaps_1_, gamma_near_, gamma_, c_, w_, q_M_, u_1_, q_1_, q_tau_, u_tau_, u_before_;
  Vec left_, P_trial_, joint_errors_;
};

}  // namespace tappet
