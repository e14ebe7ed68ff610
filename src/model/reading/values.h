// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "formula/parse.h"
#include "formula/time_function.h"
#include "model/model.h"
#include "model/reading/item.h"

namespace tappet {

// Parses the formula of an item. Errors point into the file. `hint` is added to the message about an unknown name.
// `resolve` finds names that the scope does not have. Indices of a repetition and tables in files are known everywhere.
Node parse_formula(Graph& graph, const Item& item, const Scope& scope, const std::string& hint = "",
                   const std::function<Node(std::string_view)>& resolve = {});

// The parameters of a model. They give the value of every number that is a formula of them.
class Values {
 public:
  // Parameters may name each other in any order. `set` replaces their formulas.
  Values(const std::optional<Item>& section, const Overrides& set, const Source& source);

  const std::vector<Parameter>& parameters() const { return parameters_; }
  const std::map<std::string, double>& known() const { return known_; }

  double number(const Item& item) const;  // finite
  int integer(const Item& item, int least = std::numeric_limits<int>::min()) const;
  std::vector<double> numbers(const Item& item, std::size_t least, std::size_t most, const std::string& expected) const;
  // A formula of the parameters and of the named input slots. An input slot takes precedence over a parameter of the
  // same name.
  Node formula(Graph& graph, const Item& item, const std::vector<std::pair<std::string, int>>& inputs) const;
  TimeFunction time_function(const Item& item) const;  // of t and the parameters

 private:
  struct Pending;
  void apply(const Overrides& set, const Source& source, std::vector<Pending>& pending) const;
  void resolve(std::vector<Pending>& pending, std::size_t index, std::vector<std::size_t>& chain);

  std::vector<Parameter> parameters_;
  std::map<std::string, double> known_;
};

}  // namespace tappet
