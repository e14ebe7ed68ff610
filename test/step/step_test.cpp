// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Parts that are made and written here with OpenCASCADE, and read again by `tappet import`. What is expected are the
// dimensions from which they were made.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <tappet/error.h>

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <STEPControl_Writer.hxx>
#include <TopoDS.hxx>
#include <filesystem>
#include <gp_Ax2.hxx>
#include <gp_Elips.hxx>
#include <iostream>
#include <numbers>

#include "collision/hull/convex.h"
#include "collision/profile/profile.h"
#include "import/step/import_step.h"
#include "model/model.h"

namespace tappet {
namespace {

using std::numbers::pi;
using testing::HasSubstr;

std::filesystem::path written(const TopoDS_Shape& shape, const std::string& name) {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("tappet-{}.step", name);
  std::streambuf* const out = std::cout.rdbuf(nullptr);  // the writer talks
  STEPControl_Writer writer;
  writer.Transfer(shape, STEPControl_AsIs);
  writer.Write(file.c_str());
  std::cout.rdbuf(out);
  return file;
}

Model imported(const std::filesystem::path& file, std::optional<double> section,
               std::vector<std::string>* left_out = nullptr) {
  const ImportedModel model =
      import_step({.file = file, .reader = TAPPET_STEP_READER, .section = section, .tolerance = 1e-6}, 2000);
  if (left_out) *left_out = model.left_out;
  return parse_model(model.text, "imported.yaml");
}
std::string refused(const StepRequest& request) {
  try {
    import_step(request, 2000);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

// 40 x 20 x 3 mm with one end rounded by a half circle of 10 mm, and a hole of 4 mm about the middle of that circle.
TopoDS_Shape lever() {
  const TopoDS_Shape bar = BRepPrimAPI_MakeBox(gp_Pnt(0, -10, 0), gp_Pnt(40, 10, 3)).Shape();
  const TopoDS_Shape end = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(40, 0, 0), gp_Dir(0, 0, 1)), 10, 3).Shape();
  const TopoDS_Shape hole = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(40, 0, -1), gp_Dir(0, 0, 1)), 4, 5).Shape();
  return BRepAlgoAPI_Cut(BRepAlgoAPI_Fuse(bar, end).Shape(), hole).Shape();
}

TEST(Step, a_section_is_a_profile_of_segments_and_arcs_with_the_mass_of_the_part) {
  const Model model = imported(written(lever(), "lever"), 1e-3);
  ASSERT_EQ(model.geometries.size(), 1u);
  const auto& profile = static_cast<const PlanarProfile&>(*model.geometries[0].solid);
  EXPECT_EQ(profile.loops(), 2);
  const double area = 40e-3 * 20e-3 + 0.5 * pi * 1e-4 - pi * 16e-6;
  EXPECT_NEAR(profile.area(), area, 1e-10 * area);
  int arcs = 0, segments = 0;
  for (const Piece& piece : profile.loop(0)) {
    if (piece.is_arc && piece.rho == 0.0) continue;  // a sharp corner
    if (piece.is_arc) {
      EXPECT_NEAR(piece.rho, 10e-3, 1e-9);
      EXPECT_NEAR(piece.center.x, 40e-3, 1e-9);
    }
    ++(piece.is_arc ? arcs : segments);
  }
  EXPECT_GE(arcs, 1);
  EXPECT_GE(segments, 3);
  const auto& body = std::get<PlanarBody>(model.bodies[0].element);
  EXPECT_NEAR(body.mass, 2000 * 3e-3 * area, 1e-9 * body.mass);
  const double half_circle = 0.5 * pi * 1e-4, hole = pi * 16e-6;
  const double x = (8e-4 * 20e-3 + half_circle * (40e-3 + 4 * 10e-3 / (3 * pi)) - hole * 40e-3) / area;
  EXPECT_NEAR(body.position.x, x, 1e-9);
  EXPECT_NEAR(body.position.y, 0.0, 1e-12);
}

