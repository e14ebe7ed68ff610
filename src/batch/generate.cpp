// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/generate.h"

#include <fmt/format.h>

#include <algorithm>

#include "batch/device/settings.h"
#include "batch/device_text.h"
#include "batch/implicit/implicit_code.h"
#include "batch/measure_code.h"
#include "batch/write_code.h"

namespace tappet {

namespace {

// Loops over more rows of contacts or velocities stay loops.
constexpr int most_unrolled_rows = 24, most_unrolled_velocities = 40;

struct SchemeCode {
  std::string name, type;
  bool at_one_point;               // whether impulses act along the directions along which their law holds
  std::vector<std::string> files;  // of the device
};
const std::vector<SchemeCode>& scheme_codes() {
  static const std::vector<SchemeCode> list{
      {"moreau-midpoint", "MoreauMidpoint", true, {"moreau_midpoint"}},
      {"moreau-explicit", "MoreauExplicit", true, {"moreau_explicit"}},
      {"half-explicit-velocity", "HalfExplicitVelocity", false, {"forecasting", "half_explicit"}},
      {"explicit-velocity", "ExplicitVelocity", true, {"forecasting", "explicit"}},
      {"lcp-euler", "LcpEuler", false, {"extrapolation", "lcp_euler"}},
      {"moreau-jean", "MoreauJean", false, {"extrapolation", "moreau_jean"}},
      {"ggl-unified", "GglUnified", false, {"extrapolation", "ggl_unified"}}};
  return list;
}

CodeWriter::Inputs inputs_of(const BatchEquations& e, const MeasureCode& measures, const ImplicitCode& implicit) {
  CodeWriter::Inputs inputs;
  const auto add = [&](const std::vector<Node>& nodes, const char* array, std::vector<int>* stage) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      const int slot = e.graph[nodes[i]].b;
      inputs.names[slot] = fmt::format("{}[{}]", array, i);
      if (stage) stage->push_back(slot);
    }
  };
  inputs.names[e.graph[e.t].b] = "t";
  inputs.position.push_back(e.graph[e.t].b);
  add(e.q, "q", &inputs.position);
  add(e.u, "u", nullptr);
  add(e.P, "P", nullptr);
  add(e.push, "w", nullptr);
  add(e.parameters, "values", &inputs.parameters);
  for (const auto& [slot, name] : measures.inputs()) inputs.names[slot] = name;
  for (const auto& [slot, name] : implicit.inputs()) inputs.names[slot] = name;
  return inputs;
}

CodeWriter::Outputs array(const std::string& name, const std::vector<Node>& nodes) {
  CodeWriter::Outputs outputs;
  for (size_t i = 0; i < nodes.size(); ++i) outputs.emplace_back(fmt::format("{}[{}]", name, i), nodes[i]);
  return outputs;
}

CodeWriter::Outputs matrix(const std::string& name, const std::vector<Node>& nodes, size_t columns) {
  CodeWriter::Outputs outputs;
  for (size_t i = 0; i < nodes.size(); ++i)
    outputs.emplace_back(fmt::format("{}[{}][{}]", name, i / columns, i % columns), nodes[i]);
  return outputs;
}

CodeWriter::Outputs parameter_outputs(const BatchEquations& e, const MeasureCode& measures) {
  CodeWriter::Outputs outputs;
  for (size_t k = 0; k < e.contacts.size(); ++k) {
    const auto& c = e.contacts[k];
    for (const auto& [name, node] :
         {std::pair{"mu", c.mu}, std::pair{"e_N", c.e_N}, std::pair{"e_F", c.e_F}, std::pair{"touching", c.touching}})
      outputs.emplace_back(fmt::format("p.{}[{}]", name, k), node);
  }
  for (size_t i = 0; i < measures.times().size(); ++i)
    outputs.emplace_back(fmt::format("p.times[{}]", i), measures.times()[i]);
  return outputs;
}

