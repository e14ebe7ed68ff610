// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/sampler.h"

#include <gtest/gtest.h>

#include "support/paths.h"

namespace tappet {
namespace {

TEST(Layout, rotations_of_a_shaft_are_in_radians_and_its_deflections_in_metres) {
  const System system(load(test::shipped_models() + "/schindler2014/rotor.yaml"));
  const Layout layout = layout_of(system);
  for (size_t i = 0; i < layout.q.size(); ++i) {
    const std::string& name = layout.q[i];
    const bool turns =
        name.find("alpha") != name.npos || name.find("beta") != name.npos || name.find("gamma") != name.npos;
    const bool deflects = name.starts_with("axle.v") || name.starts_with("axle.w") || name.starts_with("bearing.");
    if (turns) {
      EXPECT_EQ(layout.q_units[i], "rad") << name;
    }
    if (deflects) {
      EXPECT_EQ(layout.q_units[i], "m") << name;
    }
  }
}

}  // namespace
}  // namespace tappet
