// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "record/recorder.h"

namespace tappet {

namespace {

constexpr int most_coordinates = 60;
constexpr int most_joint_rows = 60;
constexpr int steps_of_a_mean = 20;

void add_coordinates(const ResultSource& result, const std::string& data, const std::vector<std::string>& otherwise,
                     const char* group, std::vector<Series>& list) {
  if (!result.has(data)) return;
  auto names = result.names(data);
  const auto units = result.units(data);
  if (names.empty()) names = otherwise;
  const int n = result.width(data), shown = std::min(n, most_coordinates);
  for (int i = 0; i < shown; ++i) {
    const int k = static_cast<int>(static_cast<long>(i) * (n - 1) / std::max(1, shown - 1));
    const auto at = [&](const std::vector<std::string>& texts) {
      return k < static_cast<int>(texts.size()) ? texts[k] : std::string();
    };
    list.push_back({at(names), at(units), group, -1, data, k});
  }
}

bool vanishes(const ResultSource& result, const std::string& data) {
  for (int k = 0, width = result.width(data); k < width; ++k) {
    const auto values = result.column(data, k);
    if (std::any_of(values.begin(), values.end(), [](double x) { return x != 0.0; })) return false;
  }
  return true;
}

void add_contacts(const System& system, const ResultSource& result, const std::vector<int>& contacts,
                  std::vector<Series>& list) {
  struct Quantity {
    const char *data, *unit, *group;
    bool may_vanish;
  };
  static constexpr Quantity quantities[] = {{"gap", "m", "gap", false},
                                            {"gap_velocity", "m/s", "gap_velocity", false},
                                            {"slip_velocity", "m/s", "slip_velocity", false},
                                            {"P_N", "N s", "impulse_N", false},
                                            {"P_F", "N s", "impulse_F", false},
                                            {"lambda_N", "N", "force_N", true},
                                            {"lambda_F", "N", "force_F", true},
                                            {"Lambda_N", "N s", "impact_N", true},
                                            {"Lambda_F", "N s", "impact_F", true}};
  for (const Quantity& quantity : quantities) {
    std::vector<Series> group;
    bool vanishing = quantity.may_vanish;
    for (const int c : contacts) {
      const std::string& name = system.named_contacts()[c].name();
      const std::string data = "contacts/" + hdf5_name(name) + "/" + quantity.data;
      if (!result.has(data)) continue;
      vanishing = vanishing && vanishes(result, data);
      const int width = result.width(data);
      for (int k = 0; k < width; ++k)
        group.push_back(
            {width > 1 ? fmt::format("{} {}", name, k + 1) : name, quantity.unit, quantity.group, c, data, k});
    }
    if (!vanishing) list.insert(list.end(), group.begin(), group.end());
  }
}

// Adds means of impulses instead of forces, which the scheme does not give.
void add_mean_forces(const System& system, const ResultSource& result, const std::vector<int>& contacts,
                     std::vector<Series>& list) {
  for (const auto& [impulse, group] : {std::pair{"P_N", "force_N"}, std::pair{"P_F", "force_F"}}) {
    std::erase_if(list, [&, g = group](const Series& s) { return s.group == g; });
    for (const int c : contacts) {
      const std::string& name = system.named_contacts()[c].name();
      const std::string data = "contacts/" + hdf5_name(name) + "/" + impulse;
      const int width = result.has(data) ? result.width(data) : 0;
      for (int k = 0; k < width; ++k)
        list.push_back(
            {fmt::format("{}{}, mean of {} steps", name, width > 1 ? fmt::format(" {}", k + 1) : "", steps_of_a_mean),
             "N", group, c, data, k, steps_of_a_mean});
    }
  }
}

void add_motion(const System& system, const ResultSource& result, std::vector<Series>& list) {
  for (const System::MeasuredJoint& joint : system.measured_joints()) {
    const JointEntry& entry = system.model().joints[joint.joint];
    const bool slides = entry.actions.coordinate.slides;
    const std::string group = "joints/" + hdf5_name(entry.name) + "/";
    if (result.has(group + "speed"))
      list.push_back({entry.name + ".speed", slides ? "m/s" : "rad/s", "velocity", -1, group + "speed", 0});
    for (const char* force : {"friction", "motor"})
      if (result.has(group + force))
        list.push_back(
            {fmt::format("{}.{}", entry.name, force), slides ? "N" : "N m", "joint_force", -1, group + force, 0});
  }
}

void add_joints(const System& system, const ResultSource& result, std::vector<Series>& list) {
  int rows = 0;
  for (const Constraint& joint : system.joints()) {
    const std::string data = "joints/" + hdf5_name(joint.name()) + "/residual";
    if (!result.has(data)) continue;
    const int width = result.width(data);
    for (int k = 0; k < width && rows < most_joint_rows; ++k, ++rows)
      list.push_back({width > 1 ? fmt::format("{} {}", joint.name(), k + 1) : joint.name(), "", "joint", -1, data, k});
  }
}

}  // namespace

std::vector<double> mean_forces(const std::vector<double>& P, const std::vector<double>& dt, int steps) {
  const long n = static_cast<long>(P.size()), reach = std::max(1, steps / 2);
  std::vector<double> forces(P.size(), 0.0);
  long last = -reach;  // the last impulse in reach that is not zero; most contacts are open most of the time
  for (long k = 0; k < std::min(n, reach - 1); ++k)
    if (P[k] != 0.0) last = k;
  for (long i = 0; i < n; ++i) {
    if (i + reach - 1 < n && P[i + reach - 1] != 0.0) last = i + reach - 1;
    if (last <= i - reach) continue;
    double impulse = 0.0, time = 0.0;
    for (long k = std::max(0L, i - reach + 1); k < std::min(n, i + reach); ++k) {
      const double weight = static_cast<double>(reach - std::abs(k - i));
      impulse += weight * P[k], time += weight * dt[k];
    }
    forces[i] = time > 0.0 ? impulse / time : 0.0;
  }
  return forces;
}

std::vector<Series> series_of(const System& system, const ResultSource& result, const std::vector<int>& contacts,
                              bool alternating) {
  std::vector<Series> list;
  const std::vector<std::string> q_names = system.q_names();
  add_coordinates(result, "q", q_names, "position", list);
  add_coordinates(result, "u", system.u_names(), "velocity", list);
  std::erase_if(list, [](const Series& s) { return s.name.ends_with(".pad"); });
  add_motion(system, result, list);
  for (Series& s : list)  // a velocity with the same name as its position
    if (s.group == "velocity" && std::find(q_names.begin(), q_names.end(), s.name) != q_names.end()) s.name += "'";
  add_contacts(system, result, contacts, list);
  if (alternating && result.has("steps/dt")) add_mean_forces(system, result, contacts, list);
  for (const char* name : {"kinetic", "potential", "total"})
    if (result.has(std::string("energy/") + name))
      list.push_back({name, "J", "energy", -1, std::string("energy/") + name});
  if (result.has("found/count")) list.push_back({"contacts between colliders", "", "found_count", -1, "found/count"});
  if (result.has("found/penetration"))
    list.push_back({"deepest penetration", "m", "penetration", -1, "found/penetration"});
  add_joints(system, result, list);
  if (result.has("steps/iterations")) list.push_back({"iterations", "", "iterations", -1, "steps/iterations"});
  if (result.has("steps/residual")) list.push_back({"residual", "", "residual", -1, "steps/residual"});
  if (result.has("steps/dt")) list.push_back({"step", "s", "step", -1, "steps/dt"});
  return list;
}

}  // namespace tappet