TEST(Step, other_curves_become_arcs_within_the_tolerance) {
  const TopoDS_Edge ellipse = BRepBuilderAPI_MakeEdge(gp_Elips(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)), 20, 8)).Edge();
  const TopoDS_Face face = BRepBuilderAPI_MakeFace(BRepBuilderAPI_MakeWire(ellipse).Wire()).Face();
  const Model model = imported(written(BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, 5)).Shape(), "ellipse"), 2e-3);
  const auto& profile = static_cast<const PlanarProfile&>(*model.geometries[0].solid);
  EXPECT_NEAR(profile.area(), pi * 20e-3 * 8e-3, 1e-6 * 100e-3);  // the tolerance times the length of the curve
  for (const Piece& piece : profile.pieces())
    for (double s : {0.0, 0.3, 0.7, 1.0}) {
      const Vec2 p = piece.at(s);
      EXPECT_NEAR(std::hypot(p.x / 20e-3, p.y / 8e-3), 1.0, 2e-6 / 8e-3);
    }
}

// An L of two arms, whose inner edge needs one cut.
TEST(Step, a_solid_with_an_inner_edge_is_cut_into_convex_pieces) {
  const TopoDS_Shape L =
      BRepAlgoAPI_Fuse(BRepPrimAPI_MakeBox(30, 10, 5).Shape(), BRepPrimAPI_MakeBox(10, 40, 5).Shape()).Shape();
  std::vector<std::string> left_out;
  const Model model = imported(written(L, "bracket"), {}, &left_out);
  EXPECT_TRUE(left_out.empty());
  ASSERT_EQ(model.geometries.size(), 2u);
  double volume = 0.0;
  for (const GeometryEntry& geometry : model.geometries)
    volume += moments_of(static_cast<const Convex&>(*geometry.solid).sharp()).volume;
  const double exact = (30 * 10 + 10 * 30) * 5e-9;
  EXPECT_NEAR(volume, exact, 1e-9 * exact);
  const auto& body = std::get<RigidBody>(model.bodies[0].element);
  EXPECT_NEAR(body.mass, 2000 * exact, 1e-9 * body.mass);
  EXPECT_NEAR(body.position.x, (300 * 15e-3 + 300 * 5e-3) / 600, 1e-12);
  EXPECT_NEAR(body.position.z, 2.5e-3, 1e-12);
  EXPECT_EQ(model.colliders.size(), 2u);
}

TEST(Step, a_round_convex_solid_has_points_within_the_tolerance) {
  const Model model = imported(written(BRepPrimAPI_MakeCylinder(5, 20).Shape(), "pin"), {});
  const Hull& hull = static_cast<const Convex&>(*model.geometries[0].solid).sharp();
  for (const Vec3d& v : hull.vertices) EXPECT_NEAR(std::hypot(v.x, v.y), 5e-3, 1e-8);
  EXPECT_NEAR(moments_of(hull).volume, pi * 25e-6 * 20e-3, 5e-3 * pi * 25e-6 * 20e-3);
}

TEST(Step, what_cannot_be_read_is_refused_with_a_reason) {
  const auto file = written(lever(), "lever");
  EXPECT_THAT(refused({.file = file, .reader = TAPPET_STEP_READER, .section = 1.0}),
              HasSubstr("between 0 and 0.003 m"));
  EXPECT_THAT(refused({.file = file, .reader = TAPPET_STEP_READER}), HasSubstr("not convex"));  // a bore
  EXPECT_THAT(refused({.file = "none.step", .reader = TAPPET_STEP_READER}), HasSubstr("does not exist"));
  EXPECT_THAT(refused({.file = TAPPET_STEP_READER, .reader = TAPPET_STEP_READER}), HasSubstr("cannot be read"));
  EXPECT_THAT(refused({.file = file, .reader = "no-reader"}), HasSubstr("libocct-data-exchange-dev"));
}

}  // namespace
}  // namespace tappet
