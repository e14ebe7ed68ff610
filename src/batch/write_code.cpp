// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/write_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <stdexcept>

namespace tappet {

namespace {

using Stage = CodeWriter::Function::Stage;

constexpr int most_inlined = 3000, most_in_part = 1000;  // operations

// Operations that are functions of the device.
std::string_view function_name(Operation op) {
  switch (op) {
    case Operation::sin:
      return "sin_of";
    case Operation::cos:
      return "cos_of";
    case Operation::tan:
      return "tan_of";
    case Operation::asin:
      return "asin_of";
    case Operation::acos:
      return "acos_of";
    case Operation::atan:
      return "atan_of";
    case Operation::sqrt:
      return "sqrt_of";
    case Operation::exp:
      return "exp_of";
    case Operation::log:
      return "log_of";
    case Operation::abs:
      return "abs_of";
    case Operation::sign:
      return "sign_of";
    case Operation::step:
      return "step_of";
    case Operation::sinh:
      return "sinh_of";
    case Operation::cosh:
      return "cosh_of";
    case Operation::tanh:
      return "tanh_of";
    case Operation::floor:
      return "floor_of";
    case Operation::power:
      return "power_of";
    case Operation::atan2:
      return "atan2_of";
    case Operation::min:
      return "smaller";
    case Operation::max:
      return "larger";
    case Operation::less:
      return "less";
    case Operation::select:
      return "choose";
    default:
      return "";
  }
}

char sign_between(Operation op) { return op == Operation::add ? '+' : op == Operation::subtract ? '-' : '*'; }

// xⁿ by squaring, as formula/program.cpp computes it.
std::string power_text(const std::string& x, int n) {
  if (n == 1) return x;
  if (n % 2) return fmt::format("({} * {})", power_text(x, n - 1), x);
  const std::string root = power_text(x, n / 2);
  return fmt::format("({} * {})", root, root);
}

// The names in a list of parameters: "p, q, W" for "const Parameters& p, const Real* q, Real (*W)[3]".
std::string arguments_of(const std::string& parameters) {
  static const std::regex name(R"((\w+)(\)\[\w+\])?(,|$))");
  std::string list;
  for (std::sregex_iterator i(parameters.begin(), parameters.end(), name), end; i != end; ++i)
    list += (list.empty() ? "" : ", ") + (*i)[1].str();
  return list;
}

}  // namespace

CodeWriter::CodeWriter(const Graph& graph, Inputs inputs) : graph_(graph), inputs_(std::move(inputs)) {}

void CodeWriter::add(Function function) { functions_.push_back(std::move(function)); }

void CodeWriter::find_levels(const Inputs& inputs) {
  const auto among = [](const std::vector<int>& slots, int slot) {
    return std::find(slots.begin(), slots.end(), slot) != slots.end();
  };
  level_.assign(graph_.size(), Level::constant);
  for (Node node = 0; node < graph_.size(); ++node) {
    const Graph::Entry& e = graph_[node];
    if (e.op == Operation::input) {
      level_[node] = among(inputs.parameters, e.b) ? Level::parameter
                     : among(inputs.position, e.b) ? Level::position
                                                   : Level::state;
      continue;
    }
    const Node operand[] = {e.a, e.b, e.c};
    for (int i = 0; i < operands(e.op); ++i) level_[node] = std::max(level_[node], level_[operand[i]]);
  }
}

// Assigns every node to the first stage that needs it and can compute it.
void CodeWriter::divide_into_stages() {
  find_levels(inputs_);
  stage_.assign(graph_.size(), Stage::apart);
  kept_.assign(graph_.size(), false);
  std::vector<bool> placed(graph_.size(), false);
  for (const Stage stage : {Stage::place, Stage::directions})
    for (const Function& f : functions_) {
      const bool early = f.stage == Stage::place || f.stage == Stage::after_place;
      if (f.stage == Stage::apart || f.stage == Stage::parameters || early != (stage == Stage::place)) continue;
      std::vector<Node> outputs;
      for (const auto& [text, node] : f.outputs) outputs.push_back(node);
      for (Node node : graph_.reachable(outputs))
        if (level_[node] == Level::position && !placed[node]) stage_[node] = stage, placed[node] = true;
    }
  for (Node node = 0; node < graph_.size(); ++node)
    if (level_[node] == Level::parameter) stage_[node] = Stage::parameters;
  // What later functions use is kept first, because a stage computes what is kept of it, and needs others for that.
  for (const Stage stage :
       {Stage::apart, Stage::after_directions, Stage::after_place, Stage::directions, Stage::place, Stage::parameters})
    for (const Function& f : functions_)
      if (f.stage == stage) keep_what_it_uses(f);
}

// A node is kept if a function that does not compute it uses it.
void CodeWriter::keep_what_it_uses(const Function& f) {
  for (const auto& [text, node] : f.outputs)
    if (!is_local(node, f)) kept_[node] = true;
  for (Node node : graph_.reachable(outputs_of(f))) {
    if (!is_local(node, f)) continue;
    const Graph::Entry& e = graph_[node];
    const Node operand[] = {e.a, e.b, e.c};
    for (int i = 0; i < operands(e.op); ++i)
      if (operands(graph_[operand[i]].op) > 0 && !is_local(operand[i], f)) kept_[operand[i]] = true;
  }
}

// A stage also computes what is kept of it for others.
std::vector<Node> CodeWriter::outputs_of(const Function& f) const {
  std::vector<Node> outputs;
  for (const auto& [text, node] : f.outputs) outputs.push_back(node);
  for (Node node = 0; fills(f) && node < graph_.size(); ++node)
    if (kept_[node] && is_local(node, f)) outputs.push_back(node);
  return outputs;
}

// Whether the function computes the node itself.
bool CodeWriter::is_local(Node node, const Function& in) const {
  if (level_[node] == Level::constant) return true;
  if (level_[node] == Level::parameter) return in.stage == Stage::parameters;
  if (in.stage == Stage::apart || level_[node] == Level::state) return true;
  return stage_[node] == in.stage;
}

std::string CodeWriter::name(Node node, const Function& in) const {
  const Graph::Entry& e = graph_[node];
  if (e.op == Operation::constant) return fmt::format("real({:.17g})", graph_.value(node));
  if (e.op == Operation::input) {
    if (level_[node] == Level::parameter && in.stage != Stage::parameters) return fmt::format("p.v{}", node);
    if (level_[node] == Level::position && in.stage != Stage::place && in.stage != Stage::apart)
      return fmt::format("s.v{}", node);
    return inputs_.names.at(e.b);
  }
  if (is_local(node, in)) return in_other_part(node) ? fmt::format("k[{}]", place_[node]) : fmt::format("v{}", node);
  return fmt::format("{}.v{}", level_[node] == Level::parameter ? "p" : "s", node);
}

std::string CodeWriter::expression(Node node, const Function& in) const {
  const Graph::Entry& e = graph_[node];
  const auto at = [&](Node n) { return name(n, in); };
  switch (e.op) {
    case Operation::negate:
      return "-" + at(e.a);
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
      return fmt::format("{} {} {}", at(e.a), sign_between(e.op), at(e.b));
    case Operation::divide:
      return fmt::format("quotient({}, {})", at(e.a), at(e.b));
    case Operation::power:
      if (graph_.is_constant(e.b)) {
        const double exponent = graph_.value(e.b);
        if (exponent == std::trunc(exponent) && std::abs(exponent) <= 64.0) {
          const std::string positive = power_text(at(e.a), static_cast<int>(std::abs(exponent)));
          return exponent > 0.0 ? positive : fmt::format("quotient(real(1), {})", positive);
        }
      }
      break;
    case Operation::table:
      throw std::invalid_argument("a table in a formula");
    default:
      break;
  }
  const int count = operands(e.op);
  return fmt::format("{}({}{}{})", function_name(e.op), at(e.a), count > 1 ? ", " + at(e.b) : "",
                     count > 2 ? ", " + at(e.c) : "");
}

void CodeWriter::write_node(Node node, const Function& in, std::string& body) {
  const Graph::Entry& e = graph_[node];
  if (done_[node] || operands(e.op) == 0 || !is_local(node, in)) return;
  done_[node] = true, ++operations_;
  body += fmt::format("  const Real v{} = {};\n", node, expression(node, in));
}

// All nodes below the outputs, operands first. Each is placed before its first use, so that few numbers are alive at
// the same time.
std::vector<Node> CodeWriter::in_order_of_use(const std::vector<Node>& outputs) const {
  std::vector<Node> order, stack;
  std::vector<char> state(graph_.size(), 0);  // 1: its operands are on the stack above it; 2: placed
  for (Node output : outputs) {
    stack.push_back(output);
    while (!stack.empty()) {
      const Node node = stack.back();
      if (state[node] != 0) {
        stack.pop_back();
        if (state[node] == 1) order.push_back(node);
        state[node] = 2;
        continue;
      }
      state[node] = 1;
      const Graph::Entry& e = graph_[node];
      const Node operand[] = {e.a, e.b, e.c};
      for (int i = operands(e.op) - 1; i >= 0; --i)
        if (state[operand[i]] == 0) stack.push_back(operand[i]);
    }
  }
  return order;
}

// Sine and cosine of the same angle are computed together, or from those of two angles whose sum or difference it is.
void CodeWriter::write_angle(Node angle, const Function& in, std::string& body) {
  const auto [sine, cosine] = angles_.at(angle);
  if ((sine >= 0 && done_[sine]) || (cosine >= 0 && done_[cosine])) return;
  const Graph::Entry& e = graph_[angle];
  const bool of_two = part_.empty() && (e.op == Operation::add || e.op == Operation::subtract) &&
                      angles_.contains(e.a) && angles_.contains(e.b) && e.a != e.b;
  if (of_two) write_angle(e.a, in, body), write_angle(e.b, in, body);
  const auto names = [&](Node of) {
    const auto [s, c] = angles_.at(of);
    return std::pair{s >= 0 ? fmt::format("v{}", s) : fmt::format("sine{}", of),
                     c >= 0 ? fmt::format("v{}", c) : fmt::format("cosine{}", of)};
  };
  const auto [s, c] = names(angle);
  if (of_two) {
    const auto [s_a, c_a] = names(e.a);
    const auto [s_b, c_b] = names(e.b);
    const bool sum = e.op == Operation::add;
    body += fmt::format("  const Real {} = {} * {} {} {} * {}, {} = {} * {} {} {} * {};\n", s, s_a, c_b,
                        sum ? '+' : '-', c_a, s_b, c, c_a, c_b, sum ? '-' : '+', s_a, s_b);
  } else {
    body += fmt::format("  Real {0}, {1};\n  sin_cos({2}, {0}, {1});\n", s, c, name(angle, in));
  }
  for (Node node : {sine, cosine})
    if (node >= 0) done_[node] = true, ++operations_;
}

void CodeWriter::find_angles(const std::vector<Node>& nodes, const Function& f) {
  angles_.clear();
  for (Node node : nodes) {
    const Graph::Entry& e = graph_[node];
    if ((e.op != Operation::sin && e.op != Operation::cos) || !is_local(node, f)) continue;
    auto& [sine, cosine] = angles_.try_emplace(e.a, -1, -1).first->second;
    (e.op == Operation::sin ? sine : cosine) = node;
  }
}

bool CodeWriter::is_of_angle(Node node) const {
  const Operation op = graph_[node].op;
  return (op == Operation::sin || op == Operation::cos) && angles_.contains(graph_[node].a);
}

// Compilers take minutes for very long functions. Such a function is divided into parts that are called one after the
// other. What one part computes for others, or for the end, has a place in an array. Returns the size of the array.
int CodeWriter::divide(const std::vector<Node>& nodes, const Function& f) {
  part_.clear(), place_.clear();
  std::vector<Node> own;
  for (Node node : nodes)
    if (operands(graph_[node].op) > 0 && is_local(node, f)) own.push_back(node);
  if (static_cast<int>(own.size()) <= most_inlined) return 0;
  part_.assign(graph_.size(), -1), place_.assign(graph_.size(), -1);
  int count = 0, places = 0;
  for (Node node : own) {
    if (part_[node] >= 0) continue;
    part_[node] = count++ / most_in_part;
    if (!is_of_angle(node)) continue;
    const auto [sine, cosine] = angles_.at(graph_[node].a);
    for (Node other : {sine, cosine})
      if (other >= 0) part_[other] = part_[node];
  }
  const auto keep = [&](Node node) {
    if (part_[node] >= 0 && place_[node] < 0) place_[node] = places++;
  };
  for (Node node : own) {
    const Graph::Entry& e = graph_[node];
    const Node operand[] = {e.a, e.b, e.c};
    for (int i = 0; i < operands(e.op); ++i)
      if (part_[operand[i]] != part_[node]) keep(operand[i]);
  }
  for (Node node : outputs_of(f)) keep(node);
  return places;
}

bool CodeWriter::in_other_part(Node node) const {
  return !part_.empty() && part_[node] >= 0 && part_[node] != present_part_;
}

// The statements that compute the nodes, one text for each part of the function.
std::vector<std::string> CodeWriter::statements(const std::vector<Node>& nodes, const Function& f) {
  done_.assign(graph_.size(), false);
  std::vector<std::string> parts(1);
  for (Node node : nodes) {
    if (!part_.empty() && part_[node] >= 0) present_part_ = part_[node];
    parts.resize(std::max<size_t>(parts.size(), present_part_ + 1));
    std::string& body = parts[present_part_];
    if (is_of_angle(node) && is_local(node, f))
      write_angle(graph_[node].a, f, body);
    else
      write_node(node, f, body);
  }
  for (size_t i = 0; i < parts.size() && !part_.empty(); ++i)
    for (Node node : nodes)
      if (place_[node] >= 0 && part_[node] == static_cast<int>(i))
        parts[i] += fmt::format("  k[{}] = v{};\n", place_[node], node);
  return parts;
}

std::string CodeWriter::function(const Function& f) {
  const std::vector<Node> nodes = in_order_of_use(outputs_of(f));
  find_angles(nodes, f);
  const int places = divide(nodes, f);
  present_part_ = 0;
  const int before = operations_;
  const std::vector<std::string> parts = statements(nodes, f);
  present_part_ = static_cast<int>(parts.size());  // the end
  std::string text, body;
  if (part_.empty()) {
    body = parts[0];
  } else {
    body = fmt::format("  Real k[{}];\n", std::max(1, places));
    const std::string name = f.head.substr(0, f.head.find('('));  // with its type
    const std::string parameters = f.head.substr(name.size() + 1, f.head.size() - name.size() - 2);
    for (size_t i = 0; i < parts.size(); ++i) {
      text += fmt::format("TAPPET_RARE {}_{}({}, Real* k) {{\n{}}}\n", name, i, parameters, parts[i]);
      body += fmt::format("  {}_{}({}, k);\n", name.substr(name.rfind(' ') + 1), i, arguments_of(parameters));
    }
  }
  body += assignments(f);
  // A long function is called, so that its numbers need no registers before and after it.
  return text + fmt::format("{} {} {{\n{}}}\n", operations_ - before > most_inlined ? "TAPPET_RARE" : "TAPPET_FUNCTION",
                            f.head, body);
}

// What the function leaves: the numbers that other functions need, and its outputs.
std::string CodeWriter::assignments(const Function& f) const {
  std::string body;
  if (fills(f))
    for (Node node = 0; node < graph_.size(); ++node)
      if (kept_[node] && is_local(node, f) && level_[node] != Level::constant)
        body += fmt::format("  {}.v{} = {};\n", f.stage == Stage::parameters ? "p" : "s", node, name(node, f));
  const auto keep_inputs = [&](Stage stage, Level level, const char* to) {
    for (Node node = 0; f.stage == stage && node < graph_.size(); ++node)
      if (graph_[node].op == Operation::input && level_[node] == level)
        body += fmt::format("  {}.v{} = {};\n", to, node, name(node, f));
  };
  keep_inputs(Stage::place, Level::position, "s");
  keep_inputs(Stage::parameters, Level::parameter, "p");
  for (const auto& [text, node] : f.outputs) body += fmt::format("  {} = {};\n", text, name(node, f));
  return body;
}

std::string CodeWriter::write() {
  divide_into_stages();
  std::string p, s, code;
  for (Node node = 0; node < graph_.size(); ++node) {
    const bool input = graph_[node].op == Operation::input;
    if (level_[node] == Level::parameter && (kept_[node] || input)) p += fmt::format("  Real v{};\n", node);
    if (level_[node] == Level::position && (kept_[node] || input)) s += fmt::format("  Real v{};\n", node);
  }
  for (const Function& f : functions_) code += function(f);
  return fmt::format("struct Parameters {{\n{}{}}};\nstruct Point {{\n{}{}}};\n{}", more_parameters, p, more_point, s,
                     code);
}

}  // namespace tappet
