// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "batch/equations/equations.h"
#include "batch/write_code.h"

namespace tappet {

// The functions that schemes need whose steps are linear systems, with derivatives of forces and directions in them.
// All of them are recorded with the solution of their system: joints are eliminated, so that the device only sees
// contacts. The formulas are added to the graph of the equations.
class ImplicitCode {
 public:
  ImplicitCode(BatchEquations& equations, const std::string& scheme);

  const std::map<int, std::string>& inputs() const { return inputs_; }  // names, by slot
  const std::vector<CodeWriter::Function>& functions() const { return functions_; }
  // Constants of the scheme, as text.
  const std::string& constants() const { return constants_; }

 private:
  // The model at a place that is named by arrays of the function.
  struct Place {
    std::vector<std::pair<Node, Node>> replaced;
  };
  using Nodes = std::vector<Node>;

  Node number(const std::string& name);
  Nodes array(const std::string& name, size_t size);
  Place place(Node t, const Nodes& q, const Nodes& u = {}) const;
  Nodes at(const Place& place, const Nodes& nodes);
  std::vector<RecordedRow> at(const Place& place, const std::vector<RecordedRow>& rows);
  Node along(Node f, int velocity);  // the derivative of f if the position moves along a velocity
  Nodes gradient(Node f);            // along all velocities
  void add(const std::string& head, CodeWriter::Outputs outputs);

  void forces_and_masses();
  void between();
  void theta_step();
  void linearly_implicit_step();
  void coupled_step();

  BatchEquations& e_;
  Graph& graph_;
  const RecordedMotion& motion_;
  const int n_;
  const Nodes zero_;
  std::vector<RecordedRow> contacts_;
  std::map<int, std::string> inputs_;
  std::vector<CodeWriter::Function> functions_;
  std::string constants_;
  std::vector<Graph::Direction> directions_;  // one per velocity
};

}  // namespace tappet
