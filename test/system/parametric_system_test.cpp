// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/parametric/parametric_system.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

#include "support/paths.h"
#include "system/evaluator.h"

namespace tappet {
namespace {

std::vector<std::filesystem::path> shipped_models() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::shipped_models()))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

void expect_equal(const Vec& a, const Vec& b, const std::string& where) {
  ASSERT_EQ(a.size(), b.size()) << where;
  for (int i = 0; i < a.size(); ++i) ASSERT_EQ(bits(a[i]), bits(b[i])) << where << ", number " << i;
}

void expect_equal(const Graph& a, const Graph& b, const std::string& where) {
  ASSERT_EQ(a.size(), b.size()) << where;
  for (Node node = 0; node < a.size(); ++node) {
    ASSERT_EQ(a[node].op, b[node].op) << where;
    ASSERT_EQ(a[node].a, b[node].a) << where;
    ASSERT_EQ(a[node].b, b[node].b) << where;
    ASSERT_EQ(a[node].c, b[node].c) << where;
    if (!a.is_constant(node)) continue;
    ASSERT_EQ(bits(a.value(node)), bits(b.value(node))) << where;
  }
}

// Everything that a scheme evaluates, at a state near the start.
std::vector<Vec> evaluated(const System& system) {
  const ContactList contacts(system);
  Evaluator evaluate(contacts);
  State state = system.initial();
  for (int i = 0; i < state.q.size(); ++i) state.q[i] += 1e-3 * std::sin(1.0 + i);
  for (int i = 0; i < state.u.size(); ++i) state.u[i] += 1e-2 * std::cos(2.0 + i);
  ContactSet all(contacts.size());
  std::iota(all.begin(), all.end(), 0);
  Vec h, gaps, residuals, chi, zeta, Mu(system.u_size());
  BlockRows W;
  BlockMatrix M = system.mass_matrix(), A = system.constrained_matrix();
  const auto& [t, q, u] = state;
  evaluate.mass_and_forces(t, q, u, M, h);
  M.multiply(u, Mu);
  evaluate.gaps(t, q, gaps);
  evaluate.joint_residuals(t, q, residuals);
  evaluate.directions(t, q, all, W, chi);
  Vec gamma(chi.size()), P(chi.size()), Au(system.u_size());
  W.multiply(u, gamma);
  evaluate.accelerations(t, q, u, all, zeta);
  for (int i = 0; i < P.size(); ++i) P[i] = 1.0 + i;
  evaluate.add_force_derivatives(t, q, u, 1.0, 1.0, A);
  evaluate.add_mass_derivative(t, q, u, 1.0, A);
  evaluate.add_impulse_derivative(t, q, all, P, 1.0, A);
  A.multiply(u, Au);
  const Energy energy = evaluate.energy(t, q, u);
  Vec energies(2);
  energies[0] = energy.kinetic, energies[1] = energy.potential;
  return {h, Mu, gaps, residuals, chi, gamma, zeta, Au, energies};
}

void expect_same(const System& followed, const System& fresh, const std::string& where) {
  expect_equal(followed.model().formulas.graph, fresh.model().formulas.graph, where);
  expect_equal(followed.initial().q, fresh.initial().q, where + ", start");
  expect_equal(followed.initial().u, fresh.initial().u, where + ", start");
  EXPECT_EQ(followed.warnings(), fresh.warnings()) << where;
  const Model &a = followed.model(), &b = fresh.model();
  ASSERT_EQ(a.parameters.size(), b.parameters.size());
  for (std::size_t i = 0; i < a.parameters.size(); ++i)
    EXPECT_EQ(bits(a.parameters[i].value), bits(b.parameters[i].value)) << where;
  EXPECT_EQ(a.run.dt, b.run.dt) << where;
  EXPECT_EQ(a.run.end, b.run.end) << where;
  for (std::size_t k = 0; k < followed.named_contacts().size(); ++k) {
    const ContactLaw &law = *followed.named_contacts()[k].law, &other = *fresh.named_contacts()[k].law;
    EXPECT_EQ(law.e_N, other.e_N) << where;
    EXPECT_EQ(law.e_F, other.e_F) << where;
    EXPECT_EQ(law.mu, other.mu) << where;
  }
  const std::vector<Vec> x = evaluated(followed), y = evaluated(fresh);
  for (std::size_t i = 0; i < x.size(); ++i) expect_equal(x[i], y[i], fmt::format("{}, quantity {}", where, i));
}

// A system that was read with one value of a parameter and then given another one, beside one that was read with the
// other one.
struct Followed {
  long followed = 0, read_again = 0;
  std::string others;  // those that were read again

