// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "collision/profile/profile.h"
#include "model/geometry/svg_path.h"
#include "model/model.h"
#include "support/paths.h"

namespace tappet {
namespace {

constexpr double pi = std::numbers::pi;
constexpr const char* a_body = "\nbodies: {x: {type: planar, mass: 1, inertia: 1}}\n";

Model model_of(const std::string& text) { return parse_model(text + a_body, "test.yaml"); }
const PlanarProfile& profile(const Model& model, int k = 0) {
  return static_cast<const PlanarProfile&>(*model.geometries.at(k).solid);
}

TEST(Geometry, outlines_are_lists_circles_arcs_through_points_and_svg_paths) {
  const Model model = model_of(R"(
geometry:
  square:  {type: profile, outline: [[0, 0], [2, 0], [2, 2], [0, 2]]}
  disc:    {type: profile, outline: {center: [1, 0], radius: 0.5}}
  half:    {type: profile, outline: [{at: [1, 0], through: [0, 1]}, [-1, 0]]}
  slot:    {type: profile, outline: {svg: "M 0 0 h 20 a 5 5 0 0 0 0 -10 H 0 A 5 5 0 0 0 0 0 Z", scale: 0.1}}
  holed:   {type: profile, outline: {svg: "M0,0 L10,0 10,10 0,10Z M2 2 l 2 0 0 2 -2 0 z"}}
)");
  EXPECT_NEAR(profile(model, 0).area(), 4.0, 1e-14);
  EXPECT_NEAR(profile(model, 1).area(), pi / 4.0, 1e-14);
  EXPECT_NEAR(profile(model, 1).mass_properties(1.0).center.x, 1.0, 1e-14);
  EXPECT_NEAR(profile(model, 2).area(), pi / 2.0, 1e-14);
  EXPECT_NEAR(profile(model, 3).area(), 2.0 + pi / 4.0, 1e-14);
  EXPECT_EQ(profile(model, 4).loops(), 2);
  EXPECT_NEAR(profile(model, 4).area(), 96.0, 1e-12);
}

// An ellipse by its own command and by four Bézier curves, whose radius deviates by up to 2.7e-4 of its own.
TEST(Geometry, curves_of_svg_become_arcs_within_the_tolerance) {
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    const auto outlines = outlines_of_svg("M 2 0 A 2 1 0 0 1 -2 0 A 2 1 0 0 1 2 0 Z", 1.0, tolerance);
    ASSERT_EQ(outlines.size(), 1u);
    const PlanarProfile ellipse({pieces_of(outlines[0], false)});
    EXPECT_EQ(find_crossing(ellipse).first, -1);
    EXPECT_NEAR(ellipse.area(), 2.0 * pi, 12.0 * tolerance);
    for (const Piece& piece : ellipse.pieces()) {
      EXPECT_TRUE(piece.is_round() && piece.next >= 0) << "tangents are continuous";
      for (const double s : {0.0, 0.3, 0.7}) {
        const Vec2 p = piece.at(s);
        const double f = p.x * p.x / 4.0 + p.y * p.y - 1.0, slope = norm(Vec2{p.x / 2.0, 2.0 * p.y});
        EXPECT_LT(std::abs(f) / slope, 1.5 * tolerance);
      }
    }
  }
  const double c = 0.5522847498;
  const auto circle =
      outlines_of_svg("M 1 0 C 1 " + std::to_string(c) + " " + std::to_string(c) + " 1 0 1 S -1 " + std::to_string(c) +
                          " -1 0 S " + std::to_string(-c) + " -1 0 -1 S 1 " + std::to_string(-c) + " 1 0 Z",
                      1.0, 1e-6);
  EXPECT_NEAR(PlanarProfile({pieces_of(circle[0], false)}).area(), pi, 2e-3);
}

// Drawing programs leave curves without length behind.
TEST(Geometry, a_curve_without_length_changes_nothing) {
  const Model model = model_of(R"(
geometry:
  plain: {type: profile, outline: {svg: "M 0 0 L 2 0 L 2 -2 L 0 -2 Z", tolerance: 1e-4}}
  odd:   {type: profile, outline: {svg: "M 0 0 L 2 0 c 0 0 0 0 0 0 q 0 0 0 0 L 2 -2 L 0 -2 Z", tolerance: 1e-4}}
)");
  EXPECT_EQ(profile(model, 1).pieces().size(), profile(model, 0).pieces().size());
  EXPECT_NEAR(profile(model, 1).area(), 4.0, 1e-15);
}

TEST(Geometry, svg_files_may_have_comments_and_spaces) {
  const std::string path = R"(<path id = "a"
   d = "M 0 0 H 4 V -3 Z"/>)";
  EXPECT_EQ(path_of_svg_file("<svg><!-- <path d='M 0 0 H 1 V 1 Z'/> -->" + path + "</svg>", ""), "M 0 0 H 4 V -3 Z");
  EXPECT_EQ(path_of_svg_file("<svg gradientTransform='x' style='transform-origin: 0'>" + path + "</svg>", "a"),
            "M 0 0 H 4 V -3 Z");
  for (const std::string moved :
       {"transform='scale(2)'", "transform =\n'scale(2)'", "style='fill: none; transform: scale(2)'"})
    EXPECT_THROW(path_of_svg_file("<svg><g " + moved + ">" + path + "</g></svg>", ""), std::runtime_error) << moved;
}

