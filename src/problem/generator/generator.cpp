// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/generator/generator.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "problem/generator/generated_scene.h"

namespace tappet {

namespace {

struct Kind {
  ProblemKind description;
  GeneratedScene (*build)(double, int, std::mt19937&);
};

constexpr Kind kinds[] = {
    {{"stack", "mass of the topmost box over that of the others", 1.0, 1e6, 10, "boxes"}, stack},
    {{"wall", "contact points along a bed joint", 1.0, 6.0, 6, "courses"}, wall},
    {{"rods", "friction coefficient", 0.1, 4.0, 8, "rods along a side"}, rods},
    {{"arch", "thickness over mean radius", 0.3, 0.09, 25, "voussoirs"}, arch},
    {{"chain", "links", 2.0, 200.0, 1, "chain"}, chain},
    {{"wedge", "tan(angle) / friction coefficient", 0.2, 1.2, 4, "blocks"}, wedge},
    {{"rocks", "friction coefficient", 0.5, 1.0, 100, "rocks"}, rocks},
    {{"boulders", "friction coefficient", 0.5, 1.0, 60, "boulders"}, boulders},
};
constexpr auto descriptions = [] {
  std::array<ProblemKind, std::size(kinds)> list{};
  for (size_t i = 0; i < list.size(); ++i) list[i] = kinds[i].description;
  return list;
}();

}  // namespace

std::span<const ProblemKind> problem_kinds() { return descriptions; }

ContactProblem generate_problem(std::string_view name, double difficulty, unsigned seed, int size) {
  FreeMotion motion;
  return generate_problem(name, difficulty, seed, size, motion);
}

ContactProblem generate_problem(std::string_view name, double difficulty, unsigned seed, int size, FreeMotion& motion) {
  for (const Kind& kind : kinds) {
    if (kind.description.name != name) continue;
    if (!(difficulty > 0.0) || !(difficulty <= 1e9))
      throw std::invalid_argument(fmt::format("difficulty of a {} ({}) is {}, expected a positive number", name,
                                              kind.description.difficulty, difficulty));
    if (size < 0 || size > 1000)
      throw std::invalid_argument(
          fmt::format("size of a {} ({}) is {}, expected 0 to 1000", name, kind.description.unit, size));
    if ((name == "chain" && !(difficulty >= 1.0 && difficulty <= 1e5)) ||
        (name == "wall" && !(difficulty >= 1.0 && difficulty <= 100.0)))
      throw std::invalid_argument(fmt::format("difficulty of a {} ({}) is {}, expected 1 to {}", name,
                                              kind.description.difficulty, difficulty, name == "chain" ? 100000 : 100));
    std::mt19937 random(seed);
    const GeneratedScene scene = kind.build(difficulty, size > 0 ? size : kind.description.size, random);
    return scene.problem(random, motion);
  }
  std::string known;
  for (const Kind& kind : kinds) known += fmt::format("{}{}", known.empty() ? "" : ", ", kind.description.name);
  throw std::invalid_argument(fmt::format("unknown kind of problem '{}', expected one of: {}", name, known));
}

}  // namespace tappet
