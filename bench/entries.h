// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tappet::bench {

// One line of the table: what is done once before, and what is then repeated and measured.
struct Entry {
  std::string name;
  int repeats;  // the number of times its instructions are counted; the table gives the mean
  std::function<std::function<void()>()> prepare;
};
using Entries = std::vector<Entry>;

void add_steps(Entries& entries);
void add_solvers(Entries& entries);
void add_derivatives(Entries& entries);
void add_collisions(Entries& entries);

}  // namespace tappet::bench
