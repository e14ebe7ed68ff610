// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "formula/graph.h"

namespace tappet {

// The formulas of which f is the minimum. For example, y − |x| is the minimum of y − x and y + x. Sums, constant
// factors and nested min, max and abs are taken apart. A max that is left in a part is a convex kink. The result is
// just {f} if f is not a minimum, or if it is the minimum of more than `most` formulas.
std::vector<Node> parts_of_minimum(Graph& graph, Node f, int most = 64);

// Whether all kinks of f are those of a maximum of smooth formulas (max(x, y), y + |x|), that is edges that point
// outwards.
bool has_outer_edges_only(const Graph& graph, Node f);

}  // namespace tappet
