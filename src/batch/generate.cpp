// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/generate.h"

#include <fmt/format.h>

#include <algorithm>

#include "batch/device/settings.h"
#include "batch/device_text.h"
#include "batch/measure_code.h"
#include "batch/write_code.h"

namespace tappet {

namespace {

struct SchemeCode {
  std::string name, type;
};
const std::vector<SchemeCode>& scheme_codes() {
  static const std::vector<SchemeCode> list{{"moreau-midpoint", "MoreauMidpoint"},
                                            {"moreau-explicit", "MoreauExplicit"},
                                            {"half-explicit-velocity", "HalfExplicitVelocity"},
                                            {"explicit-velocity", "ExplicitVelocity"}};
  return list;
}

CodeWriter::Inputs inputs_of(const BatchEquations& e, const MeasureCode& measures) {
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
  add(e.parameters, "values", &inputs.parameters);
  for (const auto& [slot, name] : measures.inputs()) inputs.names[slot] = name;
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

std::string functions(const BatchEquations& e, const MeasureCode& measures, BatchCode& code) {
  using Stage = CodeWriter::Function::Stage;
  CodeWriter writer(e.graph, inputs_of(e, measures));
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
  const std::string text = writer.write();
  code.operations = writer.operations();
  return text;
}

std::string constants(const BatchEquations& e, size_t measures) {
  std::string friction;
  for (size_t k = 0; k < e.contacts.size(); ++k)
    if (e.contacts[k].friction > 0) friction += fmt::format(" || k == {}", k);
  return fmt::format(
      "constexpr int inputs = {}, positions = {}, velocities = {}, joints = {}, contacts = {}, stride = {},\n"
      "              measure_count = {};\n"
      "TAPPET_CONSTANT bool is_friction(int k) {{ return false{}; }}\n",
      e.parameters.size(), e.q.size(), e.u.size(), e.joint_rows, e.contacts.size(), e.stride, measures, friction);
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
  BatchCode code;
  code.inputs = static_cast<int>(equations.parameters.size());
  code.outputs = batch_numbers + static_cast<int>(study.measures.size());
  const auto found = std::find_if(scheme_codes().begin(), scheme_codes().end(),
                                  [&](const SchemeCode& entry) { return entry.name == scheme; });
  code.text = std::string(device_text("settings")) + std::string(device_text("lanes")) +
              constants(equations, study.measures.size()) + std::string(device_text("contacts")) +
              functions(equations, measures, code) + std::string(device_text("schemes")) +
              fmt::format("using Scheme = {};\n", found->type) + std::string(device_text("measures")) +
              measures.text() + std::string(device_text("simulate"));
  return code;
}

}  // namespace tappet
