// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/keys.h"

#include <nlohmann/json.hpp>

#include "model/reading/element_keys.h"
#include "run/make_stepper.h"

namespace tappet::studio {

namespace {

using Json = nlohmann::ordered_json;

struct Section {
  const char *key, *about;
};
// docs/model-files.md describes them in full.
constexpr Section sections[] = {
    {"title", "A text: what the model is."},
    {"source", "A text: where the model comes from."},
    {"parameters",
     "name: number or formula, in any order. {value: 0.1, from: 0, to: 1} also gives the range of its slider."},
    {"coordinates", "name: {position, velocity}, both 0 unless given. In formulas name' is the velocity."},
    {"define", "name: formula of t, coordinates, velocities and other definitions. All formulas below may use it."},
    {"lagrangian", "{kinetic, potential}: the energies as formulas. Mass matrix and forces are derived from them."},
    {"mass", "Instead of a Lagrangian: rows of formulas, or the diagonal. `forces` then hold everything."},
    {"geometry", "name: {type, ..}: shapes for mass, contacts and drawing."},
    {"bodies", "name: {type, ..}: points, planar, rigid and flexible bodies. `ground` always exists."},
    {"joints", "name: {type, bodies: [A, B], ..}, or {constraint: formula}, or {velocity_constraint: formula}."},
    {"contacts", "name: {gap: formula, slip: formula, e_N, e_F, mu}, or {type, bodies: [A, B], ..}."},
    {"colliders", "name: {type, body, ..}: solids whose contacts are found while the run goes on."},
    {"forces", "coordinate: formula, the generalised force on it; or name: {type, ..}, a force element."},
    {"run", "{scheme, dt, end, record, start} and options of the scheme and its solver."},
    {"draw", "What the picture shows, as a list of items such as `- box: {center: [x, y], size: [1, 1]}`."},
};
constexpr Section of_run[] = {
    {"scheme", "The time-stepping scheme; `tappet schemes` lists them with their papers."},
    {"dt", "The time step in seconds."},
    {"end", "The end of the run in seconds."},
    {"record", "Every N-th step is kept: N, none, or {every: N, only: [names], contacts: found}."},
    {"start", "`project` moves the start onto joints and contacts, by at most 1e-3 or {project: LIMIT}."},
    {"sleeping", "{speed, after}: bodies slower than this speed for so long sleep; false: none sleep."},
    {"reduction",
     "on or off: whether convex solids touch at the corners of their common patch only, or at all pairs of features."},
};
constexpr Section of_coordinate[] = {{"position", "The position at the start."},
                                     {"velocity", "The velocity at the start."}};
constexpr Section of_lagrangian[] = {{"kinetic", "The kinetic energy, a formula."},
                                     {"potential", "The potential energy, a formula."}};
constexpr Section of_joint[] = {{"type", "The type of the joint."},
                                {"bodies", "[A, B]: the two bodies. Elements count from A to B."},
                                {"constraint", "A formula that stays zero, or a list of formulas."},
                                {"velocity_constraint", "A formula, linear in the velocities, that stays zero."}};
constexpr Section of_contact[] = {{"type", "The type of the contact."},
                                  {"bodies", "[A, B]: the two bodies."},
                                  {"gap", "The distance, a formula. It must not become negative."},
                                  {"slip", "The way along the surface, a formula; its rate is the slip velocity."},
                                  {"slip_velocity", "The slip velocity, if it is not the rate of a formula."}};
constexpr Section of_element[] = {{"type", "The type of the element."}, {"body", "The body it belongs to."}};

Json key(const std::string& name, const std::string& about, bool required = false) {
  return {{"key", name}, {"about", about}, {"required", required}};
}

template <size_t n>
Json list(const Section (&rows)[n]) {
  Json keys = Json::array();
  for (const auto& [name, about] : rows) keys.push_back(key(name, about));
  return keys;
}

void add_options(const std::vector<OptionInfo>& options, const std::string& of, Json& keys) {
  for (const OptionInfo& option : options)
    keys.push_back(key(option.name, option.meaning + " (" + option.expected + "; " + option.value + of + ")"));
}

// The keys of an entry of a section: those that every entry has, and those of each type.
Json entries() {
  Json all = {{"coordinates", {{"keys", list(of_coordinate)}}}, {"joints", {{"keys", list(of_joint)}}},
              {"contacts", {{"keys", list(of_contact)}}},       {"bodies", {{"keys", list(of_element)}}},
              {"forces", {{"keys", list(of_element)}}},         {"geometry", {{"keys", list(of_element)}}},
              {"colliders", {{"keys", list(of_element)}}}};
  for (const ElementKeys& element : element_keys()) {
    Json& section = all[element.section];
    Json rows = Json::array();
    // An entry without a name stands beside the types. What it requires, it requires of those who choose it.
    const bool has_type = !element.name.empty();
    for (const KeyTable::Row& row : element.rows)
      rows.push_back(key(row.key, row.expects + (row.value.empty() ? "" : " (" + row.value + " unless given)"),
                         has_type && row.required));
    if (!has_type)
      section["keys"].insert(section["keys"].end(), rows.begin(), rows.end());
    else
      section["types"].push_back({{"name", element.name}, {"about", element.about}, {"keys", rows}});
  }
  return all;
}

}  // namespace

Json keys() {
  Json run = list(of_run), names = Json::array();
  for (const SchemeInfo& scheme : schemes()) {
    names.push_back({{"name", scheme.name}, {"about", scheme.summary + " " + scheme.paper + "."}});
    add_options(scheme.options, "; " + scheme.name, run);
  }
  add_options(solver_options(), "; every scheme", run);
  return {{"sections", list(sections)},
          {"run", run},
          {"lagrangian", list(of_lagrangian)},
          {"entries", entries()},
          {"schemes", names}};
}

}  // namespace tappet::studio
