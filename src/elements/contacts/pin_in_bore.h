// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>
#include <vector>

#include "elements/contacts/circle_circle.h"
#include "elements/contacts/point_plane.h"
#include "elements/contacts/sphere_cylinder.h"

namespace tappet {

// A journal with clearance: a pin of A in a bore of B. The pin touches the bore with a ring at each end of its length.
// Each ring is the equator of a ball as thick as the pin, so a tilt of the pin by an angle ψ is exact up to
// radius · ψ²/2. If it has axial play, shoulders of the pin outside the bore touch the faces of the bore.
// Between planar bodies it is a disc in a round hole.
struct PinInBore {
  static constexpr std::string_view name = "pin-in-bore";
  static constexpr std::string_view about =
      "bodies: [A, B]; a pin of A in a bore of B with radial and, if given, axial clearance: name.1, name.2, ..";
  using Part = std::variant<SphereInCylinder, CircleInCircle, PointPlane>;

  std::array<double, 2> radii{1.0, 1.0};                      // pin, bore
  std::array<Vec3d, 2> centers{};                             // of the pin in A, of the bore in B
  std::array<Vec3d, 2> axes{Vec3d{0, 0, 1}, Vec3d{0, 0, 1}};  // likewise
  double length = 0.0;                                        // of the bore
  std::optional<double> axial;                                // the whole play along the axis
  double flange = 0.0;                                        // radius of the shoulders

  template <class V>
  void describe(V& v) {
    v.required("radii", radii, positive);
    v.optional("centers", centers);
    v.optional("axes", axes);
    v.optional("length", length, non_negative);
    v.optional("axial", axial, positive);
    v.optional("flange", flange, non_negative);
  }
  std::string check() const {
    if (!(radii[0] < radii[1])) return "expected the second of `radii`, the bore, the larger";
    if (norm(axes[0]) == 0.0 || norm(axes[1]) == 0.0) return "expected two `axes` that are not zero";
    if (flange > 0.0 && !axial)
      return "a flange without `axial` never touches; expected `axial`, the play along the axis";
    if (flange > 0.0 && flange <= radii[1]) return "expected a `flange` with a larger radius than the bore";
    return "";
  }

  std::vector<Part> parts(bool planar) const {
    if (planar) {
      CircleInCircle disc;
      disc.radii = radii, disc.centers = centers;
      return {disc};
    }
    const Vec3d pin = normalized(axes[0]), bore = normalized(axes[1]);
    std::vector<Part> parts;
    for (double side : {-0.5, 0.5}) {
      SphereInCylinder ring;
      ring.radii = radii, ring.center = centers[0] + side * length * pin;
      ring.axis_point = centers[1], ring.axis = bore;
      parts.push_back(ring);
      if (length == 0.0) break;
    }
    for (double side : {-0.5, 0.5})
      if (axial) add_shoulder(side, pin, bore, parts);
    return parts;
  }

 private:
  // The shoulder outside the bore on one side. It touches at its rim, in four points, or if it has no radius on the
  // axis.
  void add_shoulder(double side, const Vec3d& pin, const Vec3d& bore, std::vector<Part>& parts) const {
    const Vec3d middle = centers[0] + side * (length + *axial) * pin;
    const Plane face{centers[1] + side * length * bore, 2.0 * side * bore};
    const auto [e1, e2] = normals(pin);
    if (flange == 0.0)
      parts.push_back(PointPlane{middle, face});
    else
      for (const Vec3d& out : {e1, e2, -e1, -e2}) parts.push_back(PointPlane{middle + flange * out, face});
  }
};

}  // namespace tappet