TEST(Geometry, points_come_from_a_table) {
  const auto folder = std::filesystem::temp_directory_path() / "tappet_geometry_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "points.csv") << "\xEF\xBB\xBFx, y, r\n# a plate\n0, 0, 1\n20, 0,\n20, 10, 2\n0; 10;\n0, 0\n";
  std::ofstream(folder / "part.svg")
      << "<svg><path id='a' d='M 0 0 H 4 V -3 Z'/><path id='b' d='M 0 0 H 1 V 1 Z'/></svg>";
  std::ofstream(folder / "model.yaml")
      << "geometry:\n  plate: {type: profile, outline: {file: points.csv, scale: 1e-3}}\n"
         "  part: {type: profile, outline: {file: part.svg, id: a}}\n"
      << a_body;
  const Model model = load(folder / "model.yaml");
  EXPECT_NEAR(profile(model, 0).area(), 1e-6 * (200.0 - (1.0 - pi / 4.0) * 5.0), 1e-18);
  EXPECT_NEAR(profile(model, 1).area(), 6.0, 1e-14);
  std::filesystem::remove_all(folder);
}

TEST(Geometry, gives_a_body_its_mass_and_its_place) {
  const Model model = parse_model(R"(
geometry: {plate: {type: profile, outline: [[0, 0], [0.2, 0], [0.2, 0.1], [0, 0.1]]}}
bodies:
  a: {type: planar, geometry: plate, density: 1000, thickness: 0.01, origin: [1, 2], angle: pi/2}
  b: {type: planar, geometry: plate, mass: 3, position: [1, 1]}
  c: {type: planar, geometry: plate, mass: 3, inertia: 1, center: [0.1, 0], origin: [0, 0]}
colliders:
  a: {type: profile, geometry: plate, body: a}
  dot: {type: sphere, body: a, radius: 0.01, center: [0.3, 0], frame: geometry}
)",
                                  "test.yaml");
  const auto& a = std::get<PlanarBody>(model.bodies[0].element);
  EXPECT_NEAR(a.mass, 0.2, 1e-15);
  EXPECT_NEAR(a.inertia, 0.2 * (0.04 + 0.01) / 12.0, 1e-17);
  EXPECT_NEAR(a.position.x, 1.0 - 0.05, 1e-15);
  EXPECT_NEAR(a.position.y, 2.0 + 0.1, 1e-15);
  const auto& b = std::get<PlanarBody>(model.bodies[1].element);
  EXPECT_NEAR(b.inertia, 3.0 * (0.04 + 0.01) / 12.0, 1e-15);
  EXPECT_NEAR(model.bodies[1].geometry_origin.x, -0.1, 1e-15);
  EXPECT_NEAR(std::get<PlanarBody>(model.bodies[2].element).position.x, 0.1, 1e-15);
  EXPECT_NEAR(model.colliders[0].shapes[0].pose.p.y, -0.05, 1e-15);
  EXPECT_NEAR(model.colliders[1].shapes[0].pose.p.x, 0.2, 1e-15);
}

