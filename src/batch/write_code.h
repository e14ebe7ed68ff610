// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formula/graph.h"

namespace tappet {

// Writes formulas as functions in the language that C++ and CUDA have in common (batch/device/lanes.h). Formulas are
// computed in stages, and no function computes what an earlier stage knows:
//   Parameters   what depends on parameters alone, once per run
//   Point        what depends on them, on t and on q, once per place
// Everything else is computed in the function that needs it.
class CodeWriter {
 public:
  // `inputs` names the inputs by slot; those of the slots in `parameters` and `position` belong to the two stages.
  struct Inputs {
    std::map<int, std::string> names;
    std::vector<int> parameters, position;
  };
  using Outputs = std::vector<std::pair<std::string, Node>>;  // "a[0]" = …

  CodeWriter(const Graph& graph, Inputs inputs);

  // Announces the outputs of a function. All must be announced before the first is written, so that each stage keeps
  // what others need of it.
  struct Function {
    // The first three fill Parameters and a Point. Others are called after place() or after directions(), or use no
    // Point (apart).
    enum class Stage { parameters, place, directions, after_place, after_directions, apart };
    std::string head;  // "void rates(const Parameters& p, const Point& s, const Real* u, Real* gamma)"
    Stage stage;
    Outputs outputs;
  };
  void add(Function function);

  std::string write();                            // the two structs and all functions
  int operations() const { return operations_; }  // of all functions together

  // Members of the structs in addition to what is kept between stages.
  std::string more_parameters, more_point;

 private:
  enum class Level { constant, parameter, position, state };
  std::string name(Node node, const Function& in) const;
  std::string expression(Node node, const Function& in) const;
  std::vector<Node> in_order_of_use(const std::vector<Node>& outputs) const;
  std::string function(const Function& function);
  void find_angles(const std::vector<Node>& nodes, const Function& function);
  bool is_of_angle(Node node) const;
  int divide(const std::vector<Node>& nodes, const Function& function);
  bool in_other_part(Node node) const;
  std::vector<std::string> statements(const std::vector<Node>& nodes, const Function& function);
  std::string assignments(const Function& function) const;
  void write_node(Node node, const Function& in, std::string& body);
  void write_angle(Node angle, const Function& in, std::string& body);
  void find_levels(const Inputs& inputs);
  void divide_into_stages();
  void keep_what_it_uses(const Function& function);
  std::vector<Node> outputs_of(const Function& function) const;
  static bool fills(const Function& function) { return function.stage <= Function::Stage::directions; }
  bool is_local(Node node, const Function& in) const;

  const Graph& graph_;
  Inputs inputs_;
  std::vector<Function> functions_;
  std::vector<Level> level_;            // by node
  std::vector<Function::Stage> stage_;  // by node: where it is computed
  std::vector<bool> kept_;              // by node: whether another function needs it
  std::vector<bool> done_;              // in the present function
  // in the present function: the sine and the cosine of each angle; −1 if one is not needed
  std::map<Node, std::pair<Node, Node>> angles_;
  // in the present function, if it is a long one: the part that computes each node, and its place in the array of parts
  std::vector<int> part_, place_;
  int present_part_ = 0;
  int operations_ = 0;
};

}  // namespace tappet
