// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "formula/graph.h"

namespace tappet {

// What is wrong in a formula, and where: column() counts bytes of the text from 0.
class FormulaError : public std::runtime_error {
 public:
  FormulaError(int column, const std::string& what) : std::runtime_error(what), column_(column) {}
  int column() const { return column_; }

 private:
  int column_;
};

// The names a formula may use. `pi` and `deg` (π/180) are known everywhere unless the scope says otherwise;
// `t` only where the scope has it. Names: letters, digits, _, a dot inside (rod.x), primes at the end (x').
using Scope = std::map<std::string, Node, std::less<>>;

// Precedence, loosest first: + −, * /, sign, ^ (right-associative): −x^2 is −(x^2), x^−2 and 2^3^2 = 2^9 work.
Node parse(Graph& graph, std::string_view text, const Scope& scope);

}  // namespace tappet
