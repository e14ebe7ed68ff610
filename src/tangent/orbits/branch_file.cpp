// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/orbits/branch_file.h"

#include <fmt/format.h>

#include <fstream>

#include "files/hdf5_file.h"

namespace tappet {

namespace {

std::string or_nothing(double x) { return std::isfinite(x) ? fmt::format("{:.17g}", x) : ""; }

void write_lines(std::ostream& out, const Branch& branch, size_t number) {
  for (const BranchPoint& point : branch.points) {
    const auto& close = point.orbit.back.closeness;
    out << fmt::format("{},{:.17g},{:.17g},{},{:.17g},{},{},{}", number, point.parameter, point.orbit.period(),
                       point.orbit.stable() ? 1 : 0, point.orbit.largest, name(point.kind),
                       or_nothing(close.slowest_impact.value), or_nothing(close.nearest_miss.value));
    for (const double x : point.orbit.start.q) out << fmt::format(",{:.17g}", x);
    for (const double x : point.orbit.start.u) out << fmt::format(",{:.17g}", x);
    for (const auto& one : point.orbit.multipliers) out << fmt::format(",{:.17g},{:.17g}", one.real(), one.imag());
    out << "\n";
  }
}

// One number of every point.
template <class F>
void write_column(hid_t group, const std::string& name, const Branch& branch, F&& value) {
  std::vector<double> column;
  for (const BranchPoint& point : branch.points) column.push_back(value(point));
  hdf5::write_numbers(group, name, column);
}

void write_branch(hid_t file, const Branch& branch, const System& system, const std::string& parameter, size_t number) {
  const hdf5::Handle group = hdf5::create_group(file, fmt::format("branch{}", number));
  hdf5::write_attribute(group, "parameter", parameter);
  hdf5::write_attribute(group, "returns", branch.rule.times);
  write_column(group, "parameter", branch, [](const BranchPoint& p) { return p.parameter; });
  write_column(group, "period", branch, [](const BranchPoint& p) { return p.orbit.period(); });
  write_column(group, "start_time", branch, [](const BranchPoint& p) { return p.orbit.start.t; });
  write_column(group, "largest_multiplier", branch, [](const BranchPoint& p) { return p.orbit.largest; });
  write_column(group, "slowest_impact", branch,
               [](const BranchPoint& p) { return p.orbit.back.closeness.slowest_impact.value; });
  write_column(group, "nearest_miss", branch,
               [](const BranchPoint& p) { return p.orbit.back.closeness.nearest_miss.value; });
  std::vector<int> stable;
  std::vector<std::string> kinds, events;
  for (const BranchPoint& point : branch.points) {
    stable.push_back(point.orbit.stable() ? 1 : 0), kinds.emplace_back(name(point.kind));
    events.push_back(point.orbit.back.words());
  }
  hdf5::write_integers(group, "stable", stable);
  hdf5::write_texts(group, "kind", kinds);
  hdf5::write_texts(group, "events", events);
  const hdf5::Handle q = hdf5::create_group(group, "q"), u = hdf5::create_group(group, "u");
  for (int i = 0; i < system.q_size(); ++i)
    write_column(q, system.q_names()[i], branch, [&](const BranchPoint& p) { return p.orbit.start.q[i]; });
  for (int i = 0; i < system.u_size(); ++i)
    write_column(u, system.u_names()[i], branch, [&](const BranchPoint& p) { return p.orbit.start.u[i]; });
  const hdf5::Handle multipliers = hdf5::create_group(group, "multipliers");
  const size_t count = branch.points.empty() ? 0 : branch.points[0].orbit.multipliers.size();
  for (size_t i = 0; i < count; ++i) {
    const auto of = [i](const BranchPoint& p) { return p.orbit.multipliers[i]; };
    write_column(multipliers, fmt::format("re{}", i + 1), branch, [&](const BranchPoint& p) { return of(p).real(); });
    write_column(multipliers, fmt::format("im{}", i + 1), branch, [&](const BranchPoint& p) { return of(p).imag(); });
  }
}

}  // namespace

void write_branches_csv(const std::filesystem::path& file, const std::vector<Branch>& branches, const System& system,
                        const std::string& parameter) {
  std::ofstream out(file);
  out << "branch," << parameter << ",period,stable,largest_multiplier,kind,slowest_impact,nearest_miss";
  for (const std::string& one : system.q_names()) out << "," << one;
  for (const std::string& one : system.u_names()) out << ",d(" << one << ")/dt";
  const size_t count = branches.empty() ? 0 : branches[0].points[0].orbit.multipliers.size();
  for (size_t i = 0; i < count; ++i) out << fmt::format(",multiplier{0}_re,multiplier{0}_im", i + 1);
  out << "\n";
  for (size_t b = 0; b < branches.size(); ++b) write_lines(out, branches[b], b);
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", file.string()));
}

void write_branches_hdf5(const std::filesystem::path& file, const std::vector<Branch>& branches, const System& system,
                         const std::string& parameter) {
  hdf5::be_silent();
  const hdf5::Handle handle = hdf5::create_file(file);
  hdf5::write_text(handle, "model", system.model().text);
  for (size_t b = 0; b < branches.size(); ++b) write_branch(handle, branches[b], system, parameter, b);
}

}  // namespace tappet
