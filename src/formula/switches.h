// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formula/graph.h"

namespace tappet {

// A place where a formula changes from one smooth branch to another. The sign of the switch function σ decides which
// branch holds. While a branch is held it is a number b, an input of the formula.
struct Switch {
  Operation op;        // what the formula says: max, min, abs, sign, step, floor, …
  Node decides = -1;   // σ; switches inside of it are held as well
  Node branch = -1;    // the input that holds b: +1 where σ > 0, −1 where σ < 0, between them on σ = 0
  bool jumps = false;  // the value may jump where σ = 0; otherwise only its derivatives do
  double at_zero = 1;  // b as the formula is written, where σ = 0
  bool whole = false;  // b is the whole number below σ instead (floor, pieces of a table): it changes where σ is one
};

// How a switching operation is spelled in messages; empty for others.
std::string_view spelling(Operation op);
// Whether a node is a switch itself. Splines are none: their second derivatives are continuous.
bool is_switch(const Graph& graph, Node node);

// The switch functions of a formula as it is written, with nothing held.
std::vector<Node> switch_functions(Graph& graph, Node f);

// The pieces of a table of lines as functions: of x, the number of the piece and how far x is in it; of that number, a
// point inside of the piece.
struct PiecesOfTable {
  std::shared_ptr<const Table> number, inside;
  explicit PiecesOfTable(const Table& table);
};

// Formulas with their switches replaced by held branches. Equal switches, also of different formulas, are one.
class HeldFormulas {
 public:
  // Branches are the inputs first_slot, first_slot + 1, …
  HeldFormulas(Graph& graph, int first_slot) : graph_(graph), first_slot_(first_slot) {}

  Node hold(Node f);
  const std::vector<Switch>& switches() const { return switches_; }

 private:
  Node held(Node node, const Node* operand);
  Node held_table(Node node, Node x);
  Node branch(Operation op, Node decides, bool jumps, double at_zero);  // of a new switch, or of an equal one
  Node whole(Operation op, Node decides, bool jumps);                   // the same for whole numbers
  Node mixed(Node b, Node above, Node below);  // above at b = 1, below at b = −1, linear in b between
  Node half(Node b);                           // 1 at b = 1, 0 at b = −1

  Graph& graph_;
  int first_slot_;
  std::vector<Switch> switches_;
  std::unordered_map<Node, Node> image_;
  std::vector<std::pair<const Table*, PiecesOfTable>> pieces_;
};

}  // namespace tappet
