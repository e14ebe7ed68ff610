// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "study/run_study.h"
#include "support/paths.h"

namespace tappet {
namespace {

double number(const nlohmann::json& text) { return std::stod(text.get<std::string>()); }

// cases/16: the orbits on which the impact oscillator settles, to 20 digits. The study begins at the same start. After
// 500 periods the distance from an orbit has shrunk below 1e-12, since its multipliers are at most 0.95.
TEST(bifurcation_diagram, of_the_impact_oscillator_has_the_orbits_of_the_literature) {
  const auto data = nlohmann::json::parse(std::ifstream(test::data() + "/cases/16_impact_oscillator.json"));
  std::vector<std::vector<double>> orbits;
  std::string omegas;
  for (const auto& row : data["diagram_s_0"]["rows"]) {
    if (row["chatter_or_stick"].get<bool>() || row["period_in_forcing_periods"].get<int>() == 0) continue;
    omegas += (omegas.empty() ? "" : ", ") + row["omega"].get<std::string>();
    orbits.emplace_back();
    for (const auto& point : row["points"]) orbits.back().push_back(number(point[0]));
  }
  ASSERT_GE(orbits.size(), 14u);
  const Study study = parse_study(fmt::format(R"yaml(
model: impact_oscillator
scheme: event-driven
dt: 2*pi/omega/10
set: {{x0: -0.3, v0: 0.2}}
vary: {{omega: [{}]}}
end: 512*2*pi/omega
measure: {{x: {{at: every, period: 2*pi/omega, from: 500*2*pi/omega, of: x}}}}
)yaml",
                                              omegas),
                                  "study.yaml");
  StudyResults results(study);
  run_study(study, {.threads = 2, .journal = {}}, results);
  for (std::size_t run = 0; run < orbits.size(); ++run) {
    const std::vector<double>& x = results.series(static_cast<long>(run), 0);
    ASSERT_GE(x.size(), 12u);
    std::size_t visited = 0;
    for (const double point : orbits[run])
      visited += std::any_of(x.begin(), x.end(), [&](double value) { return std::abs(value - point) < 1e-6; });
    EXPECT_EQ(visited, orbits[run].size()) << "row " << run << " of " << omegas;
    for (const double value : x) {  // and no others
      double nearest = 1e300;
      for (const double point : orbits[run]) nearest = std::min(nearest, std::abs(value - point));
      EXPECT_LT(nearest, 1e-6) << "row " << run << " of " << omegas;
    }
  }
}

}  // namespace
}  // namespace tappet
