// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "section.h"

#include <BRepAdaptor_Curve.hxx>
#include <BRepAlgoAPI_Section.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <cmath>
#include <gp_Circ.hxx>
#include <gp_Pln.hxx>
#include <stdexcept>

namespace {

using Json = nlohmann::json;

Json at(const gp_Pnt& p) { return {p.X(), p.Y()}; }

double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

// The distance of a curve from a segment or an arc, at some points.
template <class Distance>
double deviation(const BRepAdaptor_Curve& curve, Distance&& distance) {
  constexpr int samples = 32;
  const double a = curve.FirstParameter(), b = curve.LastParameter();
  double most = 0.0;
  for (int i = 1; i < samples; ++i) most = std::max(most, distance(curve.Value(a + (b - a) * i / samples)));
  return most;
}

// CAD systems often write lines and arcs as splines. Returns null if the curve is neither.
Json line_or_arc(const BRepAdaptor_Curve& curve, double tolerance) {
  const double a = curve.FirstParameter(), b = curve.LastParameter();
  const gp_Pnt p = curve.Value(a), m = curve.Value(0.5 * (a + b)), q = curve.Value(b);
  const double qx = q.X() - p.X(), qy = q.Y() - p.Y(), mx = m.X() - p.X(), my = m.Y() - p.Y(),
               length = std::hypot(qx, qy);
  if (length > tolerance && deviation(curve, [&](const gp_Pnt& x) {
                              return std::abs(cross(qx, qy, x.X() - p.X(), x.Y() - p.Y())) / length;
                            }) < tolerance)
    return {{"from", at(p)}, {"to", at(q)}};
  const double d = 2.0 * cross(mx, my, qx, qy), mm = mx * mx + my * my, qq = qx * qx + qy * qy;
  if (std::abs(d) < 1e-12 * std::max(mm, qq)) return nullptr;
  const double ux = (qy * mm - my * qq) / d, uy = (mx * qq - qx * mm) / d, radius = std::hypot(ux, uy);
  const double cx = p.X() + ux, cy = p.Y() + uy;
  if (deviation(curve, [&](const gp_Pnt& x) { return std::abs(std::hypot(x.X() - cx, x.Y() - cy) - radius); }) >=
      tolerance)
    return nullptr;
  return {{"from", at(p)}, {"to", at(q)}, {"center", {cx, cy}}, {"left", d > 0.0}};
}

// Cubic parts with the points and tangents of the curve, as many as it takes.
Json bezier_parts(const BRepAdaptor_Curve& curve, double tolerance) {
  constexpr int most = 512;
  const double a = curve.FirstParameter(), b = curve.LastParameter();
  for (int parts = 1; parts <= most; parts *= 2) {
    Json list = Json::array();
    double error = 0.0;
    const double step = (b - a) / parts;
    for (int k = 0; k < parts; ++k) {
      gp_Pnt p, q;
      gp_Vec u, v;
      curve.D1(a + k * step, p, u), curve.D1(a + (k + 1) * step, q, v);
      const gp_Pnt p1 = p.Translated(u * (step / 3.0)), q1 = q.Translated(v * (-step / 3.0));
      for (int i = 1; i < 8; ++i) {
        const double s = i / 8.0, r = 1.0 - s;
        const gp_Vec x = gp_Vec(p.XYZ()) * (r * r * r) + gp_Vec(p1.XYZ()) * (3 * r * r * s) +
                         gp_Vec(q1.XYZ()) * (3 * r * s * s) + gp_Vec(q.XYZ()) * (s * s * s);
        error = std::max(error, gp_Pnt(x.XYZ()).Distance(curve.Value(a + (k + s) * step)));
      }
      list.push_back({at(p), at(p1), at(q1), at(q)});
    }
    if (error < tolerance || parts == most) {
      if (error >= tolerance) throw std::runtime_error("a curve of the section cannot be approximated");
      return {{"from", at(curve.Value(a))}, {"to", at(curve.Value(b))}, {"bezier", list}};
    }
  }
  return nullptr;
}

Json curve_of(const BRepAdaptor_Curve& curve, double tolerance) {
  const gp_Pnt p = curve.Value(curve.FirstParameter()), q = curve.Value(curve.LastParameter());
  if (curve.GetType() == GeomAbs_Line) return {{"from", at(p)}, {"to", at(q)}};
  if (curve.GetType() == GeomAbs_Circle) {
    const gp_Circ circle = curve.Circle();
    return {{"from", at(p)},
            {"to", at(q)},
            {"center", at(circle.Location())},
            {"left", circle.Axis().Direction().Z() > 0.0}};
  }
  if (const Json simple = line_or_arc(curve, 0.1 * tolerance); !simple.is_null()) return simple;
  return bezier_parts(curve, 0.5 * tolerance);
}

}  // namespace

nlohmann::json section_of(const TopoDS_Shape& shape, double height, double tolerance) {
  BRepAlgoAPI_Section section(shape, gp_Pln(gp_Pnt(0, 0, height), gp_Dir(0, 0, 1)), Standard_False);
  section.Approximation(Standard_True);
  section.Build();
  if (!section.IsDone()) throw std::runtime_error("the part cannot be cut by this plane");
  Json curves = Json::array();
  for (TopExp_Explorer edge(section.Shape(), TopAbs_EDGE); edge.More(); edge.Next())
    curves.push_back(curve_of(BRepAdaptor_Curve(TopoDS::Edge(edge.Current())), tolerance));
  return curves;
}
