// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "batch/equations/formula_numbers.h"
#include "kernels/numbers.h"
#include "model/kept.h"

namespace tappet {

// Hands out the numbers of a model one after the other, in the order of body_numbers().
class NumberSource {
 public:
  NumberSource(Graph& graph, const BodyNumbers& numbers, const std::vector<bool>& varies, std::vector<Node>& inputs)
      : graph_(graph), numbers_(numbers), varies_(varies), inputs_(inputs) {}

  Traced next() {
    const size_t k = number_++;
    if (!varies_[k]) return numbers_.values[k];
    inputs_.push_back(graph_.input(KeptParameters::first_slot + static_cast<int>(inputs_.size())));
    return {graph_, inputs_.back()};
  }
  Vec3<Traced> next_three() {
    const Traced x = next(), y = next(), z = next();
    return {x, y, z};
  }
  unsigned next_form() { return numbers_.forms[form_++]; }
  std::vector<Node> next_formulas(const Graph& from, std::span<const Node> formulas,
                                  const std::function<Node(int slot)>& input) {
    next_form();
    return copy_formulas(from, formulas, graph_, input, [&] { return next().node(graph_); });
  }

 private:
  Graph& graph_;
  const BodyNumbers& numbers_;
  const std::vector<bool>& varies_;
  std::vector<Node>& inputs_;
  size_t number_ = 0, form_ = 0;
};

// Sets the numbers of an element from the source.
class SourceNumbers : public kernels::NumberVisitor<SourceNumbers> {
 public:
  SourceNumbers(NumberSource& source, bool in_plane)
      : NumberVisitor(in_plane), source_(source), form_(source.next_form()) {
    source.next_form();
  }

  void number(Traced& x) { x = source_.next(); }
  void drive(RecordedDrive& f) {
    f.value = source_.next();
    source_.next(), source_.next();
    f.start = source_.next();
    drives.push_back(&f);
  }
  void choice(bool& x) { x = (form_ >> bits_++ & 1) != 0; }
  void lying(bool& x) { choice(x); }
  void fixed(bool& x, bool value) { x = value; }
  void zero(Traced& x) { x = Traced(0.0); }
  void zero(RecordedDrive& f) { f = {}; }

  std::vector<RecordedDrive*> drives;  // they have their values at the start

 private:
  NumberSource& source_;
  const unsigned form_;
  int bits_ = 0;
};

}  // namespace tappet