  void check(const ModelText& text, const std::string& parameter, double first, double then, const std::string& where) {
    std::unique_ptr<ParametricSystem> system;
    try {
      system = std::make_unique<ParametricSystem>(text, Overrides{}, std::vector{parameter}, std::vector{first});
    } catch (const ModelError&) {
      return;  // not a value for this model
    }
    system->end_recording();
    if (!system->set(std::vector{then})) {
      ++read_again, others += where + "; ";
      return;
    }
    ++followed;
    expect_same(system->system(), System(text.model({{parameter, fmt::format("{}", then)}})), where);
  }
};

TEST(ParametricSystem, of_every_shipped_model_is_the_one_that_is_read_again) {
  Followed all;
  for (const std::filesystem::path& file : shipped_models()) {
    const ModelText text(text_of(file), file.string());
    const Model model = text.model();
    if (!model.bodies.empty()) continue;  // bodies are read again in any case
    for (const Parameter& parameter : model.parameters) {
      const double x = parameter.value;
      const std::string where = fmt::format("{}, {}", model.name, parameter.name);
      all.check(text, parameter.name, x != 0 ? 1.01 * x : 0.013, x != 0 ? 1.003 * x : 0.0071, where);
      all.check(text, parameter.name, x != 0 ? 1.01 * x : 0.013, x, where + ", as in the file");
    }
  }
  std::printf("followed: %ld, read again: %ld (%s)\n", all.followed, all.read_again, all.others.c_str());
  EXPECT_GT(all.followed, 100);
  EXPECT_GT(all.followed, 2 * all.read_again);
}

TEST(ParametricSystem, of_the_slider_crank_follows_all_parameters_at_once) {
  const std::filesystem::path file = std::filesystem::path(test::shipped_models()) / "schindler2014/slider_crank.yaml";
  const ModelText text(text_of(file), file.string());
  std::vector<std::string> names;
  std::vector<double> first, then;
  for (const Parameter& p : text.model().parameters) {
    if (p.name == "d") continue;  // it follows from b and c
    names.push_back(p.name);
    const double k = static_cast<double>(names.size());
    first.push_back(p.value == 0 ? 1e-3 * k : p.value * (1 + 1e-3 * k));
    then.push_back(p.value == 0 ? 2e-3 * k : p.value * (1 - 1e-4 * k));
  }
  ParametricSystem system(text, {}, names, first);
  system.end_recording();
  ASSERT_TRUE(system.set(then));
  Overrides set;
  for (std::size_t i = 0; i < names.size(); ++i) set.emplace_back(names[i], fmt::format("{}", then[i]));
  expect_same(system.system(), System(text.model(set)), "slider_crank");
}

TEST(ParametricSystem, says_when_the_file_must_be_read_again) {
  const std::filesystem::path file = std::filesystem::path(test::shipped_models()) / "schindler2014/slider_crank.yaml";
  const ModelText text(text_of(file), file.string());
  ParametricSystem system(text, {}, {"mu", "e_N", "c"}, {0.02, 0.3, 2e-3});
  system.end_recording();
  EXPECT_TRUE(system.set(std::vector{0.03, 0.7, 3e-3}));
  EXPECT_FALSE(system.set(std::vector{0.0, 0.7, 3e-3}));   // no friction: the contacts have other rows
  EXPECT_FALSE(system.set(std::vector{-0.1, 0.7, 3e-3}));  // refused by the model
  EXPECT_FALSE(system.set(std::vector{0.03, 1.2, 3e-3}));
  EXPECT_FALSE(system.set(std::vector{0.03, 0.7, -3e-3}));  // the parts penetrate at the start
  EXPECT_TRUE(system.set(std::vector{0.04, 0.6, 1e-3}));    // and is right again afterwards
}

TEST(ParametricSystem, number_that_a_list_was_made_of_is_held) {
  const ModelText text(R"yaml(
parameters: {n: 3, k: 2.5}
coordinates: {x: {for: {i: 1..n}, position: i/10}}
lagrangian: {kinetic: "sum(i, 1, n, x.(i)'^2/2)", potential: "sum(i, 1, n, k*x.(i)^2/2)"}
run: {dt: 1e-3, end: 1}
)yaml",
                       "chain.yaml");
  ParametricSystem system(text, {}, {"n", "k"}, {3.0, 2.5});
  system.end_recording();
  EXPECT_TRUE(system.set(std::vector{3.0, 2.7}));
  EXPECT_FALSE(system.set(std::vector{4.0, 2.7}));
}

}  // namespace
}  // namespace tappet
