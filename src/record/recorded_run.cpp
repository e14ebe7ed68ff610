// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/recorded_run.h"

#include <tappet/error.h>

#include <algorithm>
#include <stdexcept>

namespace tappet {

// Calls use(at), where at(row, component) is a number. A table of forces has no rows if the scheme never gave one that
// is not zero.
template <class Use>
void RecordedRun::Place::read(const Use& use) const {
  if (value)
    use(value);
  else if (table->rows() == 0)
    use([](long, int) { return 0.0; });
  else
    use([&](long row, int component) { return (*table)(row, first + component); });
}

RecordedRun::RecordedRun(const Recorded& recorded, const RunHeader& header) : recorded_(recorded), header_(header) {
  add("t", recorded.t, 0);
  if (recorded.q.columns() > 0) add("q", recorded.q, 0, recorded.q.columns());
  if (recorded.u.columns() > 0) add("u", recorded.u, 0, recorded.u.columns());
  if (recorded.energy.columns() > 0) {
    add("energy/kinetic", recorded.energy, 0), add("energy/potential", recorded.energy, 1);
    add("energy/total", recorded.energy, 0);
    places_["energy/total"].value = [&](long k, int) { return recorded_.energy(k, 0) + recorded_.energy(k, 1); };
  }
  if (recorded.found.columns() > 0) add("found/count", recorded.found, 0), add("found/penetration", recorded.found, 1);
  int column = 0;
  for (const char* name : {"dt", "residual", "iterations", "status"})
    add(std::string("steps/") + name, recorded.steps, column++);
  add_contacts();
  add_joints();
  if (recorded.layout().found_one_by_one && recorded.found.columns() > 0) add_found();
}

void RecordedRun::add(const std::string& data, const RecordedTable& table, int first, int width) {
  places_[data] = {width, [this] { return samples(); }, &table, first};
}

void RecordedRun::add_contacts() {
  const Layout& layout = recorded_.layout();
  for (size_t i = 0; i < layout.contacts.size(); ++i) {
    const int k = recorded_.kept_contact(static_cast<int>(i)), rows = layout.contacts[i].rows;
    if (k < 0) continue;
    const std::string group = "contacts/" + hdf5_name(layout.contacts[i].name) + "/";
    add(group + "gap", recorded_.gap, k), add(group + "gap_velocity", recorded_.gap_velocity, k);
    add(group + "P_N", recorded_.P_N, k);
    add(group + "lambda_N", recorded_.lambda_N, k), add(group + "Lambda_N", recorded_.Lambda_N, k);
    if (rows == 0) continue;
    const int row = recorded_.first_friction_row(static_cast<int>(i));
    add(group + "slip_velocity", recorded_.slip_velocity, row, rows), add(group + "P_F", recorded_.P_F, row, rows);
    add(group + "lambda_F", recorded_.lambda_F, row, rows), add(group + "Lambda_F", recorded_.Lambda_F, row, rows);
  }
}

void RecordedRun::add_joints() {
  const Layout& layout = recorded_.layout();
  for (size_t i = 0; i < layout.joints.size(); ++i) {
    const auto& [name, row, rows] = layout.joints[i];
    if (rows == 0 || recorded_.kept_joint(static_cast<int>(i)) < 0) continue;
    const std::string group = "joints/" + hdf5_name(name) + "/";
    const int first = recorded_.first_joint_row(static_cast<int>(i));
    add(group + "residual", recorded_.joint_residual, first, rows);
    add(group + "impulse", recorded_.joint_impulse, first, rows);
    for (size_t k = 0; k < layout.measured.size(); ++k) {
      const Layout::MeasuredJoint& joint = layout.measured[k];
      if (joint.name != name) continue;
      for (int q = 0; q < Layout::MeasuredJoint::numbers; ++q)
        if (q < 2 || (q == 2 && joint.friction) || (q == 3 && joint.motor))
          add(group + Layout::MeasuredJoint::quantities(joint.slides, q), recorded_.joint_motion,
              recorded_.first_motion_column(static_cast<int>(k)) + q);
    }
  }
}

void RecordedRun::add_found() {
  const std::string group = "found/contacts/";
  const auto& touching = recorded_.touching;
  places_[group + "offset"] = {1, [this] { return samples(); }, nullptr, 0,
                               [this](long k, int) { return static_cast<double>(recorded_.first_touching[k]); }};
  const auto add_number = [&](const char* name, int width, std::function<double(const FoundContact&, int)> number) {
    places_[group + name] = {width, [&touching] { return static_cast<long>(touching.size()); }, nullptr, 0,
                             [&touching, number](long k, int c) { return number(touching[k], c); }};
  };
  add_number("A", 1, [](const FoundContact& f, int) { return double(f.A); });
  add_number("B", 1, [](const FoundContact& f, int) { return double(f.B); });
  add_number("gap", 1, [](const FoundContact& f, int) { return f.gap; });
  add_number("gap_velocity", 1, [](const FoundContact& f, int) { return f.gap_velocity; });
  add_number("slip", 1, [](const FoundContact& f, int) { return f.slip; });
  add_number("P_N", 1, [](const FoundContact& f, int) { return f.P_N; });
  add_number("P", 3, [](const FoundContact& f, int c) { return f.P[c]; });
  add_number("point", 3, [](const FoundContact& f, int c) { return f.point[c]; });
  add_number("normal", 3, [](const FoundContact& f, int c) { return f.normal[c]; });
}

const RecordedRun::Place& RecordedRun::place(const std::string& data) const {
  const auto found = places_.find(data);
  if (found == places_.end()) throw std::runtime_error("recorded run: no data set " + data);
  return found->second;
}

std::string RecordedRun::text(const std::string& data) const {
  const std::pair<const char*, const std::string*> texts[] = {{"model/name", &header_.model},
                                                              {"model/title", &header_.title},
                                                              {"model/source", &header_.source},
                                                              {"model/text", &header_.model_text},
                                                              {"model/settings", &header_.settings}};
  for (const auto& [name, text] : texts)
    if (data == name) return *text;
  return {};
}

std::string RecordedRun::attribute(const std::string& name) const {
  return name == "scheme" ? header_.scheme : name == "version" ? version : name == "program" ? "tappet" : "";
}

double RecordedRun::number(const std::string& name) const {
  return name == "dt" ? header_.dt : name == "end" ? header_.end : 0.0;
}

std::vector<std::string> RecordedRun::names(const std::string& data) const {
  const Layout& layout = recorded_.layout();
  return data == "q" ? layout.q : data == "u" ? layout.u : std::vector<std::string>();
}
std::vector<std::string> RecordedRun::units(const std::string& data) const {
  const Layout& layout = recorded_.layout();
  return data == "q" ? layout.q_units : data == "u" ? layout.u_units : std::vector<std::string>();
}

std::vector<double> RecordedRun::rows(const std::string& data, std::span<const long> which) const {
  const Place& from = place(data);
  std::vector<double> result;
  result.reserve(which.size() * from.width);
  from.read([&](const auto& at) {
    for (const long k : which)
      for (int c = 0; c < from.width; ++c) result.push_back(at(k, c));
  });
  return result;
}

std::vector<double> RecordedRun::column(const std::string& data, int component, long first, long count) const {
  const Place& from = place(data);
  const long end = std::min(first + count, from.rows());
  std::vector<double> result(count, 0.0);
  from.read([&](const auto& at) {
    for (long k = first; k < end; ++k) result[k - first] = at(k, component);
  });
  return result;
}

std::vector<ResultSource::ListedEvent> RecordedRun::events() const {
  std::vector<ListedEvent> all;
  for (const RecordedEvent& event : recorded_.events)
    all.push_back({event.t, std::string(event.kind),
                   event.contact < 0 ? std::string() : recorded_.layout().contacts[event.contact].name});
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.t < b.t; });
  return all;
}

}  // namespace tappet
