// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>

#include <array>
#include <string>
#include <vector>

#include "steppers/contact_energy.h"
#include "steppers/stepper.h"
#include "system/evaluator.h"

namespace tappet {

// Watches whether a mechanism gains energy in impacts. There are two reasons for that:
//   law     The work of the contacts, Σ ½ P (γ⁻ + γ⁺), is positive in a step or in a whole impact. Newton's law of
//           restitution with friction allows this.
//   scheme  The energy is larger than it was before the impact, and the contacts did not do this work. A scheme that
//           moves positions, or that spreads an impact over several steps, does this. It is only watched if nothing
//           else can give energy to the system (energy_sources.h).
// Contacts that are moved, such as those of a belt, do not count.
class EnergyWatch {
 public:
  explicit EnergyWatch(const ContactList& contacts);

  // A step of a run. P has the rows of the present contacts.
  void take(const State& before, const State& after, const StepReport& report, const Vec& P, Evaluator& evaluate);
  void archive(Archive& a) {
    a(steps_, left_, scale_, told_, levels_, giver_, u_before_, impulse_, by_law_, by_scheme_, flow_);
  }
  std::vector<std::string> remarks() const;  // the warnings of the summary

 private:
  static constexpr size_t few = 256;  // contacts
  static constexpr int few_velocities = 600;
  static constexpr int steps_of_impact = 3;   // a scheme may spread an impact over so many steps
  static constexpr int recent = 16;           // steps: a contact that chatters gains what it lost a moment before
  static constexpr double noticeable = 1e-6;  // of the largest kinetic energy until then
  static constexpr double remarkable = 1e-3;  // of it, all gains by the scheme together
  static constexpr double solved = 1e-9;      // the part to which schemes solve for velocities: less work is round-off
  struct Level {
    long step = -1;
    double energy = 0;
  };
  bool is_small() const { return contacts_.system().u_size() <= few_velocities; }
  void begin(const State& before);
  void share(double gained, double work, const State& after);
  void add_impulse(const Vec& P);
  double rise(const State& before, const State& after, Evaluator& evaluate);
  double power_of_motion(const State& state, Evaluator& evaluate);
  void note_level(long step, const Energy& energy);
  ContactEnergy work(const State& before, const State& after, const Vec& P, Evaluator& evaluate);

  const ContactList& contacts_;
  const bool watches_scheme_;
  long steps_ = 0;
  int left_ = 0;                        // steps of the present impact that are still to come
  double scale_ = 0;                    // the largest kinetic energy
  std::array<Level, recent> levels_{};  // energies of the last steps, as far as they were computed
  std::string giver_;                   // the contact that is named
  // Of the present impact: the velocities before it, the impulses of contacts on the velocities, and the work of them
  // that was told already.
  Vec u_before_, impulse_;
  double told_ = 0;
  ContactSet set_, part_;
  BlockRows W_;
  Vec chi_, half_P_, gamma_before_, gamma_after_, back_, h_, h_back_;
  EnergyGain by_law_, by_scheme_;
  double flow_ = 0;  // energy that went to and fro in all impacts [J]
};

}  // namespace tappet
