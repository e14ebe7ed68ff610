// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Every element of the lists can be used in a model file and runs. A new element needs a file
// test/data/elements/<section>/<type>.yaml.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "model/collider_shapes.h"
#include "run/simulate.h"
#include "support/paths.h"

namespace tappet {
namespace {

template <class Element, class Entries>
bool holds(const Entries& entries) {
  for (const auto& entry : entries)
    if (std::holds_alternative<Element>(entry.element)) return true;
  return false;
}

template <class Element>
Model loaded(const std::string& section) {
  const std::string file = test::data() + "/elements/" + section + "/" + std::string(Element::name) + ".yaml";
  EXPECT_TRUE(std::filesystem::exists(file)) << "an element without a file that uses it: " << file;
  return load(file);
}

void expect_to_run(const Model& model) {
  const Result result = simulate(model, {});
  EXPECT_TRUE(result.done()) << model.name << ": " << result.summary.message;
  EXPECT_EQ(result.state.t, model.run.end) << model.name;
  for (int i = 0; i < result.state.q.size(); ++i) EXPECT_TRUE(std::isfinite(result.state.q[i])) << model.name;
}

TEST(ElementFiles, every_body_runs_from_a_file) {
  for_each<AllBodies>([]<class Element>() {
    const Model model = loaded<Element>("bodies");
    EXPECT_TRUE(holds<Element>(model.bodies)) << Element::name;
    expect_to_run(model);
  });
}

TEST(ElementFiles, every_joint_runs_from_a_file) {
  for_each<Joints>([]<class Element>() {
    const Model model = loaded<Element>("joints");
    EXPECT_TRUE(holds<Element>(model.joints)) << Element::name;
    expect_to_run(model);
  });
  for_each<VelocityJoints>([]<class Element>() {
    const Model model = loaded<Element>("joints");
    EXPECT_TRUE(holds<Element>(model.velocity_joints)) << Element::name;
    expect_to_run(model);
  });
}

TEST(ElementFiles, every_contact_runs_from_a_file) {
  for_each<Contacts>([]<class Element>() {
    const Model model = loaded<Element>("contacts");
    EXPECT_TRUE(holds<Element>(model.contacts)) << Element::name;
    expect_to_run(model);
  });
  for_each<ContactGroups>([]<class Element>() {
    const Model model = loaded<Element>("contacts");
    EXPECT_GT(model.contacts.size(), 1u) << Element::name;
    expect_to_run(model);
  });
}

// The applied forces are formulas of the state there. Those of t alone are elements.
TEST(ElementFiles, every_force_runs_from_a_file) {
  for_each<Forces>([]<class Element>() {
    const Model model = loaded<Element>("forces");
    EXPECT_TRUE(holds<Element>(model.forces) || model.state_forces.size() == 1) << Element::name;
    expect_to_run(model);
  });
}

TEST(ElementFiles, every_collider_runs_from_a_file) {
  for_each<Shapes>([]<class Element>() {
    const Model model = loaded<Element>("colliders");
    EXPECT_EQ(model.colliders.size(), 2u) << Element::name;
    expect_to_run(model);
  });
}

}  // namespace
}  // namespace tappet
