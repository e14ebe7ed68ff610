// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/geometry/read_outline.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/geometry/profile_geometry.h"
#include "model/geometry/svg_path.h"
#include "model/reading/file_beside.h"
#include "model/reading/tables/read_points.h"

namespace tappet {
namespace {

const std::string a_point = "a point [x, y]";

Vec2 read_point(const Item& item, const Loading& loading) {
  const auto numbers = loading.values.numbers(item, 2, 2, a_point);
  return {numbers[0], numbers[1]};
}

double positive_number(const Item& item, const Loading& loading, const char* what) {
  const double value = loading.values.number(item);
  if (!(value > 0.0)) item.fail(fmt::format("found {:g}; expected {}, a positive number", value, what));
  return value;
}

double checked_rounding(const Item& item, double rounding) {
  if (!(rounding >= 0.0))
    item.fail(fmt::format("found the rounding {:g}; expected a radius that is not negative", rounding));
  return rounding;
}

// A corner as the file gives it. `through` is a point of the arc that leaves it.
struct WrittenCorner {
  OutlineCorner corner;
  std::optional<Item> through;
};

void read_at(const Item& item, const Loading& loading, OutlineCorner& corner) {
  const auto numbers = loading.values.numbers(item, 2, 3, "a point [x, y] or [x, y, rounding]");
  corner.at = {numbers[0], numbers[1]};
  if (numbers.size() == 3) corner.rounding = checked_rounding(item, numbers[2]);
}

WrittenCorner read_corner(const Item& item, const Loading& loading, double rounding) {
  WrittenCorner written;
  OutlineCorner& corner = written.corner;
  corner.rounding = rounding;
  if (!item.is_map()) {
    read_at(item, loading, corner);
    return written;
  }
  item.allow({"at", "rounding", "arc", "center", "through"});
  read_at(item.at("at", a_point), loading, corner);
  if (const auto given = item.find("rounding"))
    corner.rounding = checked_rounding(*given, loading.values.number(*given));
  const auto arc = item.find("arc"), center = item.find("center");
  written.through = item.find("through");
  if (written.through && (arc || center))
    written.through->fail_at_key("`arc` and `center` describe an arc as well; expected only one of the two ways");
  if (arc.has_value() != center.has_value())
    item.fail_at_key("an arc needs both `arc` (left or right) and `center`; expected both, or `through` alone");
  if (!arc) return written;
  const std::string& side = arc->text("left or right");
  if (side != "left" && side != "right") arc->fail_expecting("left or right, the side to which the arc turns");
  corner.arc = true, corner.left = side == "left", corner.center = read_point(*center, loading);
  return written;
}

// The arc from a corner through a point to the next corner.
void set_arc_through(const Item& item, const Vec2& p, const Vec2& next, OutlineCorner& corner) {
  const Vec2 a = p - corner.at, b = next - corner.at;
  const double area = cross(a, b);
  if (std::abs(area) < 1e-9 * (dot(a, a) + dot(b, b)))
    item.fail("the three points of the arc lie on a straight line; expected a point beside it");
  const Vec2 offset = (1.0 / (2.0 * area)) * Vec2{b.y * dot(a, a) - a.y * dot(b, b), a.x * dot(b, b) - b.x * dot(a, a)};
  corner.arc = true, corner.left = area > 0.0, corner.center = corner.at + offset;
}

void read_list(const Loading& loading, double rounding, ReadOutline& read) {
  read.corners = read.item.list(std::string(WrittenOutline::expects));
  std::vector<WrittenCorner> written;
  for (const Item& corner : read.corners) written.push_back(read_corner(corner, loading, rounding));
  Outline outline;
  for (size_t i = 0; i < written.size(); ++i) {
    OutlineCorner corner = written[i].corner;
    corner.written = static_cast<int>(i);
    const Vec2 next = written[(i + 1) % written.size()].corner.at;
    if (const auto& through = written[i].through)
      set_arc_through(*through, read_point(*through, loading), next, corner);
    outline.push_back(corner);
  }
  read.outlines.push_back(std::move(outline));
}

void read_circle(const Loading& loading, ReadOutline& read) {
  read.item.allow({"center", "radius", "repeat"});
  Vec2 center;
  if (const auto given = read.item.find("center")) center = read_point(*given, loading);
  const double radius =
      positive_number(read.item.at("radius", "the radius of a circle"), loading, "the radius of a circle");
  read.outlines.push_back(circle_outline(center, radius));
}

std::string text_of_file(const Item& item) {
  const std::filesystem::path file = file_named_by(item);
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file))
    item.fail(fmt::format("the file '{}' cannot be read; expected a table with columns x, y, or an SVG drawing",
                          file.string()));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

double optional_number(const Item& item, const Loading& loading, const char* key, double otherwise, const char* what) {
  const auto given = item.find(key);
  return given ? positive_number(*given, loading, what) : otherwise;
}

void read_svg(const Loading& loading, double rounding, const Item& at, const std::string& path, ReadOutline& read) {
  const double scale = optional_number(read.item, loading, "scale", 1.0, "the metres per unit of the drawing");
  const double tolerance = optional_number(read.item, loading, "tolerance", 0.0, "the largest deviation in metres");
  try {
    read.outlines = outlines_of_svg(path, scale, tolerance);
  } catch (const SvgError& e) {
    at.fail(fmt::format("character {} of the path: {}", e.position + 1, e.what()));
  }
  for (Outline& outline : read.outlines)
    for (OutlineCorner& corner : outline) corner.rounding = rounding, corner.written = -1;
}

void read_file(const Loading& loading, double rounding, const Item& file, ReadOutline& read) {
  const std::string text = text_of_file(file);
  read.file = file.text();
  if (read.file.ends_with(".svg")) {
    read.item.allow({"file", "id", "scale", "tolerance"});
    const auto id = read.item.find("id");
    std::string path;
    try {
      path = path_of_svg_file(text, id ? id->text("the id of a path") : "");
    } catch (const std::runtime_error& e) {
      file.fail(fmt::format("{}: {}", read.file, e.what()));
    }
    return read_svg(loading, rounding, file, path, read);
  }
  read.item.allow({"file", "scale"});
  const double scale = optional_number(read.item, loading, "scale", 1.0, "the metres per unit of the file");
  Outline outline;
  try {
    for (const PointOfFile& point : read_points(text, 2, 3)) {
      const double r = point.numbers.size() == 3 ? scale * point.numbers[2] : rounding;
      if (r < 0.0)
        throw std::runtime_error(
            fmt::format("{}: found the rounding {:g}; expected a radius that is not negative", point.line, r));
      outline.push_back({.at = {scale * point.numbers[0], scale * point.numbers[1]},
                         .rounding = r,
                         .written = static_cast<int>(outline.size())});
      read.lines.push_back(point.line);
    }
  } catch (const std::runtime_error& e) {
    file.fail(fmt::format("{}:{}", read.file, e.what()));
  }
  if (outline.size() > 1 && outline.front().at == outline.back().at)
    outline.pop_back();  // tables often close the curve
  read.outlines.push_back(std::move(outline));
}

}  // namespace

void ReadOutline::fail(int corner, const std::string& message) const {
  if (corner >= 0 && corner < static_cast<int>(corners.size())) corners[corner].fail(message);
  if (corner >= 0 && corner < static_cast<int>(lines.size()))
    item.fail(fmt::format("{}:{}: {}", file, lines[corner], message));
  item.fail(file.empty() ? message : fmt::format("{}: {}", file, message));
}

ReadOutline read_outline(const Item& item, const Loading& loading, double rounding) {
  ReadOutline read{item, {}, {}, {}, {}};
  if (!item.is_map()) {
    read_list(loading, rounding, read);
  } else if (const auto svg = item.find("svg")) {
    item.allow({"svg", "scale", "tolerance"});
    read_svg(loading, rounding, *svg, svg->text("the `d` of an SVG path"), read);
  } else if (const auto file = item.find("file")) {
    read_file(loading, rounding, *file, read);
  } else {
    read_circle(loading, read);
  }
  return read;
}

}  // namespace tappet
