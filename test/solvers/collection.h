// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "problem/fclib.h"
#include "support/paths.h"

namespace tappet::test {

// Factorisations of the published trial of the path-following chain, cold start, e ≤ 1e-8. One problem is solved there
// to 9.0e-9 and takes two more to half of the tolerance.
struct Known {
  const char* name;
  int factorisations;
  ContactProblem read() const { return read_fclib(test::data() + "/problems/" + std::string(name) + ".hdf5"); }
};

// The problems of test/data/problems.
inline constexpr Known collection[] = {{"BoxesStack-52", 22},        {"Capsules-296", 46},
                                       {"Confeti-54", 17},           {"CubesH8-FEM-9", 6},
                                       {"KaplasTower-570", 6},       {"OneObject-24", 18},
                                       {"PerioBox-60", 14},          {"Rover-4", 11},
                                       {"Spheres-356", 22},          {"SpheresBox-256", 28},
                                       {"synthetic-arch_0p20", 6},   {"synthetic-chain_n10", 6},
                                       {"synthetic-highmu_0p5", 17}, {"synthetic-mass_stack_1e4", 12},
                                       {"synthetic-wall_k2", 11}};

inline std::string test_name(const testing::TestParamInfo<Known>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace tappet::test
