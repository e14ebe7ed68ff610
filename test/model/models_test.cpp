// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "model/model.h"
#include "support/paths.h"

namespace tappet {
namespace {

std::vector<std::filesystem::path> model_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::shipped_models()))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string test_name(const testing::TestParamInfo<std::filesystem::path>& info) { return info.param.stem().string(); }

class ShippedModel : public testing::TestWithParam<std::filesystem::path> {};
INSTANTIATE_TEST_SUITE_P(all, ShippedModel, testing::ValuesIn(model_files()), test_name);

TEST_P(ShippedModel, loads_with_title_run_settings_and_a_drawing) {
  const Model model = load(GetParam());
  EXPECT_FALSE(model.title.empty());
  EXPECT_GT(model.run.dt, 0.0);
  EXPECT_GT(model.run.end, model.run.dt);
  // Bodies with geometry are drawn without `draw:`.
  const std::string folder = GetParam().parent_path().filename();
  EXPECT_TRUE(!model.draw.empty() || folder == "many" || folder == "parts");
  EXPECT_TRUE(model.name == "first_model" || !model.source.empty());
}

TEST(shipped_models, have_unique_names) {
  std::set<std::string> names;
  for (const auto& file : model_files()) EXPECT_TRUE(names.insert(file.stem().string()).second) << file;
  for (const char* name : {"first_model",
                           "bouncing_ball",
                           "linear_oscillator",
                           "rotating_ball",
                           "ball_in_box",
                           "rocking_block",
                           "slider_crank",
                           "slider_crank_bodies",
                           "slider_crank_bilateral",
                           "slider_crank_bilateral_bodies",

                           "double_pendulum_wall",
                           "sliding_block",
                           "two_carts",
                           "bowling_ball",
                           "tumbling_body",
                           "ball_in_corner",
                           "ball_in_cylinder",
                           "painleve_rod",
                           "tippe_top",
                           "slider_and_roller",
                           "pendulum_in_ring"})
    EXPECT_TRUE(names.contains(name)) << name;
}

}  // namespace
}  // namespace tappet
