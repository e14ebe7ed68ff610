// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace tappet {

namespace {

using Json = nlohmann::ordered_json;

Json named(const std::vector<std::string>& names, const Vec& values) {
  Json object = Json::object();
  for (size_t i = 0; i < names.size(); ++i) object[names[i]] = values[static_cast<int>(i)];
  return object;
}

Json worst(const Worst& worst, const char* what) {
  return {{"max", worst.max}, {what, worst.name.empty() ? Json() : Json(worst.name)}, {"time", worst.time}};
}

Json listed_events(const Summary& s) {
  Json list = Json::array();
  for (const RecordedEvent& event : s.events) {
    list.push_back({{"t", event.t},
                    {"kind", std::string(event.kind)},
                    {"contact", event.contact < 0 ? Json() : Json(s.contact_names[event.contact])}});
    if (event.place >= 0) list.back()["formula"] = s.switch_names[event.place];
  }
  return list;
}

Json listed_derivatives(const Summary& s) {
  Json list = Json::array();
  for (const ForceDerivative& d : s.force_derivatives)
    list.push_back({{"force", d.force}, {"choice", d.choice()}, {"exact", d.exact}, {"definite", d.definite}});
  return list;
}

const char* word(RunStatus status) {
  return status == RunStatus::done ? "done" : status == RunStatus::failed ? "failed" : "interrupted";
}

}  // namespace

nlohmann::ordered_json to_json(const Summary& s) {
  Json json = {{"model", s.model}, {"scheme", s.scheme}, {"status", word(s.status)}};
  if (!s.message.empty()) json["message"] = s.message;
  json.update({{"dt", s.dt}, {"end", s.end}, {"time", s.time}, {"steps", s.steps}});
  json.update({{"wall_s", s.wall_s}, {"us_per_step", s.us_per_step()}});
  json["q"] = named(s.q_names, s.q);
  json["u"] = named(s.u_names, s.u);
  if (s.q_names.empty() && !s.q.empty())
    json["left_out"] = fmt::format("q and u: {} coordinates and velocities, named up to {} of them",
                                   s.q.size() + s.u.size(), Layout::most_names);
  json["energy"] = {{"kinetic", s.energy.kinetic},
                    {"potential", s.energy.potential},
                    {"total", s.energy.total()},
                    {"initial", s.initial_energy}};
  json["violation"] = worst(s.violation, "contact");
  json["joint_violation"] = worst(s.joint_violation, "joint");
  if (s.colliders)
    json["found_contacts"] = {{"max", s.max_found}, {"max_closed", s.max_closed}, {"mean_closed", s.mean_closed}};
  if (s.counted_steps > 0)
    json["contact_reduction"] = {{"on", s.reduces},
                                 {"found", {{"max", s.max_pairs}, {"mean", s.mean_pairs}}},
                                 {"kept", {{"max", s.max_kept}, {"mean", s.mean_kept}}},
                                 {"counted_steps", s.counted_steps}};
  if (s.sleeping) json["sleeping"] = {{"end", s.asleep}, {"max", s.max_asleep}, {"mean", s.mean_asleep}};
  if (!s.contact_forces.empty()) json["contact_forces"] = s.contact_forces;
  json["impulsive_steps"] = s.impulsive_steps;
  json["rejected_steps"] = s.rejected_steps;
  json["iterations"] = {{"mean", s.mean_iterations}, {"max", s.max_iterations}};
  if (s.max_islands > 1) json["islands"] = {{"mean", s.mean_islands}, {"max", s.max_islands}};
  json["residual"] = {{"max", s.max_residual}};
  json["unconverged_steps"] = s.unconverged_steps;
  if (!s.force_derivatives.empty()) json["force_derivatives"] = listed_derivatives(s);
  if (s.locates_events || s.event_count > 0) {
    json["events"] = listed_events(s);
    json["event_count"] = s.event_count;
  }
  for (const auto& [phase, seconds] : s.phases) json["profile"][phase] = seconds;
  if (!s.warnings.empty()) json["warnings"] = s.warnings;
  return json;
}

std::string brief(const Summary& s) {
  std::string line = fmt::format("{}, {}: {} steps to t = {:.6g} s in {:.3g} s ({:.3g} µs per step)", s.model, s.scheme,
                                 s.steps, s.time, s.wall_s, s.us_per_step());
  if (!s.contact_names.empty() || s.colliders)
    line += fmt::format(", largest penetration {:.2g} m{}", s.violation.max,
                        s.violation.name.empty() ? "" : fmt::format(" ({})", s.violation.name));
  if (s.counted_steps > 0) line += fmt::format(", at most {} contacts found and {} kept", s.max_pairs, s.max_kept);
  line += fmt::format(", energy {:.6g} → {:.6g} J", s.initial_energy, s.energy.total());
  if (s.sleeping) line += fmt::format(", {} bodies asleep", s.asleep);
  if (s.unconverged_steps > 0) line += fmt::format(", {} steps did not converge", s.unconverged_steps);
  if (s.status == RunStatus::interrupted) line += "; interrupted";
  return line;
}

std::string summary_json(const Summary& summary) {
  return to_json(summary).dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tappet