TEST(Geometry, beside_profiles_boxes_and_capsules_are_flat) {
  const Model model = parse_model(R"(
geometry: {plate: {type: profile, outline: [[0, 0], [0.2, 0], [0.2, 0.1], [0, 0.1]]}}
bodies:
  a: {type: planar, geometry: plate, mass: 3}
  b: {type: planar, mass: 1, inertia: 1, position: [5, 0]}
colliders:
  a: {type: profile, geometry: plate, body: a}
  box: {type: box, body: b, size: [2, 1], rotation: {axis: [0, 0, 1], angle: pi/6}}
  pin: {type: capsule, body: b, radius: 0.1, length: 3}
  bar: {type: capsule, body: b, radius: 0.1, length: 3, rotation: {axis: [1, 0, 0], angle: pi/2}}
)",
                                  "test.yaml");
  const auto shape = [&](int k) -> const Collider& { return model.colliders[k].shapes[0]; };
  ASSERT_EQ(shape(1).shape.kind, Shape::Kind::profile);
  EXPECT_NEAR(profile_of(shape(1).shape).area(), 2.0, 1e-14);
  EXPECT_NEAR(std::abs(shape(1).pose.R.x.y), 0.5, 1e-15);
  EXPECT_EQ(shape(2).shape.kind, Shape::Kind::sphere);
  ASSERT_EQ(shape(3).shape.kind, Shape::Kind::profile);
  EXPECT_NEAR(profile_of(shape(3).shape).area(), 0.6 + 0.01 * pi, 1e-14);
  EXPECT_NEAR(std::abs(shape(3).pose.R.x.y), 1.0, 1e-15);
}

TEST(Geometry, warns_of_parts_that_look_as_if_they_were_in_millimetres) {
  const Model model = model_of("geometry:\n  plate: {type: profile, outline: [[0, 0], [40, 0], [40, 10]]}");
  ASSERT_EQ(model.warnings.size(), 1u);
  EXPECT_NE(model.warnings[0].find("test.yaml:2:3: geometry.plate: the part is 40 m across"), std::string::npos)
      << model.warnings[0];
  const auto terrain = [](const std::string& size) {
    return model_of("geometry:\n  hills: {type: terrain, height: 0.1*x, size: [" + size + ", 40], spacing: 10}")
        .warnings;
  };
  EXPECT_EQ(terrain("800").size(), 0u);
  ASSERT_EQ(terrain("2000").size(), 1u);
  EXPECT_NE(terrain("2000")[0].find("the terrain is 2000 m across"), std::string::npos);
}

// A cube whose upper face has a pit: a pyramid of 0.33 % of its volume.
TEST(Geometry, warns_of_a_mesh_with_a_dent) {
  const auto warnings = [](const std::string& mesh) {
    return parse_model("geometry: {part: {type: convex, file: ../meshes/" + mesh + "}}\n" + a_body,
                       test::data() + "/broken/dent.yaml")
        .warnings;
  };
  EXPECT_EQ(warnings("cube.stl").size(), 0u);
  ASSERT_GE(warnings("dented.stl").size(), 1u);
  EXPECT_NE(warnings("dented.stl")[0].find("not quite convex: it has dents or holes that are 0.01 m deep"),
            std::string::npos)
      << warnings("dented.stl")[0];
}

}  // namespace
}  // namespace tappet
