// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/gradient/gradient.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "steppers/cases.h"

namespace tappet::test {
namespace {

using testing::HasSubstr;

ModelSource text(const std::string& model, const Overrides& set = {}) { return {model, "model.yaml", set}; }

ModelSource shipped(const std::string& name, const Overrides& set = {}) {
  return ModelSource::of(load(shipped_models() + "/" + name + ".yaml"), set);
}

Gradient ask(const ModelSource& source, const std::vector<std::string>& of, const std::vector<std::string>& wrt) {
  GradientQuestion question;
  for (const std::string& one : of) question.of.push_back(parse_quantity(one, 0));
  question.wrt = wrt;
  return gradient(source, question);
}

std::vector<std::string> at(const std::vector<std::string>& names, const json& t) {
  std::vector<std::string> list;
  for (const std::string& name : names) list.push_back(name + " at " + t.get<std::string>());
  return list;
}

// The largest deviation from the derivatives of a case, relative to each of them. If one is zero, it is absolute.
double deviation(const Gradient& found, const json& expected) {
  double worst = 0;
  for (size_t i = 0; i < found.rows.size(); ++i) {
    for (size_t d = 0; d < found.wrt.size(); ++d) {
      const double right = number(expected[i][d]);
      EXPECT_EQ(found.rows[i].trouble[d], "") << found.rows[i].of.text << " " << found.wrt[d];
      const double off = std::abs(found.rows[i].slopes[d] - right) / (right != 0 ? std::abs(right) : 1.0);
      EXPECT_FALSE(std::isnan(off));
      worst = std::max(worst, off);
    }
  }
  return worst;
}

constexpr const char* ball = R"(
parameters: {q0: 1, u0: 0, g: 9.81, e: 0.8, level: 0}
coordinates: {q: {position: q0, velocity: u0}}
lagrangian: {kinetic: q'^2/2, potential: g*q}
contacts: {ground: {gap: q - level, e_N: e}}
)";

// Case 17: closed forms of up to ten impacts.
TEST(Gradient, of_a_bouncing_ball_is_the_closed_form) {
  const json reference = test::reference("17_gradient_bouncing_ball");
  for (const json& set : reference["sets"]) {
    if (!set.contains("q0")) continue;
    Overrides values;
    for (const char* name : {"q0", "u0", "g", "e"}) values.emplace_back(name, set[name].get<std::string>());
    values.emplace_back("level", set["floor"].get<std::string>());
    const Gradient found = ask(text(ball, values), at({"q", "q'"}, set["t"]), {"q0", "u0", "g", "e", "level"});
    EXPECT_LT(deviation(found, set["derivative"]), 1e-10) << set["name"];
    EXPECT_EQ(found.closeness.events, set["impacts"].get<int>());
  }
}

TEST(Gradient, with_respect_to_the_start_is_that_of_the_parameters_that_set_it) {
  const json set = test::reference("17_gradient_bouncing_ball")["sets"][1];
  const Gradient found = ask(text(ball), at({"q", "q'"}, set["t"]), {"q", "q'"});
  for (int i = 0; i < 2; ++i)
    for (int d = 0; d < 2; ++d) EXPECT_NEAR(found.rows[i].slopes[d] / number(set["derivative"][i][d]), 1, 1e-10);
}

// After infinitely many impacts the ball rests: only the floor can move it.
TEST(Gradient, after_an_accumulation_of_impacts_only_the_floor_counts) {
  const Gradient found = ask(text(ball), {"q at 5", "q' at 5"}, {"q0", "u0", "g", "e", "level"});
  const std::vector<double> right = {0, 0, 0, 0, 1};
  for (size_t d = 0; d < right.size(); ++d) {
    EXPECT_NEAR(found.rows[0].slopes[d], right[d], 1e-10);
    EXPECT_NEAR(found.rows[1].slopes[d], 0, 1e-10);
  }
  EXPECT_EQ(found.rank, 1);
}

TEST(Gradient, of_a_thrown_mass_that_slips_at_its_impacts_is_the_closed_form) {
  const json set = test::reference("17_gradient_bouncing_ball")["sets"][4];
  const Gradient found = ask(text(R"(
parameters: {y0: 1, ux0: 3, g: 9.81, e_N: 0.8, mu: 0.1}
coordinates: {x: {position: 0, velocity: ux0}, y: {position: y0, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: g*y}
contacts: {ground: {gap: y, slip: x, e_N: e_N, mu: mu}}
)"),
                             at({"x", "y", "x'", "y'"}, set["t"]), {"y0", "ux0", "g", "e_N", "mu"});
  EXPECT_LT(deviation(found, set["derivative"]), 1e-10);
}

TEST(Gradient, of_a_ball_on_a_table_that_moves_is_the_closed_form) {
  const json set = test::reference("17_gradient_bouncing_ball")["sets"][5];
  const Gradient found = ask(text(R"(
parameters: {q0: 1, u0: 0, g: 9.81, e: 0.8, a: 0.02, W: 20}
coordinates: {q: {position: q0, velocity: u0}}
lagrangian: {kinetic: q'^2/2, potential: g*q}
contacts: {table: {gap: q - a*sin(W*t), e_N: e}}
)"),
                             at({"q", "q'"}, set["t"]), {"q0", "u0", "g", "e", "a", "W"});
  EXPECT_LT(deviation(found, set["derivative"]), 1e-10);
}

// Case 18: free flight, one impact, three impacts, after an accumulation while slipping, and after the contact opens.
TEST(Gradient, of_the_slider_crank_with_respect_to_twelve_parameters) {
  const json reference = test::reference("18_gradient_slider_crank");
  for (const json& sample : reference["samples"]) {
    const Gradient found =
        ask(shipped("schindler2014/slider_crank"), at({"theta1", "theta2", "theta1'", "theta2'"}, sample["t"]),
            {"theta1", "theta2", "omega1", "omega2", "mu", "e_N", "c", "g", "m3", "l1", "l2", "J2"});
    const double off = deviation(found, sample["derivative"]);
    EXPECT_LT(off, 1e-9) << sample["t"];
  }
}

// Looking at a motion on its way does not change it.
TEST(Gradient, does_not_depend_on_other_times_that_are_asked_for) {
  const ModelSource woodpecker = shipped("mechanisms/woodpecker", {{"mu", "0.309"}, {"w_S", "17.98999"}});
  const Gradient once = ask(woodpecker, {"phi_M at 0.018"}, {"w_S"}),
                 often = ask(woodpecker, {"phi_M at 0.018", "phi_M at 0.003", "phi_M at 0.01"}, {"w_S"});
  EXPECT_NEAR(once.rows[0].value, often.rows[0].value, 1e-13);
  EXPECT_NEAR(once.rows[0].slopes[0], often.rows[0].slopes[0], 1e-10);
}

// Both corners of the flat slider strike at once; turning it would separate the two impacts.
TEST(Gradient, of_simultaneous_impacts_exists_along_directions_that_keep_them_together) {
  const Gradient found = ask(shipped("schindler2014/slider_crank"), {"theta1 at 0.005"}, {"theta3", "mu"});
  EXPECT_THAT(found.rows[0].trouble[0], HasSubstr("corner1"));
  EXPECT_THAT(found.rows[0].trouble[0], HasSubstr("two events coincide"));
  EXPECT_EQ(found.rows[0].trouble[1], "");
}

// x = x0 + v0²/(2 μ g): a block slides until it sticks.
TEST(Gradient, through_the_end_of_slip_is_the_closed_form) {
  const double mu = 0.3, g = 9.81, v = 2;
  const Gradient found = ask(text(R"(
parameters: {mu: 0.3, g: 9.81, v: 2}
coordinates: {x: {position: 0, velocity: v}, y: {position: 0, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: g*y}
contacts: {ground: {gap: y, slip: x, mu: mu}}
)"),
                             {"x at 2"}, {"v", "mu", "g", "x"});
  EXPECT_NEAR(found.rows[0].value, v * v / (2 * mu * g), 1e-11);
  EXPECT_NEAR(found.rows[0].slopes[0], v / (mu * g), 1e-10);
  EXPECT_NEAR(found.rows[0].slopes[1], -v * v / (2 * mu * mu * g), 1e-10);
  EXPECT_NEAR(found.rows[0].slopes[2], -v * v / (2 * mu * g * g), 1e-10);
  EXPECT_NEAR(found.rows[0].slopes[3], 1, 1e-12);
}

// A force F(t) = r t pulls a block that sticks until r t = μ g. Then x = r s³/6 with s = t − μ g/r.
TEST(Gradient, through_the_beginning_of_slip_is_the_closed_form) {
  const double mu = 0.3, g = 10, r = 2, t = 3, s = t - mu * g / r;
  const Gradient found = ask(text(R"(
parameters: {mu: 0.3, g: 10, r: 2}
coordinates: {x: {position: 0, velocity: 0}, y: {position: 0, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: g*y}
forces: {x: r*t}
contacts: {ground: {gap: y, slip: x, mu: mu}}
)"),
                             {"x at 3"}, {"mu", "r", "g"});
  EXPECT_NEAR(found.rows[0].value, r * s * s * s / 6, 1e-10);
  EXPECT_NEAR(found.rows[0].slopes[0], -g * s * s / 2, 1e-9);
  EXPECT_NEAR(found.rows[0].slopes[1], s * s * s / 6 + s * s * mu * g / (2 * r), 1e-9);
  EXPECT_NEAR(found.rows[0].slopes[2], -mu * s * s / 2, 1e-9);
}

// A mass on a table that is accelerated downwards ever faster lifts off when c t = g.
TEST(Gradient, through_the_opening_of_a_contact_is_the_closed_form) {
  const double g = 10, c = 4, t = 4, s = t - g / c;  // table: y = −c t³/6; y'' of the mass = −g from then on
  const Gradient found = ask(text(R"(
parameters: {g: 10, c: 4}
coordinates: {y: {position: 0, velocity: 0}}
lagrangian: {kinetic: y'^2/2, potential: g*y}
contacts: {table: {gap: y + c*t^3/6}}
)"),
                             {"y at 4"}, {"g", "c"});
  const double t_0 = g / c, y = -c * t_0 * t_0 * t_0 / 6 - c * t_0 * t_0 / 2 * s - g * s * s / 2;
  EXPECT_NEAR(found.rows[0].value, y, 1e-9);
  // y as a function of g and c, with t_0 = g/c
  const double by_t0 = -c * t_0 * t_0 / 2 - c * t_0 * s + c * t_0 * t_0 / 2 + g * s;
  EXPECT_NEAR(found.rows[0].slopes[0], by_t0 / c - s * s / 2, 1e-8);
  EXPECT_NEAR(found.rows[0].slopes[1], -by_t0 * g / (c * c) - t_0 * t_0 * t_0 / 6 - t_0 * t_0 * s / 2, 1e-8);
}

// e = 0: the ball stays where it lands.
TEST(Gradient, through_a_plastic_impact_is_that_of_the_floor) {
  const Gradient found = ask(text(ball, {{"e", "0"}}), {"q at 1", "q' at 1"}, {"q0", "u0", "level"});
  EXPECT_NEAR(found.rows[0].slopes[0], 0, 1e-12);
  EXPECT_NEAR(found.rows[0].slopes[1], 0, 1e-12);
  EXPECT_NEAR(found.rows[0].slopes[2], 1, 1e-12);
}

TEST(Gradient, of_a_contact_that_grazes_is_refused_by_name) {
  // q = 1 + cos(t) touches the wall q = 0 at t = π with velocity zero.
  const Gradient found = ask(text(R"(
parameters: {k: 1}
coordinates: {q: {position: 2, velocity: 0}}
lagrangian: {kinetic: q'^2/2, potential: k*(q - 1)^2/2}
contacts: {wall: {gap: q, e_N: 0.5}}
)"),
                             {"q at 5"}, {"q", "k"});
  for (const std::string& trouble : found.rows[0].trouble) {
    EXPECT_THAT(trouble, HasSubstr("wall"));
    EXPECT_THAT(trouble, HasSubstr("at t = 3.1415"));
  }
}

TEST(Gradient, at_the_instant_of_an_impact_is_refused_by_name) {
  const Gradient found = ask(text(ball, {{"g", "2"}}), {"q at 1"}, {"q0"});
  EXPECT_THAT(found.rows[0].trouble[0], HasSubstr("at t = 1 s"));
  EXPECT_THAT(found.rows[0].trouble[0], HasSubstr("exactly at the end"));
}

TEST(Gradient, refuses_bad_questions_in_words) {
  const auto message = [](const ModelSource& source, const std::string& of, const std::string& wrt) -> std::string {
    try {
      ask(source, {of}, {wrt});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_THAT(message(text(ball), "q at 1", "levl"), HasSubstr("did you mean 'level'"));
  EXPECT_THAT(message(text(ball), "q at -1", "e"), HasSubstr("expected a positive time"));
  EXPECT_THAT(message(text(ball), "p at 1", "e"), HasSubstr("p"));
  EXPECT_THAT(message(text(ball), "ground.P_N at 1", "e"), HasSubstr("expected a quantity of the state"));
  try {
    require_derivatives(System(text(ball).read()), "moreau-midpoint", {});
    FAIL() << "nothing was thrown";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("moreau-midpoint does not locate impacts"));
    EXPECT_THAT(error.what(), HasSubstr("expected event-driven"));
  }
}

}  // namespace
}  // namespace tappet::test
