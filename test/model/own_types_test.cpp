// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/model.h"

namespace tappet {
namespace {

using testing::HasSubstr;

// A rod of zero mass between two points, written by a user.
struct Strut {
  static constexpr std::string_view name = "strut";
  double length = 1.0;
  template <class V>
  void describe(V& v) {
    v.required("length", length, positive);
  }
  int rows() const { return 1; }
  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S&, S* g) const {
    const Vec3<S> d = A.p - B.p;
    g[0] = 0.5 * (dot(d, d) - length * length);
  }
};

std::string text(const std::string& joint) {
  return "bodies:\n  bob: {type: point, mass: 1, position: [0, -2]}\njoints:\n  strut: " + joint + "\n";
}
Model read(const std::string& joint) {
  ElementTypes types;
  types.add<Strut>();
  return parse_model(text(joint), "pendulum.yaml", {}, types);
}
std::string message(const std::string& joint) try {
  read(joint);
  return "";
} catch (const ModelError& error) {
  return error.what();
}

TEST(OwnTypes, a_file_names_the_type_of_a_program) {
  const Model model = read("{type: strut, bodies: [bob, ground], length: 2}");
  ASSERT_EQ(model.joints.size(), 1u);
  EXPECT_EQ(std::get<OwnJoint>(model.joints[0].element).rows(), 1);
}

TEST(OwnTypes, its_keys_are_checked_like_those_of_built_in_types) {
  EXPECT_THAT(message("{type: strut, bodies: [bob, ground]}"), HasSubstr("length"));
  EXPECT_THAT(message("{type: strut, bodies: [bob, ground], length: -2}"), HasSubstr("positive"));
  EXPECT_THAT(message("{type: strut, bodies: [bob, ground], length: 2, wide: 1}"), HasSubstr("wide"));
  EXPECT_THAT(message("{type: strutt, bodies: [bob, ground], length: 2}"), HasSubstr("strut"));
  EXPECT_THROW(parse_model(text("{type: strut, bodies: [bob, ground], length: 2}"), "pendulum.yaml"), ModelError);
}

}  // namespace
}  // namespace tappet
