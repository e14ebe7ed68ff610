// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/make_stepper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "run/models.h"
#include "run/simulate.h"

namespace tappet {
namespace {

TEST(MakeStepper, every_scheme_says_what_it_is) {
  std::set<std::string> names;
  for (const SchemeInfo& scheme : schemes()) {
    EXPECT_TRUE(names.insert(scheme.name).second) << scheme.name << " stands twice";
    for (const std::string& text : {scheme.paper, scheme.level, scheme.order, scheme.summary})
      EXPECT_FALSE(text.empty());
    std::set<std::string> keys;
    for (const OptionInfo& option : scheme.options) {
      EXPECT_TRUE(keys.insert(option.name).second) << scheme.name << ": " << option.name << " stands twice";
      EXPECT_FALSE(option.meaning.empty()) << scheme.name << ": " << option.name;
    }
  }
}

TEST(MakeStepper, every_scheme_takes_its_own_defaults_and_runs) {
  const Model model = load(find_model("first_model"));
  for (const SchemeInfo& scheme : schemes()) {
    RunOptions options{.scheme = scheme.name, .dt = 1e-3, .end = 0.6};
    for (const OptionInfo& option : scheme.options) options.options.push_back({option.name, option.value, {}});
    const Result result = simulate(model, options);
    EXPECT_TRUE(result.done()) << scheme.name << ": " << result.summary.message;
    // The ball of radius 0.1 touches the floor at 0.43 s; without it the centre would be at −0.77 now.
    EXPECT_GT(result.state.q[0], 0.09) << scheme.name << " lets the ball through";
  }
}

TEST(MakeStepper, every_solver_may_be_chosen) {
  const System system(load(find_model("first_model")));
  const ContactList contacts(system);
  ASSERT_FALSE(solvers().empty());
  for (const SolverInfo& solver : solvers())
    EXPECT_NE(make_stepper("moreau-midpoint", contacts, {{"solver", solver.name, {}}}), nullptr);
}

TEST(MakeStepper, an_option_of_both_is_the_schemes) {
  const System system(load(find_model("first_model")));
  const ContactList contacts(system);
  const auto list = schemes();
  const auto alpha =
      std::find_if(list.begin(), list.end(), [](const auto& s) { return s.name == "generalized-alpha"; });
  ASSERT_NE(alpha, list.end());
  EXPECT_NE(make_stepper("generalized-alpha", contacts, {{"tolerance", "1e-6", {}}}), nullptr);
}

TEST(MakeStepper, the_seed_of_restarts_can_be_set) {
  const System system(load(find_model("first_model")));
  const ContactList contacts(system);
  EXPECT_NE(make_stepper("moreau-midpoint", contacts, {{"solver", "path", {}}, {"seed", "7", {}}}), nullptr);
  for (const char* wrong : {"-1", "1.5", "often"})
    EXPECT_THROW(make_stepper("moreau-midpoint", contacts, {{"seed", wrong, {}}}), UsageError) << wrong;
}

TEST(MakeStepper, an_old_name_of_an_option_is_known) {
  EXPECT_EQ(present_name("generalized-alpha", "violation_tolerance"), "force_tolerance");
  EXPECT_EQ(present_name("direct-projection", "violation_tolerance"), "violation_tolerance");
  EXPECT_TRUE(knows_option("generalized-alpha", "violation_tolerance"));
  const System system(load(find_model("first_model")));
  const ContactList contacts(system);
  EXPECT_NE(make_stepper("generalized-alpha", contacts, {{"violation_tolerance", "1e-6", {}}}), nullptr);
  EXPECT_THROW(make_stepper("generalized-alpha", contacts, {{"violation_tolerance", "2", {}}}), UsageError);
}

TEST(MakeStepper, every_scheme_follows_found_contacts) {
  for (const SchemeInfo& scheme : schemes()) EXPECT_TRUE(scheme.follows_found_contacts) << scheme.name;
}

}  // namespace
}  // namespace tappet
