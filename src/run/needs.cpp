// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/needs.h"

#include <fmt/format.h>
#include <tappet/error.h>
#include <unistd.h>

#include <algorithm>

namespace tappet {

double bytes_per_sample(const Layout& layout, const std::vector<std::string>& only) {
  const auto has = [&](const std::string& name) {
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
  };
  double numbers = 8;  // time, and what is recorded of each step
  if (has("q")) numbers += layout.q_size;
  if (has("u")) numbers += layout.u_size;
  if (has("energy")) numbers += 4;
  for (const Layout::Contact& contact : layout.contacts)
    if (has("contacts") || has(contact.name)) numbers += 4 + 3 * contact.rows;
  for (const Layout::Joint& joint : layout.joints)
    if (has("joints") || has(joint.name)) numbers += 2 * joint.rows;
  for (const Layout::MeasuredJoint& joint : layout.measured)
    if (has("joints") || has(joint.name)) numbers += Layout::MeasuredJoint::numbers;
  return sizeof(double) * numbers;
}

void check_needs(const RunNeeds& needs, const std::filesystem::path& folder) {
  if (!folder.empty()) {
    std::filesystem::path place = std::filesystem::absolute(folder);
    while (!std::filesystem::exists(place) && place.has_relative_path()) place = place.parent_path();
    std::error_code error;
    const auto space = std::filesystem::space(place, error);
    if (!error && needs.disk() > static_cast<double>(space.available))
      throw UsageError(fmt::format(
          "record: {:.3g} samples would take about {} in {}, where {} are free; expected a shorter run, "
          "--record N with a larger N, or --record none",
          needs.samples, size_text(needs.disk()), folder.string(), size_text(static_cast<double>(space.available))));
  }
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  if (needs.memory() > memory)
    throw UsageError(
        fmt::format("record: {:.3g} samples would take about {} of memory, and this machine has {}; expected a shorter "
                    "run, or fewer recorded steps",
                    needs.samples, size_text(needs.memory()), size_text(memory)));
}

std::string size_text(double bytes) {
  constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  for (; bytes >= 1000 && unit < 5; ++unit) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string duration_text(double seconds) {
  constexpr double minute = 60, hour = 60 * minute, day = 24 * hour, year = 365.25 * day;
  if (seconds < 2 * minute) return fmt::format("{:.3g} s", seconds);
  if (seconds < 2 * hour) return fmt::format("{:.0f} min", seconds / minute);
  if (seconds < 2 * day) return fmt::format("{:.1f} h", seconds / hour);
  if (seconds < 2 * year) return fmt::format("{:.0f} days", seconds / day);
  return fmt::format("{:.0f} years", seconds / year);
}

}  // namespace tappet