std::string functions(const BatchEquations& e, const MeasureCode& measures, const ImplicitCode& implicit,
                      BatchCode& code) {
  using Stage = CodeWriter::Function::Stage;
  CodeWriter writer(e.graph, inputs_of(e, measures, implicit));
  writer.more_parameters = fmt::format(
      "  Real mu[contact_space], e_N[contact_space], e_F[contact_space], touching[contact_space], times[{}];\n",
      std::max<size_t>(1, measures.times().size()));
  writer.more_point = "  Real gap[contact_space];\n";
  std::vector<Node> gaps;
  for (const auto& contact : e.contacts) gaps.push_back(contact.gap);
  CodeWriter::Outputs start = array("q", e.q_start), u_start = array("u", e.u_start);
  start.insert(start.end(), u_start.begin(), u_start.end());
  const std::string point = "const Parameters& p, const Point& s";
  writer.add({"void parameters(const Real* values, Parameters& p)", Stage::parameters, parameter_outputs(e, measures)});
  writer.add({"void start(const Parameters& p, Real* q, Real* u)", Stage::apart, start});
  writer.add({"void displace(const Real* q, const Real* u, Real* to)", Stage::apart, array("to", e.displaced)});
  writer.add({"void place(const Parameters& p, Real t, const Real* q, Point& s)", Stage::place, array("s.gap", gaps)});
  writer.add({"void directions(const Parameters& p, Point& s)", Stage::directions, {}});
  writer.add({fmt::format("void accelerations({}, const Real* u, Real* a)", point), Stage::after_place,
              array("a", e.accelerations)});
  writer.add({fmt::format("void hold({}, Real* u)", point), Stage::after_place,
              e.joint_rows > 0 ? array("u", e.held) : CodeWriter::Outputs{}});
  writer.add({fmt::format("void rates({}, const Real* u, Real* gamma)", point), Stage::after_directions,
              array("gamma", e.rates)});
  writer.add({fmt::format("void products({}, const Real* u, Real* y)", point), Stage::after_directions,
              array("y", e.products)});
  writer.add({fmt::format("void contact_rows({}, Real (*W)[column_space])", point), Stage::after_directions,
              matrix("W", e.contact_rows, e.contact_columns.size())});
  writer.add({fmt::format("void drifts({}, Real* chi)", point), Stage::after_directions, array("chi", e.drifts)});
  writer.add({fmt::format("void compliance({}, Real (*C)[column_space])", point), Stage::after_directions,
              matrix("C", e.compliance, e.contact_columns.size())});
  writer.add(
      {fmt::format("void push({}, const Real* w, Real* u)", point), Stage::after_directions, array("u", e.pushed)});
  writer.add({fmt::format("void delassus({}, Real (*G)[row_space])", point), Stage::after_directions,
              matrix("G", e.delassus, e.rows())});
  writer.add({fmt::format("void responses({}, Real (*X)[{}])", point, std::max<size_t>(1, e.u.size())),
              Stage::after_directions, matrix("X", e.responses, e.u.size())});
  writer.add({fmt::format("void respond({}, const Real* P, Real* u)", point), Stage::after_directions,
              array("u", e.response)});
  writer.add(
      {"void quantities(const Parameters& p, Real t, Real dt, const Real* q, const Real* u, const Real* P, "
       "Real residual, Real closed, Real iterations, Real unconverged, Real* x)",
       Stage::apart, array("x", measures.quantities())});
  for (const CodeWriter::Function& function : implicit.functions()) writer.add(function);
  const std::string text = writer.write();
  code.operations = writer.operations();
  return text;
}

std::string constants(const BatchEquations& e, size_t measures, bool coupled, bool dense) {
  std::string friction, pressed;
  for (size_t k = 0; k < e.contacts.size(); ++k) {
    if (e.contacts[k].friction > 0) friction += fmt::format(" || k == {}", k);
    if (e.contacts[k].pressed) pressed += fmt::format(" || k == {}", k);
  }
  std::string columns = "0";
  for (size_t i = e.contact_columns.size(); i-- > 0;)
    columns = fmt::format("i == {} ? {} : {}", i, e.contact_columns[i], columns);
  return fmt::format(
      "constexpr int inputs = {}, positions = {}, velocities = {}, columns = {}, joints = {}, contacts = {}, stride = "
      "{},\n"
      "              measure_count = {};\n"
      "constexpr bool coupled = {}, dense = {};\n"
      "TAPPET_CONSTANT bool is_friction(int k) {{ return false{}; }}\n"
      "TAPPET_CONSTANT bool is_pressed(int k) {{ return false{}; }}\n"
      "TAPPET_CONSTANT int contact_column(int i) {{ return {}; }}\n",
      e.parameters.size(), e.q.size(), e.u.size(), e.contact_columns.size(), e.joint_rows, e.contacts.size(), e.stride,
      measures, coupled, dense, friction, pressed, columns);
}

}  // namespace

const std::vector<std::string>& batch_schemes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const SchemeCode& scheme : scheme_codes()) list.push_back(scheme.name);
    return list;
  }();
  return names;
}

BatchCode batch_code(BatchEquations& equations, const Study& study, const std::string& scheme) {
  const MeasureCode measures(equations, study);
  const ImplicitCode implicit(equations, scheme);
  BatchCode code;
  code.inputs = static_cast<int>(equations.parameters.size());
  code.outputs = batch_numbers + static_cast<int>(study.measures.size());
  code.series = measures.series();
  const auto found = std::find_if(scheme_codes().begin(), scheme_codes().end(),
                                  [&](const SchemeCode& entry) { return entry.name == scheme; });
  const auto text = [](const std::string& name) { return std::string(device_text(name)); };
  const bool coupled = scheme == "ggl-unified";
  const int rows = equations.rows() * (coupled ? 2 : 1);
  if (rows > most_unrolled_rows || equations.u.size() > most_unrolled_velocities) code.text = "#define TAPPET_LARGE\n";
  code.text += text("settings") + text("lanes") +
               constants(equations, study.measures.size(), coupled, !found->at_one_point) + text("contact_problem") +
               text(equations.stride > 2 ? "spatial_contacts" : "planar_contacts") + implicit.constants() +
               functions(equations, measures, implicit, code) + text("schemes");
  if (!coupled)
    code.text += text("contact_rates") + (equations.stride > 2 ? "" : text("few_contacts")) + text("contact_law");
  for (const std::string& file : found->files) code.text += text(file);
  code.text += fmt::format("using Scheme = {};\n", found->type) + text("measures") + measures.text() + text("simulate");
  return code;
}

}  // namespace tappet
