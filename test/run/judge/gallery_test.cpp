// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/gallery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <sstream>

#include "run/scratch.h"
#include "support/paths.h"

namespace tappet {
namespace {

using testing::HasSubstr;

struct Gallery : testing::Test {
  Scratch scratch;
  std::filesystem::path models = scratch.path() / "models", data = scratch.path() / "reproductions",
                        pages = scratch.path() / "gallery";

  Gallery() {
    for (const auto& folder : {models, data}) std::filesystem::create_directories(folder);
    setenv("TAPPET_MODELS", models.c_str(), 1);
    setenv("TAPPET_REPRODUCTIONS", data.c_str(), 1);
    std::filesystem::copy(test::shipped_models() + "/first_model.yaml", models / "first_model.yaml");
    std::filesystem::copy(test::shipped_models() + "/acary2012/bouncing_ball.yaml", models / "bouncing_ball.yaml");
    write(data / "acary-1.yaml", R"(title: It falls | fast
source: Acary 2012
runs: {ball: {model: bouncing_ball, dt: 0.01, end: 0.5}}
checks: [{what: height, run: ball, final: q, reference: 0.75, origin: closed form, within: 1e-9}]
figures: [{title: Height, y: q, runs: [ball]}]
)");
    write(data / "potra-1.yaml", "title: A rover\nsource: Potra 2006\nmissing: no model\n");
  }
  ~Gallery() override {
    unsetenv("TAPPET_MODELS");
    unsetenv("TAPPET_REPRODUCTIONS");
  }
  static void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }
  static std::string content(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
};

TEST_F(Gallery, leaves_the_licence_of_a_model_file_out_of_its_page) {
  write(models / "first_model.yaml", "# SPDX-License-Identifier: Apache-2.0\n#\n# A ball.\n" +
                                         content(test::shipped_models() + "/first_model.yaml"));
  write_gallery(pages);
  const std::string ball = content(pages / "first_model.md");
  EXPECT_THAT(ball, HasSubstr("\n\nA ball.\n"));
  EXPECT_THAT(ball, testing::Not(HasSubstr("SPDX")));
}

TEST_F(Gallery, has_a_page_an_example_with_system_commands_figures_and_verdicts) {
  const auto results = write_gallery(pages);
  EXPECT_EQ(results.size(), 2u);
  const std::string ball = content(pages / "bouncing_ball.md");
  for (const char* part :
       {"# Bouncing ball", "tappet run bouncing_ball --set e=1", "kinetic: q'^2/2", "acary-1-1.svg",
        "| height |  | 0.75 (closed form) | 0.75 | ± 1e-09 | passed |", "tappet run bouncing_ball --dt 0.01 --end 0.5"})
    EXPECT_THAT(ball, HasSubstr(part));
  EXPECT_THAT(content(pages / "first_model.md"), HasSubstr("first_model-motion.svg"));
  EXPECT_THAT(content(pages / "acary-1-1.svg"), HasSubstr("Height"));
  const std::string index = content(pages / "README.md");
  EXPECT_THAT(index, HasSubstr("1 of 1"));
  EXPECT_THAT(index, HasSubstr("missing: no model"));
  EXPECT_THAT(index, HasSubstr("It falls \\| fast"));
}

TEST_F(Gallery, what_no_longer_belongs_to_it_goes_and_pictures_stay) {
  std::filesystem::create_directories(pages);
  write(pages / "old.md", "old");
  write(pages / "bouncing_ball.png", "picture");
  write_gallery(pages);
  EXPECT_FALSE(std::filesystem::exists(pages / "old.md"));
  EXPECT_THAT(content(pages / "bouncing_ball.md"), HasSubstr("bouncing_ball.png"));
}

}  // namespace
}  // namespace tappet
