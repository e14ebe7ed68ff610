// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/watch/switch_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "formula/minimum.h"

namespace tappet {

namespace {

// These schemes are of second order, but only of first order in a step that passes a switch.
constexpr std::string_view second_order[] = {"lcp-trapezoidal",        "generalized-alpha",
                                             "half-explicit-velocity", "half-explicit-acceleration",
                                             "half-explicit-adaptive", "explicit-velocity"};

bool is_second_order(const std::string& scheme) {
  return std::find(std::begin(second_order), std::end(second_order), scheme) != std::end(second_order);
}

// The scheme event-driven locates every switch except these.
void warn_of_surfaces(const System& system, std::vector<std::string>& warnings) {
  for (const std::string& formula : system.surface_switches())
    warnings.push_back(
        fmt::format("{} contains max, abs or another function that switches; event-driven locates switches in formulas "
                    "of coordinates and of time, but not in this formula of positions of bodies: the motion is less "
                    "accurate, and it is wrong if the contact passes an edge",
                    formula));
}

// A scheme that treats an inner corner as a single contact uses one direction at a time. Its steps end on the wrong
// side of the corner, and correcting them may create energy. On a valley (y − |x|)(2 + cos x)/3 we measured a
// reflection at e_N = 0, and energies without bounds.
void warn_of_corners(const System& system, const std::string& scheme, std::vector<std::string>& warnings) {
  const Formulas& formulas = system.model().formulas;
  for (const FormulaContact& contact : formulas.contacts)
    if (!has_outer_edges_only(formulas.graph, contact.gap))
      warnings.push_back(fmt::format(
          "contacts.{}.gap has a kink that is neither an outer edge (a max of smooth formulas) nor a min of several; "
          "if it is an inner corner, {} may reflect the motion or gain energy there; expected a min or max of smooth "
          "formulas, or the scheme event-driven, which locates the kink",
          contact.name, scheme));
}

void warn_of_order(const System& system, const std::string& scheme, std::vector<std::string>& warnings) {
  const size_t count = system.switches().size() + system.time_switches().size();
  if (count == 0) return;
  const std::string first = system.switches().empty() ? system.time_switches()[0].name : system.switches()[0].name;
  warnings.push_back(
      fmt::format("formulas switch ({}{}); {} passes a switch within a step, so that step is only of first order; "
                  "event-driven locates switches",
                  first, count > 1 ? fmt::format(" and {} more", count - 1) : "", scheme));
}

}  // namespace

std::vector<std::string> switch_warnings(const System& system, const std::string& scheme) {
  std::vector<std::string> warnings;
  if (scheme == "event-driven") {
    warn_of_surfaces(system, warnings);
  } else {
    warn_of_corners(system, scheme, warnings);
    if (is_second_order(scheme)) warn_of_order(system, scheme, warnings);
  }
  return warnings;
}

}  // namespace tappet
