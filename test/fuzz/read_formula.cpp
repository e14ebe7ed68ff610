// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// A formula: it is read, differentiated and evaluated.
#include <vector>

#include "formula/parse.h"
#include "formula/program.h"
#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tappet;
  const std::string text = fuzz::text(data, size);
  Graph graph;
  const Node x = graph.input(0), y = graph.input(1), t = graph.input(2);
  const Scope scope{{"x", x}, {"x'", y}, {"t", t}, {"mu", graph.constant(0.3)}};
  try {
    const Node value = parse(graph, text, scope);
    const Node outputs[] = {value, graph.derivative(value, x), graph.derivative(value, y)};
    const Program program(graph, outputs, 3);
    const double in[] = {0.5, -2.0, 0.1};
    double out[3];
    std::vector<double> registers(program.register_count());
    program.run(in, out, registers.data());
  } catch (const FormulaError& error) {
    if (error.column() < 0 || error.column() > static_cast<int>(text.size())) fuzz::wrong("a column beyond the text");
  }
  return 0;
}
