// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/error.h>

#include <map>
#include <string>
#include <vector>

#include "formula/graph.h"

namespace tappet {

// Parameters that are kept: in the formulas of a model they are inputs and not numbers, so that code can be written for
// any of their values. Such a model cannot be run. All nodes are in the graph of its formulas.
struct KeptParameters {
  static constexpr int first_slot =
      1 << 23;  // of the inputs, behind all others but those of Formulas::first_state_slot

  // A number of the file that depends on a kept parameter. If it is not part of a formula, it has the value that
  // follows from the value of the parameter.
  struct FixedNumber {
    std::string path;  // contacts.floor.radius
    Place place;
  };

  std::vector<std::string> names;
  std::map<std::string, Node> parameters = {};    // all parameters of the model
  std::map<std::string, Node> numbers = {};       // by path: numbers that are formulas of kept parameters
  std::map<std::string, FixedNumber> fixed = {};  // by path: numbers that are not

  // The formulas of t in elements, such as the angle of a driven joint, in the order in which they were read. Each has
  // a graph of its own, in which parameters are numbers.
  struct TimeFormula {
    Graph graph;
    Node f;
  };
  std::vector<TimeFormula> times = {};
};

}  // namespace tappet
