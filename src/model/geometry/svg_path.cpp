// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/geometry/svg_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "model/geometry/svg_curves.h"

namespace tappet {
namespace {

class SvgReader {
 public:
  SvgReader(std::string_view path, double scale, double tolerance)
      : path_(path), scale_(scale), tolerance_(tolerance) {}

  std::vector<Outline> read() {
    while (more()) command();
    finish();
    if (outlines_.empty()) throw SvgError(0, "the path is empty; expected one that begins with M");
    return std::move(outlines_);
  }

 private:
  bool more() {
    while (at_ < path_.size() && (std::isspace(static_cast<unsigned char>(path_[at_])) || path_[at_] == ',')) ++at_;
    return at_ < path_.size();
  }
  double number() {
    if (!more()) throw SvgError(path_.size(), "the path ends in the middle of a command; expected a number");
    if (path_[at_] == '+') ++at_;
    double value;
    const auto [end, error] = std::from_chars(path_.data() + at_, path_.data() + path_.size(), value);
    if (error != std::errc() || !std::isfinite(value))
      throw SvgError(at_, fmt::format("found '{}'; expected a finite number", path_[at_]));
    at_ = end - path_.data();
    return value;
  }
  bool flag() {  // flags of arcs need no separator
    if (!more() || (path_[at_] != '0' && path_[at_] != '1')) throw SvgError(at_, "expected a flag, 0 or 1");
    return path_[at_++] == '1';
  }
  Vec2 point() {
    const double x = number(), y = number();
    return relative_ ? Vec2{here_.x + scale_ * x, here_.y - scale_ * y} : Vec2{scale_ * x, -scale_ * y};
  }

  void command() {
    start_ = at_;
    if (std::isalpha(static_cast<unsigned char>(path_[at_]))) {
      letter_ = path_[at_++];
    } else if (letter_ == 0 || letter_ == 'Z' || letter_ == 'z') {
      throw SvgError(at_, fmt::format("found '{}'; expected a command, such as M or L", path_[at_]));
    } else if (letter_ == 'M' || letter_ == 'm') {
      letter_ = letter_ == 'M' ? 'L' : 'l';  // further points after M are lines
    }
    relative_ = std::islower(static_cast<unsigned char>(letter_));
    const char kind = static_cast<char>(std::toupper(static_cast<unsigned char>(letter_)));
    if (kind != 'M' && outline_.empty() && !begun_) throw SvgError(start_, "expected the path to begin with M");
    const Vec2 control = control_;
    control_ = here_;
    draw(kind, last_kind_, control);
    last_kind_ = kind;
  }

  void draw(char kind, char last, const Vec2& control) {
    switch (kind) {
      case 'M':
        finish();
        here_ = control_ = first_ = point();
        begun_ = true;
        return;
      case 'L':
        return line(point());
      case 'H': {
        const double x = scale_ * number();
        return line({relative_ ? here_.x + x : x, here_.y});
      }
      case 'V': {
        const double y = -scale_ * number();
        return line({here_.x, relative_ ? here_.y + y : y});
      }
      case 'A':
        return ellipse();
      case 'C': {
        const Vec2 a = point(), b = point();
        return cubic(a, b, point());
      }
      case 'S': {
        const Vec2 b = point();
        return cubic(last == 'C' || last == 'S' ? 2.0 * here_ - control : here_, b, point());
      }
      case 'Q': {
        const Vec2 a = point();
        return quadratic(a, point());
      }
      case 'T':
        return quadratic(last == 'Q' || last == 'T' ? 2.0 * here_ - control : here_, point());
      case 'Z':
        return finish();
      default:
        throw SvgError(start_, fmt::format("unknown command '{}'; expected M, L, H, V, A, C, S, Q, T or Z", letter_));
    }
  }

  void line(const Vec2& to) {
    if (!(to == here_)) outline_.push_back({.at = here_});
    here_ = control_ = to;
  }
  void need_tolerance() const {
    if (tolerance_ > 0.0) return;
    throw SvgError(start_,
                   fmt::format("'{}' is a curve that is no circular arc; expected `tolerance`, by how many metres "
                               "arcs may deviate from it",
                               letter_));
  }
  template <class Curve>
  void append(const Curve& curve) {
    need_tolerance();
    if (append_arcs(curve, tolerance_, outline_)) return;
    throw SvgError(
        start_, fmt::format("no arcs come as near to the curve '{}' as {:g} m; expected a larger `tolerance`", letter_,
                            tolerance_));
  }
  void cubic(const Vec2& a, const Vec2& b, const Vec2& to) {
    if (a == here_ && b == here_ && to == here_) return;  // drawing programs leave such curves behind
    append(Bezier{here_, a, b, to});
    here_ = to, control_ = b;
  }
  void quadratic(const Vec2& a, const Vec2& to) {
    const Vec2 from = here_;
    cubic(from + (2.0 / 3.0) * (a - from), to + (2.0 / 3.0) * (a - to), to);
    control_ = a;
  }

