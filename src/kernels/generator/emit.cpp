// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/generator/emit.h"

#include <fmt/format.h>

#include <algorithm>

namespace tappet::kernels {

namespace {

constexpr std::array<std::string_view, 8> sources{"A", "B", "u_A", "u_B", "u_dot_A", "u_dot_B", "numbers", "P"};

std::string number(double x) {
  std::string text = fmt::format("{:.17g}", x);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string name_of(const Graph& graph, Node node) {
  const Graph::Entry& e = graph[node];
  if (e.op == Operation::constant)
    return graph.value(node) < 0.0 ? "(" + number(graph.value(node)) + ")" : number(graph.value(node));
  if (e.op == Operation::input) return fmt::format("x.{}[{}]", sources[e.b / slots_per_source], e.b % slots_per_source);
  return fmt::format("v{}", node);
}

std::string expression(const Graph& graph, Node node) {
  const Graph::Entry& e = graph[node];
  const auto at = [&](Node n) { return name_of(graph, n); };
  switch (e.op) {
    case Operation::negate:
      return "-" + at(e.a);
    case Operation::add:
      return at(e.a) + " + " + at(e.b);
    case Operation::subtract:
      return at(e.a) + " - " + at(e.b);
    case Operation::multiply:
      return at(e.a) + " * " + at(e.b);
    case Operation::divide:
      return at(e.a) + " / " + at(e.b);
    case Operation::sqrt:
      return fmt::format("std::sqrt({})", at(e.a));
    case Operation::sin:
      return fmt::format("std::sin({})", at(e.a));
    case Operation::cos:
      return fmt::format("std::cos({})", at(e.a));
    case Operation::abs:
      return fmt::format("std::abs({})", at(e.a));
    case Operation::atan2:
      return fmt::format("std::atan2({}, {})", at(e.a), at(e.b));
    case Operation::less:
      return fmt::format("{} < {} ? 1.0 : 0.0", at(e.a), at(e.b));
    case Operation::select:
      return fmt::format("{} > 0.0 ? {} : {}", at(e.a), at(e.b), at(e.c));
    default:
      throw std::logic_error("an element uses an operation that kernels do not know yet");
  }
}

std::string_view kind_name(Kind kind) {
  return kind == Kind::ground ? "ground" : kind == Kind::planar ? "planar" : "spatial";
}

}  // namespace

Emitter::Emitter(std::string_view type) : name_(type), type_(type) {
  std::replace(type_.begin(), type_.end(), '-', '_');
}

// Writes a function and returns its name.
std::string Emitter::function(const Graph& graph, std::string_view name, const Level& out, const Level& out_2) {
  std::vector<Node> outputs = out.outputs;
  outputs.insert(outputs.end(), out_2.outputs.begin(), out_2.outputs.end());
  if (outputs.empty()) return "nothing";
  std::string full = fmt::format("k{}_{}", kernels_, name);
  std::string body;
  for (Node node : graph.reachable(outputs)) {
    if (operands(graph[node].op) == 0) continue;
    body += fmt::format("  const double v{} = {};\n", node, expression(graph, node));
    ++operations_;
  }
  for (size_t i = 0; i < out.outputs.size(); ++i)
    body += fmt::format("  out[{}] = {};\n", i, name_of(graph, out.outputs[i]));
  for (size_t i = 0; i < out_2.outputs.size(); ++i)
    body += fmt::format("  out_2[{}] = {};\n", i, name_of(graph, out_2.outputs[i]));
  code_ += fmt::format(
      "void {}([[maybe_unused]] const Input& x, [[maybe_unused]] double* __restrict out,"
      " [[maybe_unused]] double* __restrict out_2) {{\n{}}}\n",
      full, body);
  return full;
}

std::string Emitter::list(std::string_view name, const std::vector<int>& values) {
  if (values.empty()) return "{}";
  const std::string full = fmt::format("k{}_{}", kernels_, name);
  code_ += fmt::format("constexpr std::uint8_t {}[] = {{{}}};\n", full, fmt::join(values, ", "));
  return full;
}

std::string Emitter::entries(std::string_view name, const std::vector<Entry>& list) {
  if (list.empty()) return "{}";
  const std::string full = fmt::format("k{}_{}", kernels_, name);
  code_ += fmt::format("constexpr Entry {}[] = {{", full);
  for (const Entry& entry : list) code_ += fmt::format("{{{}, {}}}, ", entry.row, entry.column);
  code_ += "};\n";
  return full;
}

void Emitter::add(Family family, unsigned form, const RecordedRows& r) {
  const Graph& g = r.graph;
  const std::string value = function(g, "value", r.value), W = function(g, "directions", r.W, r.chi),
                    zeta = function(g, "second_rate", r.zeta), K = function(g, "contraction", r.K),
                    D = function(g, "velocity_gradient", r.D),
                    A = r.has_acceleration_gradient ? function(g, "acceleration_gradient", r.D_pose, r.D_twist)
                                                    : "nullptr";
  const std::string rows = list("rows", r.rows), columns = list("columns", r.columns),
                    curvature = entries("curvature", r.K.entries);
  row_table_ += fmt::format("    {{\"{}\", {{Kind::{}, Kind::{}}}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}},\n",
                            name_, kind_name(family.A), kind_name(family.B), form, r.all_rows, rows, columns, value, W,
                            zeta, K, curvature, D, A);
  ++kernels_;
}

void Emitter::add(Family family, unsigned form, const RecordedForce& r) {
  const Graph& g = r.graph;
  const std::string wrench = function(g, "wrench", r.wrench), energy = function(g, "energy", r.energy),
                    K = function(g, "stiffness", r.K), C = function(g, "damping", r.C),
                    lines = function(g, "lines", r.lines);
  const std::string columns = list("columns", r.columns), K_entries = entries("stiffness_entries", r.K.entries),
                    C_entries = entries("damping_entries", r.C.entries);
  force_table_ += fmt::format("    {{\"{}\", {{Kind::{}, Kind::{}}}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}},\n",
                              name_, kind_name(family.A), kind_name(family.B), form, columns, wrench, energy, K, C,
                              K_entries, C_entries, r.line_count, lines);
  ++kernels_;
}

std::string Emitter::section() const {
  std::string text = fmt::format(
      "namespace {{\nnamespace {}_kernels {{\n[[maybe_unused]] void nothing(const Input&, double*, double*) {{}}\n{}\n",
      type_, code_);
  const auto table = [&](std::string_view kind, const std::string& rows) {
    if (!rows.empty()) text += fmt::format("constexpr {} table[] = {{\n{}}};\n", kind, rows);
  };
  table("RowKernel", row_table_);
  table("ForceKernel", force_table_);
  text += fmt::format("}}  // namespace {}_kernels\n}}  // namespace\n", type_);
  const std::string_view kind = row_table_.empty() ? "ForceKernel" : "RowKernel";
  return text + fmt::format(
                    "std::span<const {0}> {1}_list();\nstd::span<const {0}> {1}_list() {{ return "
                    "{1}_kernels::table; }}\n\n",
                    kind, type_);
}

}  // namespace tappet::kernels
