// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "import/step/import_step.h"

#include <fmt/format.h>
#include <tappet/error.h>

#include <algorithm>
#include <cmath>

#include "collision/hull/hull.h"

namespace tappet {
namespace {

constexpr double round_off = 1e-12;       // of the size of the part
constexpr double volume_allowed = 0.005;  // by which a convex piece may differ from its hull

class Writer {
 public:
  Writer(const StepRequest& request, double density) : request_(request), part_(read_step(request)), density_(density) {
    size_ = norm(part_.high - part_.low);
    name_ = request.file.stem().string();
    for (char& c : name_)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    if (name_.empty() || !std::isalpha(static_cast<unsigned char>(name_[0]))) name_ = "part_" + name_;
  }

  ImportedModel write() {
    request_.section ? write_profiles() : write_solids();
    std::string text = fmt::format(
        "# Made from {} by `tappet import`. Lengths are in metres.\ntitle: {}\nparameters:\n"
        "  rho: {:g}   # density, which STEP files do not have [kg/m³]\ngeometry:\n{}bodies:\n{}colliders:\n{}"
        "forces:\n  gravity: {{type: gravity, acceleration: [0, {}]}}\nrun: {{scheme: {}, dt: 1e-4, end: 0.1}}\n",
        request_.file.filename().string(), name_, density_, geometry_, bodies_, colliders_,
        request_.section ? "-9.81" : "0, -9.81", "moreau-midpoint");
    return {text, left_out_};
  }

 private:
  std::string number(double x) const { return std::abs(x) < round_off * size_ ? "0" : fmt::format("{:.10g}", x); }
  std::string point(const Vec2& p) const { return fmt::format("[{}, {}]", number(p.x), number(p.y)); }
  std::string point(const Vec3d& p) const { return fmt::format("[{}, {}, {}]", number(p.x), number(p.y), number(p.z)); }
  std::string numbered(size_t k, size_t count) const { return count == 1 ? name_ : fmt::format("{}_{}", name_, k + 1); }

  std::string outline(const StepPart::Loop& loop) const {
    if (loop.radius) return fmt::format("{{center: {}, radius: {}}}", point(loop.center), number(*loop.radius));
    std::string text = "[";
    for (const OutlineCorner& corner : loop.corners) {
      if (text.size() > 1) text += ", ";
      text += corner.arc ? fmt::format("{{at: {}, arc: {}, center: {}}}", point(corner.at),
                                       corner.left ? "left" : "right", point(corner.center))
                         : point(corner.at);
    }
    return text + "]";
  }

  // A closed loop of pieces, for what lies in what.
  std::vector<Piece> pieces(const StepPart::Loop& loop) const {
    try {
      return pieces_of(loop.radius ? circle_outline(loop.center, *loop.radius) : loop.corners, false);
    } catch (const OutlineError& error) {
      throw UsageError(fmt::format("'{}': the section z = {:g} m gives no profile: {}", request_.file.string(),
                                   *request_.section, error.what()));
    }
  }

  void write_profiles() {
    std::vector<std::vector<Piece>> all;
    for (const StepPart::Loop& loop : part_.loops) all.push_back(pieces(loop));
    // A loop within an even number of others is the outline of a profile, otherwise it is a hole of the nearest one.
    const auto around = [&](size_t k) {
      std::vector<size_t> list;
      for (size_t j = 0; j < all.size(); ++j)
        if (j != k && encloses(all[j], all[k][0].from)) list.push_back(j);
      return list;
    };
    std::vector<size_t> outer;
    for (size_t k = 0; k < all.size(); ++k)
      if (around(k).size() % 2 == 0) outer.push_back(k);
    for (size_t i = 0; i < outer.size(); ++i) {
      const std::string name = numbered(i, outer.size());
      geometry_ += fmt::format("  {}:\n    type: profile\n    outline: {}\n", name, outline(part_.loops[outer[i]]));
      std::string holes;
      for (size_t k = 0; k < all.size(); ++k) {
        const auto list = around(k);
        if (list.size() != around(outer[i]).size() + 1 || std::find(list.begin(), list.end(), outer[i]) == list.end())
          continue;
        holes += fmt::format("{}{}", holes.empty() ? "" : ", ", outline(part_.loops[k]));
      }
      if (!holes.empty()) geometry_ += fmt::format("    holes: [{}]\n", holes);
      write_planar_body(name, outer.size());
    }
    if (outer.size() > 1)
      left_out_.push_back(fmt::format("the section has {} separate outlines; each is a body of its own", outer.size()));
    left_out_.push_back(
        "corners of the profiles are as sharp as in the file; give them a `rounding` for smooth contacts");
  }

