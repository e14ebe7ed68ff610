// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/keys.h>

#include <functional>
#include <span>
#include <vector>

#include "batch/equations/body_numbers.h"
#include "formula/graph.h"
#include "model/kept.h"

namespace tappet {

// Formulas of a model whose parameters are numbers. Their constants are numbers of the model (BodyNumbers), in the
// order in which they occur, and what remains of the formulas is their form.
void list_formulas(const Graph& graph, std::span<const Node> formulas, BodyNumbers& to);

// The same formulas in another graph. Inputs are asked for by slot, and constants in the order of list_formulas().
std::vector<Node> copy_formulas(const Graph& from, std::span<const Node> formulas, Graph& to,
                                const std::function<Node(int slot)>& input, const std::function<Node()>& constant);

// The formula of a function of time that is not constant, among those that were read with its model.
const KeptParameters::TimeFormula& formula_of(const TimeFunction& function,
                                              const std::vector<KeptParameters::TimeFormula>& read);

}  // namespace tappet
