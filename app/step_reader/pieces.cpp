// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "pieces.h"

#include <BRepAdaptor_Curve.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRepAlgoAPI_Splitter.hxx>
#include <BRepBndLib.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepGProp.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <GProp_GProps.hxx>
#include <Poly_Triangulation.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedDataMapOfShapeListOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>
#include <cmath>
#include <gp_Pln.hxx>
#include <optional>
#include <vector>

namespace {

using Json = nlohmann::json;

constexpr int most_pieces = 200;

double volume_of(const TopoDS_Shape& solid) {
  GProp_GProps properties;
  BRepGProp::VolumeProperties(solid, properties);
  return properties.Mass();
}

std::optional<gp_Vec> outward_normal(const TopoDS_Face& face) {  // of a flat face
  const BRepAdaptor_Surface surface(face);
  if (surface.GetType() != GeomAbs_Plane) return {};
  gp_Vec n(surface.Plane().Axis().Direction());
  if (!surface.Plane().Direct()) n.Reverse();
  if (face.Orientation() == TopAbs_REVERSED) n.Reverse();
  return n;
}

// The direction in which the boundary of a face passes an edge: the face lies on its left, seen from outside.
gp_Vec direction_along(const TopoDS_Face& face, const TopoDS_Edge& edge) {
  for (TopExp_Explorer e(face, TopAbs_EDGE); e.More(); e.Next()) {
    if (!e.Current().IsSame(edge)) continue;
    const BRepAdaptor_Curve curve(edge);
    gp_Pnt p;
    gp_Vec d;
    curve.D1(0.5 * (curve.FirstParameter() + curve.LastParameter()), p, d);
    if (e.Current().Orientation() == TopAbs_REVERSED) d.Reverse();
    return d;
  }
  return {};
}

// The plane of a face at an inner edge of the solid, if there is one between flat faces.
std::optional<gp_Pln> plane_at_inner_edge(const TopoDS_Shape& solid) {
  TopTools_IndexedDataMapOfShapeListOfShape faces_of_edge;
  TopExp::MapShapesAndAncestors(solid, TopAbs_EDGE, TopAbs_FACE, faces_of_edge);
  for (int i = 1; i <= faces_of_edge.Extent(); ++i) {
    if (faces_of_edge(i).Extent() != 2) continue;
    const TopoDS_Edge edge = TopoDS::Edge(faces_of_edge.FindKey(i));
    const TopoDS_Face first = TopoDS::Face(faces_of_edge(i).First()), second = TopoDS::Face(faces_of_edge(i).Last());
    const auto n = outward_normal(first), m = outward_normal(second);
    if (!n || !m) continue;
    const gp_Vec along = direction_along(first, edge);
    if (along.Magnitude() == 0.0) continue;
    if (n->Crossed(*m).Dot(along.Normalized()) < -1e-6) return BRepAdaptor_Surface(first).Plane();
  }
  return {};
}

std::vector<TopoDS_Shape> split(const TopoDS_Shape& solid, const gp_Pln& plane) {
  Bnd_Box box;
  BRepBndLib::Add(solid, box);
  const double reach = 4.0 * std::sqrt(box.SquareExtent()) + gp_Vec(plane.Location().XYZ()).Magnitude();
  TopTools_ListOfShape objects, tools;
  objects.Append(solid);
  tools.Append(BRepBuilderAPI_MakeFace(plane, -reach, reach, -reach, reach).Face());
  BRepAlgoAPI_Splitter splitter;
  splitter.SetArguments(objects), splitter.SetTools(tools);
  splitter.Build();
  std::vector<TopoDS_Shape> parts;
  if (!splitter.IsDone()) return parts;
  for (TopExp_Explorer part(splitter.Shape(), TopAbs_SOLID); part.More(); part.Next()) parts.push_back(part.Current());
  return parts;
}

Json points_of(const TopoDS_Shape& solid, double tolerance) {
  BRepMesh_IncrementalMesh mesh(solid, tolerance, Standard_False, 0.3);
  Json points = Json::array();
  for (TopExp_Explorer face(solid, TopAbs_FACE); face.More(); face.Next()) {
    TopLoc_Location place;
    const Handle(Poly_Triangulation) triangles = BRep_Tool::Triangulation(TopoDS::Face(face.Current()), place);
    if (triangles.IsNull()) continue;
    for (int i = 1; i <= triangles->NbNodes(); ++i) {
      const gp_Pnt p = triangles->Node(i).Transformed(place.Transformation());
      points.push_back({p.X(), p.Y(), p.Z()});
    }
  }
  return points;
}

}  // namespace

nlohmann::json pieces_of(const TopoDS_Shape& solid, double tolerance) {
  std::vector<TopoDS_Shape> waiting{solid};
  Json pieces = Json::array();
  while (!waiting.empty()) {
    const TopoDS_Shape piece = waiting.back();
    waiting.pop_back();
    const auto plane = plane_at_inner_edge(piece);
    const bool stop = pieces.size() + waiting.size() >= most_pieces;
    const std::vector<TopoDS_Shape> parts = plane && !stop ? split(piece, *plane) : std::vector<TopoDS_Shape>{};
    if (parts.size() > 1)
      waiting.insert(waiting.end(), parts.begin(), parts.end());
    else
      pieces.push_back({{"points", points_of(piece, tolerance)}, {"volume", volume_of(piece)}});
  }
  return pieces;
}
