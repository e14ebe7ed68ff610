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
#include "model/kept.h"
#include "model/model.h"
#include "model/reading/item.h"
#include "model/reading/parameter_uses.h"

namespace tappet {

// Parses the formula of an item. Errors point into the file. `hint` is added to the message about an unknown name.
// `resolve` finds names that the scope does not have. Indices of a repetition and tables in files are known everywhere.
Node parse_formula(Graph& graph, const Item& item, const Scope& scope, const std::string& hint = "",
                   const std::function<Node(std::string_view)>& resolve = {});

// The parameters of a model. They give the value of every number that is a formula of them.
class Values {
 public:
  // Parameters may name each other in any order. `set` replaces their formulas. Parameters that are kept have values
  // too. If `uses` is given, it records what depends on parameters that vary.
  Values(const std::optional<Item>& section, const Overrides& set, const Source& source, KeptParameters* kept = nullptr,
         ParameterUses* uses = nullptr);

  const std::vector<Parameter>& parameters() const { return parameters_; }
  const std::map<std::string, StagedNumber>& known() const { return known_; }
  ParameterUses* uses() const { return uses_; }

  double number(const Item& item) const;  // finite; held if it depends on parameters that vary
  // The same for a caller who can follow its changes.
  StagedNumber staged(const Item& item) const;
  // Whether the condition holds. If the number depends on parameters that vary, this must not change.
  bool decide(ParameterStage::Condition condition, StagedNumber x, StagedNumber y = {}) const;
  int integer(const Item& item, int least = std::numeric_limits<int>::min()) const;
  std::vector<double> numbers(const Item& item, std::size_t least, std::size_t most, const std::string& expected) const;
  // A formula of the parameters and of the named input slots. An input slot takes precedence over a parameter of the
  // same name.
  Node formula(Graph& graph, const Item& item, const std::vector<std::pair<std::string, int>>& inputs) const;
  TimeFunction time_function(const Item& item) const;  // of t and the parameters

  // The parameters as nodes: those that are kept are inputs, those that depend on them are formulas, and all others are
  // constants.
  Scope scope(Graph& graph) const;
  // Notes the formula of a number that depends on kept parameters.
  void keep_formula(Graph& graph, const Item& item) const;
  std::vector<std::pair<Node, Node>> values_of_kept(Graph& graph) const;  // each input and its value

 private:
  struct Pending;
  class Resolver;
  void apply(const Overrides& set, const Source& source, std::vector<Pending>& pending) const;
  StagedNumber value_of(const Pending& pending) const;
  Graph graph() const;  // empty
  Node constant(Graph& graph, StagedNumber parameter) const;
  Scope scope(Graph& graph, const std::string& formula) const;  // of the parameters that the formula names
  void add_all(Graph& graph, Scope& scope) const;               // the other parameters too
  Node parse_text(Graph& graph, const std::string& text) const;
  Node parse_parameters(Graph& graph, const Item& item, const std::vector<std::pair<std::string, int>>& inputs,
                        const std::string& hint) const;

  bool depends_on_kept(const std::string& text) const;
  void note_value(const Item& item) const;
  void note_dependent(const Pending& p);

  struct Dependent {
    Item item;
    std::string text;  // of --set; empty: that of the item
  };
  std::vector<Parameter> parameters_;
  std::map<std::string, StagedNumber> known_;
  KeptParameters* kept_ = nullptr;
  ParameterUses* uses_ = nullptr;
  std::vector<Dependent> dependent_;  // parameters that depend on kept ones, in an order in which they can be resolved
};

}  // namespace tappet
