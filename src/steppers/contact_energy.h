// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>

#include <cmath>
#include <string>

#include "system/contact_list.h"

namespace tappet {

// The work of contacts in an impact, and how much energy went to and fro in it.
struct ContactEnergy {
  double work = 0, flow = 0;  // Σ ½ P (γ⁻ + γ⁺), Σ ½ |P| (|γ⁻| + |γ⁺|)
  int giver = -1;             // the contact with the largest work
  double given = 0;           // its work

  ContactEnergy() = default;
  // Rows [joints | set] of velocities before and after with their parts χ of prescribed motion; `impulse(contact, row,
  // r)` is that of row r, where the contact begins at `row`. Contacts with a prescribed motion do not count: whatever
  // moves them may do work.
  template <class Impulse>
  ContactEnergy(const ContactList& contacts, const ContactSet& set, const Vec& before, const Vec& after, const Vec& chi,
                Impulse&& impulse) {
    for (const auto& [k, contact, row] : contacts.each(set)) {
      bool moved = false;
      for (int r = 0; r < contact.rows; ++r) moved |= chi[row + r] != 0.0;
      double own = 0;
      for (int r = 0; r < contact.rows && !moved; ++r) {
        const double P = impulse(contact, row, r);
        own += 0.5 * P * (before[row + r] + after[row + r]);
        flow += 0.5 * std::abs(P) * (std::abs(before[row + r]) + std::abs(after[row + r]));
      }
      work += own;
      if (giver < 0 || own > given) giver = k, given = own;
    }
  }

  // Whether the work is clearly positive: more than this part of the energy that went to and fro.
  bool is_gain(double clear) const { return work > clear * flow; }
};

// How often energy was gained, how much of it, and the largest of these gains.
struct EnergyGain {
  long count = 0;
  double total = 0, most = 0, most_t = 0;  // J, J, s
  std::string contact;                     // that of the largest gain

  void take(double work, double t, const std::string& from);
  void archive(Archive& a) { a(count, total, most, most_t, contact); }
};

// Warnings of a summary; empty if there was no gain. Newton's law of restitution gives energy if there is friction.
std::string words_about_law(const EnergyGain& gain);
std::string words_about_scheme(const EnergyGain& gain);

}  // namespace tappet