  // The end points, radii and flags of SVG, from which centre and angles follow (appendix B.2.4 of SVG 2).
  void ellipse() {
    double rx = scale_ * std::abs(number()), ry = scale_ * std::abs(number());
    const double turn = -number() * std::numbers::pi / 180.0;
    const bool large = flag(), clockwise = flag();
    const Vec2 to = point();
    if (rx == 0.0 || ry == 0.0) return line(to);
    if (to == here_) return;
    const Vec2 half = turned(0.5 * (here_ - to), -turn);
    const double x = half.x / rx, y = half.y / ry, squared = x * x + y * y;
    if (squared > 1.0) rx *= std::sqrt(squared), ry *= std::sqrt(squared);
    // SVG's sweep flag 1 is clockwise on its page, whose y axis points down, so it is clockwise here as well.
    const double side = (large == clockwise ? -1.0 : 1.0) * std::sqrt(std::max(0.0, 1.0 / squared - 1.0));
    const Vec2 offset = squared > 1.0 ? Vec2{} : side * Vec2{-rx * y, ry * x};
    const Vec2 center = 0.5 * (here_ + to) + turned(offset, turn);
    if (std::abs(rx - ry) <= 1e-9 * rx) {
      outline_.push_back({.at = here_, .arc = true, .left = !clockwise, .center = center});
    } else {
      const auto angle = [&](const Vec2& p) {
        const Vec2 local = turned(p - center, -turn);
        return std::atan2(local.y / ry, local.x / rx);
      };
      const double from = angle(here_);
      double sweep = angle(to) - from;
      if (clockwise && sweep > 0.0) sweep -= 2.0 * std::numbers::pi;
      if (!clockwise && sweep < 0.0) sweep += 2.0 * std::numbers::pi;
      append(EllipseArc{center, rx, ry, turn, from, sweep});
    }
    here_ = control_ = to;
  }

  // Closes the curve.
  void finish() {
    if (outline_.empty()) return;
    double size = 0.0;
    for (const OutlineCorner& corner : outline_) size = std::max(size, norm(corner.at - first_));
    if (norm(here_ - first_) > 1e-9 * size) outline_.push_back({.at = here_});
    outlines_.push_back(std::move(outline_));
    outline_.clear();
    here_ = control_ = first_;
  }

  std::string_view path_;
  const double scale_, tolerance_;
  size_t at_ = 0, start_ = 0;
  char letter_ = 0, last_kind_ = 0;
  bool relative_ = false, begun_ = false;
  Vec2 here_, first_, control_;  // the last control point of a curve
  Outline outline_;
  std::vector<Outline> outlines_;
};

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)); }

// The first character from `at` on that is no space.
size_t beyond_spaces(const std::string& text, size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

std::string attribute(const std::string& element, const std::string& name) {
  for (size_t at = element.find(name); at != std::string::npos; at = element.find(name, at + 1)) {
    const size_t equals = beyond_spaces(element, at + name.size());
    if (at == 0 || !is_space(element[at - 1]) || equals >= element.size() || element[equals] != '=') continue;
    const size_t quote = beyond_spaces(element, equals + 1);
    if (quote >= element.size() || (element[quote] != '"' && element[quote] != '\'')) continue;
    const size_t end = element.find(element[quote], quote + 1);
    if (end != std::string::npos) return element.substr(quote + 1, end - quote - 1);
  }
  return "";
}

std::string without_comments(std::string text) {
  for (size_t from = text.find("<!--"); from != std::string::npos; from = text.find("<!--", from)) {
    const size_t end = text.find("-->", from + 4);
    text.erase(from, end == std::string::npos ? end : end + 3 - from);
  }
  return text;
}

// The attribute `transform` of an element, or the property of the same name in a style.
bool has_transform(const std::string& text) {
  const std::string name = "transform";
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const size_t next = beyond_spaces(text, at + name.size());
    const bool is_word = !std::isalnum(static_cast<unsigned char>(before)) && before != '-';
    if (is_word && next < text.size() && (text[next] == '=' || text[next] == ':')) return true;
  }
  return false;
}

}  // namespace

std::vector<Outline> outlines_of_svg(std::string_view path, double scale, double tolerance) {
  return SvgReader(path, scale, tolerance).read();
}

std::string path_of_svg_file(const std::string& file, const std::string& id) {
  const std::string text = without_comments(file);
  std::vector<std::string> paths;
  for (size_t at = text.find("<path"); at != std::string::npos; at = text.find("<path", at + 1)) {
    const std::string element = text.substr(at, text.find('>', at) - at);
    if (!id.empty() && attribute(element, "id") != id) continue;
    paths.push_back(attribute(element, "d"));
  }
  if (paths.size() != 1)
    throw std::runtime_error(id.empty()
                                 ? fmt::format("found {} paths; expected one, or `id`", paths.size())
                                 : fmt::format("found {} paths with the id '{}'; expected one", paths.size(), id));
  if (has_transform(text))
    throw std::runtime_error("found a `transform`, which is not applied; expected a file without one");
  return paths[0];
}

}  // namespace tappet
