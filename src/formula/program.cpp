// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/program.h"

#include <bit>
#include <cassert>
#include <map>

namespace tappet {

void TapeLayout::set_constants(std::span<const std::pair<Node, int>> staged, const ParameterStage& stage) {
  for (const auto& [node, place] : staged)
    if (const auto found = constant_place.find(node); found != constant_place.end())
      constants[-1 - found->second] = stage[place];
}

std::vector<double> TapeLayout::numbers() const {
  std::vector<double> numbers(constants.rbegin(), constants.rend());
  numbers.resize(constants.size() + inputs + scratch + 1);
  return numbers;
}

class Program::Compiler {
 public:
  Compiler(const Graph& graph, std::span<const Node> outputs, TapeLayout& layout, Program& program)
      : graph_(graph), layout_(layout), program_(program), next_(layout.inputs) {
    nodes_ = graph.reachable(outputs);
    count_uses(outputs);
    choose_fused_products();
    for (Node node : nodes_) place_[node] = emit(node);
    program_.operations_ = static_cast<int>(program_.tape_.size());
    program_.tape_.push_back({Code::end, 0, 0, 0, 0});
    program_.outputs_.reserve(outputs.size());
    for_runs(outputs, [&](Node output, size_t count) {
      program_.outputs_.insert(program_.outputs_.end(), count, place_[output]);
    });
    layout_.scratch = std::max(layout_.scratch, next_ - layout_.inputs);
  }

 private:
  // Calls f(node, count) for equal nodes that follow each other. A sparse matrix has long runs of zeros.
  template <class F>
  static void for_runs(std::span<const Node> nodes, const F& f) {
    for (size_t first = 0, last = 0; first < nodes.size(); first = last) {
      while (last < nodes.size() && nodes[last] == nodes[first]) ++last;
      f(nodes[first], last - first);
    }
  }

  void count_uses(std::span<const Node> outputs) {
    for_runs(outputs, [&](Node output, size_t count) { uses_[output] += static_cast<int>(count); });
    for (Node node : nodes_) {
      const Graph::Entry& e = graph_[node];
      const Node operand[] = {e.a, e.b, e.c};
      for (int i = 0; i < operands(e.op); ++i) ++uses_[operand[i]];
    }
  }

  // If only one sum uses a product, the two are computed together (with two roundings, as written).
  void choose_fused_products() {
    for (Node node : nodes_) {
      const Graph::Entry& e = graph_[node];
      if (e.op != Operation::add && e.op != Operation::subtract) continue;
      for (Node operand : {e.a, e.b})
        if (graph_[operand].op == Operation::multiply && uses_[operand] == 1) place_[operand] = fused_away;
    }
  }

  int emit(Node node) {
    const Graph::Entry& e = graph_[node];
    if (e.op == Operation::constant) return constant(node);
    if (e.op == Operation::input) {
      assert(e.b < layout_.inputs);
      return e.b;
    }
    if (const auto place = place_.find(node); place != place_.end() && place->second == fused_away) return fused_away;
    switch (e.op) {
      case Operation::add:
      case Operation::subtract:
        return sum(node);
      case Operation::multiply:
        return product(place_[e.a], place_[e.b]);
      case Operation::sin:
      case Operation::cos:
        return angle(node);
      case Operation::power:
        return power(node);
      case Operation::table:
        program_.tables_.push_back(graph_.table_of(node));
        return write(Code::table, place_[e.a], static_cast<int>(program_.tables_.size()) - 1, e.c);
      default:
        break;
    }
    const int a = place_[e.a], b = operands(e.op) > 1 ? place_[e.b] : 0, c = operands(e.op) > 2 ? place_[e.c] : 0;
    return write(plain_code(e.op), a, b, c);
  }

  int sum(Node node) {
    const Graph::Entry& e = graph_[node];
    const bool plus = e.op == Operation::add;
    const Graph::Entry &x = graph_[e.a], &y = graph_[e.b];
    const int a = place_[e.a], b = place_[e.b];
    if (a == fused_away && b == fused_away)
      return write(plus ? Code::products_sum : Code::products_difference, place_[x.a], place_[x.b], place_[y.a],
                   place_[y.b]);
    if (a == fused_away) return write(plus ? Code::multiply_add : Code::multiply_subtract, place_[x.a], place_[x.b], b);
    if (b == fused_away) return write(plus ? Code::multiply_add : Code::subtract_product, place_[y.a], place_[y.b], a);
    return write(plus ? Code::add : Code::subtract, a, b);
  }

  int product(int a, int b) { return a == b ? write(Code::square, a) : write(Code::multiply, a, b); }

