// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formula/graph.h"

namespace tappet {

// A place at which a formula changes from one smooth branch to another. The sign of the switch function σ decides which
// branch is valid. While a branch is held, it is a number b, which is an input of the formula.
struct Switch {
  Operation op;        // the operation of the formula: max, min, abs, sign, step, floor, …
  Node decides = -1;   // σ; switches inside it are held as well
  Node branch = -1;    // the input that holds b: +1 if σ > 0, −1 if σ < 0, between them if σ = 0
  bool jumps = false;  // whether the value may jump at σ = 0; otherwise only its derivatives do
  double at_zero = 1;  // b of the formula as it is written, if σ = 0
  // b is instead the whole number below σ (floor, pieces of a table) and changes when σ is a whole number
  bool whole = false;
};

// How a switching operation is written in messages; empty for others.
std::string_view spelling(Operation op);
// Whether a node is itself a switch. Splines are not, because their second derivatives are continuous.
bool is_switch(const Graph& graph, Node node);

// The switch functions of a formula as it is written, without held branches.
std::vector<Node> switch_functions(Graph& graph, Node f);

// The pieces of a table of lines as functions. As functions of x: the number of the piece and how far x is inside it.
// As a function of that number: a point inside the piece.
struct PiecesOfTable {
  std::shared_ptr<const Table> number, inside;
  explicit PiecesOfTable(const Table& table);
};

// Formulas in which switches are replaced by held branches. Equal switches are one, even if they are in different
// formulas.
class HeldFormulas {
 public:
  // Branches are the inputs first_slot, first_slot + 1, …
  HeldFormulas(Graph& graph, int first_slot) : graph_(graph), first_slot_(first_slot) {}

  Node hold(Node f);
  const std::vector<Switch>& switches() const { return switches_; }

 private:
  Node held(Node node, const Node* operand);
  Node held_table(Node node, Node x);
  // of a new switch, or of an equal one that exists
  Node branch(Operation op, Node decides, bool jumps, double at_zero);
  Node whole(Operation op, Node decides, bool jumps);  // the same for whole numbers
  Node mixed(Node b, Node above, Node below);  // above at b = 1, below at b = −1, and linear in b between them
  Node half(Node b);                           // 1 at b = 1, 0 at b = −1

  Graph& graph_;
  int first_slot_;
  std::vector<Switch> switches_;
  std::unordered_map<Node, Node> image_;
  std::vector<std::pair<const Table*, PiecesOfTable>> pieces_;
};

}  // namespace tappet
