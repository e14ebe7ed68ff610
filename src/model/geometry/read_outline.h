// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "collision/profile/outline.h"
#include "model/loading.h"

namespace tappet {

// Closed outlines as the file gives them, and where their corners were written.
struct ReadOutline {
  Item item;
  std::vector<Outline> outlines;  // more than one only from the path of an SVG
  std::vector<Item> corners;      // of a list of points
  std::string file;               // of a file with points: its name,
  std::vector<int> lines;         // and the line of each point

  // Complains at a corner (OutlineCorner::written), or at the outline if there is no such corner.
  [[noreturn]] void fail(int corner, const std::string& message) const;
};

// `rounding` is that of corners that do not give their own.
ReadOutline read_outline(const Item& item, const Loading& loading, double rounding);

}  // namespace tappet
