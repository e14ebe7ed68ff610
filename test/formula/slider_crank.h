// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "formula/mechanics.h"
#include "formula/parse.h"

namespace tappet {

// Schindler 2014 §2.1, Table 1; slot height 2(b + c).
struct SliderCrank {
  static constexpr double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, c = 0.001, d = 2 * (b + c), m1 = 0.038,
                          m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6, g = 9.81;

  SliderCrank() {
    scope = {{"t", graph.input(0)}};
    const std::pair<const char*, double> parameters[] = {{"l1", l1}, {"l2", l2}, {"a", a},   {"b", b},
                                                         {"d", d},   {"m1", m1}, {"m2", m2}, {"m3", m3},
                                                         {"J1", J1}, {"J2", J2}, {"J3", J3}, {"g", g}};
    for (const auto& [name, value] : parameters) scope[name] = graph.constant(value);
    for (int i = 0; i < 3; ++i) {
      scope["theta" + std::to_string(i + 1)] = graph.input(1 + i);
      scope["theta" + std::to_string(i + 1) + "'"] = graph.input(4 + i);
    }
    system.n = 3;
    system.kinetic = parse(graph,
                           "(J1 + l1^2*(m1/4+m2+m3))*theta1'^2/2 + (J2 + l2^2*(m2/4+m3))*theta2'^2/2"
                           " + l1*l2*cos(theta1-theta2)*(m2/2+m3)*theta1'*theta2' + J3*theta3'^2/2",
                           scope);
    system.potential = parse(graph, "g*l1*sin(theta1)*(m1/2+m2+m3) + g*l2*sin(theta2)*(m2/2+m3)", scope);
    corner("d/2 - l1*sin(theta1) - l2*sin(theta2) + a*sin(theta3) - b*cos(theta3)",
           "l1*cos(theta1) + l2*cos(theta2) - a*cos(theta3) - b*sin(theta3)");
    corner("d/2 - l1*sin(theta1) - l2*sin(theta2) - a*sin(theta3) - b*cos(theta3)",
           "l1*cos(theta1) + l2*cos(theta2) + a*cos(theta3) - b*sin(theta3)");
    corner("d/2 + l1*sin(theta1) + l2*sin(theta2) - a*sin(theta3) - b*cos(theta3)",
           "l1*cos(theta1) + l2*cos(theta2) - a*cos(theta3) + b*sin(theta3)");
    corner("d/2 + l1*sin(theta1) + l2*sin(theta2) + a*sin(theta3) - b*cos(theta3)",
           "l1*cos(theta1) + l2*cos(theta2) + a*cos(theta3) + b*sin(theta3)");
  }

  void corner(const char* gap, const char* slip) {
    system.contacts.push_back({parse(graph, gap, scope), {{parse(graph, slip, scope), false}}});
  }

  Graph graph;
  Scope scope;
  FormulaSystem system;
};

}  // namespace tappet
