// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <tappet/tappet.h>

#include <iostream>

int main(int, char** argv) {
  const tappet::Model model = tappet::load(argv[1]);
  const tappet::Result result = tappet::simulate(model, {.scheme = "moreau-midpoint", .dt = 1e-3, .end = 0.1});
  std::cout << result.t.size() << " states to t = " << result.state.t << " s\n";
  return result.done() && result.t.size() == 101 ? 0 : 1;
}
