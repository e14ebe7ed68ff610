// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tappet/error.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "files/shell_word.h"
#include "import/step/step_part.h"
#include "model/geometry/svg_curves.h"

namespace tappet {
namespace {

using Json = nlohmann::json;

constexpr double unit = 1e-3;      // m: OpenCASCADE gives millimetres
constexpr double together = 1e-6;  // of the size: ends of curves nearer than this are one point

Vec2 point2(const Json& x) { return {unit * x[0].get<double>(), unit * x[1].get<double>()}; }
Vec3d point3(const Json& x) {
  return {unit * x[0].get<double>(), unit * x[1].get<double>(), unit * x[2].get<double>()};
}

// One curve of the section, in the direction in which the reader found it.
struct Curve {
  Vec2 from, to;
  std::optional<Vec2> center;
  bool left = true;
  std::vector<Bezier> bezier;

  explicit Curve(const Json& json) : from(point2(json["from"])), to(point2(json["to"])) {
    if (json.contains("center")) center = point2(json["center"]), left = json["left"].get<bool>();
    if (json.contains("bezier"))
      for (const Json& part : json["bezier"])
        bezier.push_back({point2(part[0]), point2(part[1]), point2(part[2]), point2(part[3])});
  }
  void turn_round() {
    std::swap(from, to);
    left = !left;
    std::reverse(bezier.begin(), bezier.end());
    for (Bezier& part : bezier) std::reverse(part.begin(), part.end());
  }
  void append_to(Outline& outline, double tolerance) const {
    for (const Bezier& part : bezier)
      if (!append_arcs(part, tolerance, outline))
        throw std::runtime_error(fmt::format(
            "no arcs come as near to a curve of the part as {:g} m; expected a larger --tolerance", tolerance));
    if (bezier.empty())
      outline.push_back({.at = from, .arc = center.has_value(), .left = left, .center = center.value_or(Vec2{})});
  }
};

// The curves in the order in which they follow each other, as closed loops.
std::vector<StepPart::Loop> loops_of(std::vector<Curve> curves, double size, const StepRequest& request) {
  std::vector<StepPart::Loop> loops;
  const double near = together * size;
  std::erase_if(curves, [&](const Curve& c) { return !c.center && c.bezier.empty() && norm(c.to - c.from) <= near; });
  while (!curves.empty()) {
    Curve last = curves.back();
    curves.pop_back();
    const Vec2 begin = last.from;
    StepPart::Loop loop;
    if (last.center && norm(last.to - last.from) <= near) {
      loop.radius = norm(last.from - *last.center), loop.center = *last.center;
      loops.push_back(loop);
      continue;
    }
    last.append_to(loop.corners, 0.5 * request.tolerance);
    while (norm(last.to - begin) > near) {
      const auto next = std::find_if(curves.begin(), curves.end(), [&](const Curve& c) {
        return norm(c.from - last.to) <= near || norm(c.to - last.to) <= near;
      });
      if (next == curves.end())
        throw UsageError(
            fmt::format("'{}': the section z = {:g} m is not closed at x = {:.6g}, y = {:.6g} m; expected a solid",
                        request.file.string(), *request.section, last.to.x, last.to.y));
      if (norm(next->from - last.to) > near) next->turn_round();
      last = *next;
      curves.erase(next);
      last.append_to(loop.corners, 0.5 * request.tolerance);
    }
    loops.push_back(loop);
  }
  return loops;
}

MassProperties mass_of(const Json& solid) {
  MassProperties mass;
  mass.mass = unit * unit * unit * solid["volume"].get<double>();
  mass.center = point3(solid["center"]);
  const double fifth = unit * unit * unit * unit * unit;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) mass.inertia(i, j) = fifth * solid["inertia"][i][j].get<double>();
  return mass;
}

// Runs the reader and returns what it wrote.
Json run_reader(const StepRequest& request) {
  if (!std::filesystem::is_regular_file(request.reader))
    throw UsageError(
        "STEP files are read with OpenCASCADE, which was not there when Tappet was built; expected the Debian packages "
        "libocct-data-exchange-dev and libocct-modeling-algorithms-dev, and then `make build` again");
  if (!std::filesystem::is_regular_file(request.file))
    throw UsageError(fmt::format("'{}' does not exist; expected a STEP file", request.file.string()));
  const auto out = std::filesystem::temp_directory_path() / fmt::format("tappet-step-{}.json", ::getpid());
  std::string command =
      fmt::format("{} {} {} {}", shell_word(request.reader.string()), shell_word(request.file.string()),
                  shell_word(out.string()), request.tolerance / unit);
  if (request.section) command += fmt::format(" {}", *request.section / unit);
  const int status = std::system((command + " > /dev/null 2>&1").c_str());
  std::ifstream written(out);
  const Json json = status == 0 ? Json::parse(written, nullptr, false) : Json();
  std::filesystem::remove(out);
  if (!json.is_object())
    throw UsageError(fmt::format("'{}' cannot be read: OpenCASCADE ended without a result", request.file.string()));
  if (json.contains("error"))
    throw UsageError(fmt::format("'{}' cannot be read: {}", request.file.string(), json["error"].get<std::string>()));
  return json;
}

}  // namespace

StepPart read_step(const StepRequest& request) {
  const Json json = run_reader(request);
  StepPart part;
  part.low = point3(json["box"][0]), part.high = point3(json["box"][1]);
  for (const Json& solid : json["solids"]) {
    part.solids.push_back({mass_of(solid), {}});
    for (const Json& piece : solid.value("pieces", Json::array())) {
      part.solids.back().pieces.push_back({{}, unit * unit * unit * piece["volume"].get<double>()});
      for (const Json& point : piece["points"]) part.solids.back().pieces.back().points.push_back(point3(point));
    }
  }
  if (part.solids.empty())
    throw UsageError(
        fmt::format("'{}' has no solids; expected at least one, not only surfaces", request.file.string()));
  if (!request.section) return part;
  std::vector<Curve> curves;
  for (const Json& curve : json["section"]) curves.emplace_back(curve);
  if (curves.empty())
    throw UsageError(
        fmt::format("'{}': the plane z = {:g} m does not cut the part; expected a height between {:.6g} and {:.6g} m",
                    request.file.string(), *request.section, part.low.z, part.high.z));
  part.loops = loops_of(std::move(curves), norm(part.high - part.low), request);
  return part;
}

}  // namespace tappet
