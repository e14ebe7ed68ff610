// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "formula/graph.h"

namespace tappet {

// An error in a formula and its place. column() counts bytes of the text from 0.
class FormulaError : public std::runtime_error {
 public:
  FormulaError(int column, const std::string& what) : std::runtime_error(what), column_(column) {}
  int column() const { return column_; }

 private:
  int column_;
};

// The names that a formula may use. `pi` and `deg` (π/180) are known everywhere unless the scope redefines them. `t` is
// known only if the scope has it. Names have letters, digits and _, may have dots inside (rod.x) and primes at the end
// (x').
using Scope = std::map<std::string, Node, std::less<>>;

// What a formula may use in addition to its scope.
struct FormulaContext {
  // Names with a number, which take precedence over those of the scope: the indices of a repetition (`for:`).
  std::span<const std::pair<std::string, double>> numbers = {};
  // The table in a file. y is read from `column`, counted from 1. Throws std::runtime_error. If this is empty, there
  // are no files.
  std::function<std::shared_ptr<const Table>(const std::string& file, int column, Table::Kind kind)> table = {};
  // The node of a name that the scope does not have, or −1.
  std::function<Node(std::string_view name)> resolve = {};
};

// All functions of the language, for messages and because nothing else may have these names.
std::span<const std::string_view> function_names();

// Precedence, loosest first: + −, * /, sign, ^ (right-associative). So −x^2 is −(x^2), and x^−2 and 2^3^2 = 2^9 work. A
// name may contain whole numbers that are computed: with i = 2, `link.(i+1).x` is `link.3.x`, and `link.{i+1}.x` means
// the same. Comparisons are only allowed in the first argument of `if`.
Node parse(Graph& graph, std::string_view text, const Scope& scope, const FormulaContext& context = {});

}  // namespace tappet