  void write_planar_body(const std::string& name, size_t outlines) {
    if (part_.solids.size() == 1 && outlines == 1) {
      const MassProperties& mass = part_.solids[0].mass;
      bodies_ += fmt::format(
          "  {}: {{type: planar, geometry: {}, mass: rho*{:.10g}, inertia: rho*{:.10g}, center: [{}, {}], origin: [0, "
          "0]}}\n",
          name, name, mass.mass, mass.inertia(2, 2), number(mass.center.x), number(mass.center.y));
    } else {
      const double thickness = part_.high.z - part_.low.z;
      bodies_ += fmt::format("  {}: {{type: planar, geometry: {}, density: rho, thickness: {}, origin: [0, 0]}}\n",
                             name, name, number(thickness));
      left_out_.push_back(fmt::format("{}: its mass is that of the section over the height of the whole part", name));
    }
    colliders_ += fmt::format("  {}: {{type: profile, geometry: {}, body: {}}}\n", name, name, name);
  }

  void write_solids() {
    for (size_t i = 0; i < part_.solids.size(); ++i) {
      const StepPart::PartSolid& solid = part_.solids[i];
      const std::string name = numbered(i, part_.solids.size());
      const MassProperties& m = solid.mass;
      bodies_ += fmt::format("  {}: {{type: rigid, mass: rho*{:.10g}, position: {}, inertia: [", name, m.mass,
                             point(m.center));
      for (int r = 0; r < 3; ++r)
        bodies_ += fmt::format("{}[rho*{:.10g}, rho*{:.10g}, rho*{:.10g}]", r ? ", " : "", m.inertia(r, 0),
                               m.inertia(r, 1), m.inertia(r, 2));
      bodies_ += "]}\n";
      for (size_t k = 0; k < solid.pieces.size(); ++k)
        write_piece(solid.pieces[k], solid.pieces.size() == 1 ? name : fmt::format("{}_piece_{}", name, k + 1), name,
                    m.center);
    }
    if (colliders_.empty())
      throw UsageError(fmt::format("'{}': no solid could be cut into convex pieces; {}", request_.file.string(),
                                   left_out_.empty() ? "" : left_out_[0]));
  }

  void write_piece(const StepPart::Piece& piece, const std::string& name, const std::string& body,
                   const Vec3d& center) {
    Hull hull;
    try {
      hull = convex_hull(piece.points, round_off * size_);
    } catch (const std::invalid_argument& error) {
      left_out_.push_back(fmt::format("{}: {}; it has no collider", name, error.what()));
      return;
    }
    const double whole = moments_of(hull).volume;
    if (std::abs(piece.volume - whole) > volume_allowed * whole) {
      left_out_.push_back(fmt::format(
          "{}: it is not convex, since it fills {:.3g} % of its hull, and its hollow faces are not flat; it has no "
          "collider (a section may help: --section z=..)",
          name, 100.0 * piece.volume / whole));
      return;
    }
    geometry_ += fmt::format("  {}: {{type: convex, vertices: [", name);
    for (size_t v = 0; v < hull.vertices.size(); ++v)
      geometry_ += fmt::format("{}{}", v ? ", " : "", point(hull.vertices[v]));
    geometry_ += "]}\n";
    colliders_ +=
        fmt::format("  {}: {{type: convex, geometry: {}, body: {}, center: {}}}\n", name, name, body, point(-center));
  }

  const StepRequest& request_;
  StepPart part_;
  double density_, size_;
  std::string name_, geometry_, bodies_, colliders_;
  std::vector<std::string> left_out_;
};

}  // namespace

ImportedModel import_step(const StepRequest& request, double density) { return Writer(request, density).write(); }

}  // namespace tappet