  // Sine and cosine of the same angle are one instruction, because the second costs little once the first is known.
  int angle(Node node) {
    const Graph::Entry& e = graph_[node];
    const int offset = e.op == Operation::cos;
    if (const auto known = angles_.find(e.a); known != angles_.end()) return known->second + offset;
    const int a = place_[e.a];
    if (!layout_.remember_angles && !has_partner(e)) return write(offset ? Code::cos : Code::sin, a);
    int place;
    if (layout_.remember_angles) {
      const int slot = angle_slot(e.a);
      program_.tape_.push_back({Code::angle, a, slot, 0, 0});
      place = slot + 1;
    } else {
      place = write(Code::sin_cos, a);
      ++next_;
    }
    angles_[e.a] = place;
    return place + offset;
  }

  int angle_slot(Node argument) {
    const int first = -3 - static_cast<int>(layout_.constants.size());
    const auto [slot, inserted] = layout_.angle_place.try_emplace(argument, first);
    const double no_angle = std::bit_cast<double>(~std::uint64_t{0});  // a NaN that no computation produces
    if (inserted) layout_.constants.insert(layout_.constants.end(), {0.0, 0.0, no_angle});
    return slot->second;
  }

  bool has_partner(const Graph::Entry& e) const {
    const Operation partner = e.op == Operation::sin ? Operation::cos : Operation::sin;
    for (Node node : nodes_)
      if (graph_[node].op == partner && graph_[node].a == e.a) return true;
    return false;
  }

  int power(Node node) {
    const Graph::Entry& e = graph_[node];
    const int base = place_[e.a];
    if (graph_.is_constant(e.b)) {
      const double exponent = graph_.value(e.b);
      if (exponent == std::trunc(exponent) && std::abs(exponent) <= 64.0) {
        const int positive = integer_power(base, static_cast<int>(std::abs(exponent)));
        return exponent > 0.0 ? positive : write(Code::divide, new_constant(1.0), positive);
      }
    }
    return write(Code::power, base, place_[e.b]);
  }

  int integer_power(int base, int n) {
    if (n == 1) return base;
    const auto known = powers_.find({base, n});
    if (known != powers_.end()) return known->second;
    const int place =
        n % 2 ? product(integer_power(base, n - 1), base) : write(Code::square, integer_power(base, n / 2));
    return powers_[{base, n}] = place;
  }

  int constant(Node node) {
    const auto [place, inserted] =
        layout_.constant_place.try_emplace(node, -1 - static_cast<int>(layout_.constants.size()));
    if (inserted) layout_.constants.push_back(graph_.number(node).value);
    return place->second;
  }

  int new_constant(double value) {
    layout_.constants.push_back(value);
    return -static_cast<int>(layout_.constants.size());
  }

  int write(Code code, int a, int b = 0, int c = 0, int d = 0) {
    program_.tape_.push_back({code, a, b, c, d});
    return next_++;
  }

  static Code plain_code(Operation op) {
    switch (op) {
      case Operation::negate:
        return Code::negate;
      case Operation::tan:
        return Code::tan;
      case Operation::asin:
        return Code::asin;
      case Operation::acos:
        return Code::acos;
      case Operation::atan:
        return Code::atan;
      case Operation::sqrt:
        return Code::sqrt;
      case Operation::exp:
        return Code::exp;
      case Operation::log:
        return Code::log;
      case Operation::abs:
        return Code::abs;
      case Operation::sign:
        return Code::sign;
      case Operation::step:
        return Code::step;
      case Operation::sinh:
        return Code::sinh;
      case Operation::cosh:
        return Code::cosh;
      case Operation::tanh:
        return Code::tanh;
      case Operation::floor:
        return Code::floor;
      case Operation::divide:
        return Code::divide;
      case Operation::atan2:
        return Code::atan2;
      case Operation::min:
        return Code::min;
      case Operation::max:
        return Code::max;
      case Operation::less:
        return Code::less;
      case Operation::select:
        return Code::select;
      default:
        break;
    }
    assert(false);
    return Code::end;
  }

  static constexpr int fused_away = 1 << 30;

  const Graph& graph_;
  TapeLayout& layout_;
  Program& program_;
  int next_;
  std::vector<Node> nodes_;
  std::unordered_map<Node, int> uses_, place_;
  std::unordered_map<Node, int> angles_;
  std::map<std::pair<int, int>, int> powers_;
};

Program::Program(const Graph& graph, std::span<const Node> outputs, int inputs) : inputs_(inputs) {
  TapeLayout layout;
  layout.inputs = inputs;
  Compiler(graph, outputs, layout, *this);
  constants_ = std::move(layout.constants);
  scratch_ = layout.scratch;
}

Program::Program(const Graph& graph, std::span<const Node> outputs, TapeLayout& shared) : inputs_(shared.inputs) {
  Compiler(graph, outputs, shared, *this);
}

}  // namespace tappet
