// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "support/harsh_mechanism.h"

#include <fmt/format.h>

#include <functional>

#include "support/draw.h"

namespace tappet::test {

namespace {

constexpr double lightest = 1e-3, heaviest = 1e3;  // kg

struct Point {
  double x = 0, y = 0, z = 0;
};

std::string list(const Point& p, bool planar) {
  return planar ? fmt::format("[{:.17g}, {:.17g}]", p.x, p.y)
                : fmt::format("[{:.17g}, {:.17g}, {:.17g}]", p.x, p.y, p.z);
}

// A model file while it is written.
class Sections {
 public:
  explicit Sections(Draw& draw) : draw_(draw) {}

  void add(const std::string& section, const std::string& entry) {
    for (auto& [name, entries] : sections_)
      if (name == section) return entries.push_back(entry);
    sections_.push_back({section, {entry}});
  }
  std::string law() {
    const double e = draw_.chance(0.2) ? 0.0 : draw_.chance(0.1) ? 1.0 : draw_.between(0, 1);
    const double mu = draw_.chance(0.2) ? 0.0 : draw_.between(0, 2);
    return fmt::format("e_N: {:.4g}, mu: {:.4g}", e, mu);
  }
  double mass() { return draw_.decades(lightest, heaviest); }
  // Mass and inertia of a bar of this length.
  std::string bar(double length, bool planar) {
    const double m = mass(), J = m * length * length / 12;
    return planar ? fmt::format("mass: {:.4g}, inertia: {:.4g}", m, J)
                  : fmt::format("mass: {:.4g}, inertia: [{:.4g}, {:.4g}, {:.4g}]", m, J, 1.1 * J, 0.3 * J);
  }
  void gravity(bool planar) {
    add("forces", planar ? "gravity: {type: gravity, acceleration: [0, -9.81]}"
                         : "gravity: {type: gravity, acceleration: [0, 0, -9.81]}");
  }
  RandomMechanism finished(const std::string& kind, double end, double dt) const {
    std::string all;
    for (const auto& [name, entries] : sections_) {
      all += name + ":\n";
      for (const std::string& entry : entries) all += "  " + entry + "\n";
    }
    all += fmt::format("run: {{scheme: event-driven, dt: {:.6g}, end: {:.6g}}}\n", dt, end);
    return {kind, all, {}, {}, end};
  }

 private:
  struct Section {
    std::string name;
    std::vector<std::string> entries;
  };
  Draw& draw_;
  std::vector<Section> sections_;
};

Point middle(const Point& a, const Point& b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2}; }

double distance(const Point& a, const Point& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

// A planar loop of four bars, which may be driven or have a motor, whose joints strike the floor.
RandomMechanism four_bar(Draw& draw) {
  Sections text(draw);
  const Point A{0, 0}, D{draw.between(0.5, 0.9), draw.between(-0.1, 0.1)}, B{0, draw.between(0.15, 0.3)},
      C{D.x + draw.between(0.0, 0.3), draw.between(0.35, 0.6)};
  const auto bar = [&](const char* name, const Point& from, const Point& to) {
    text.add("bodies", fmt::format("{}: {{type: planar, {}, position: {}}}", name, text.bar(distance(from, to), true),
                                   list(middle(from, to), true)));
  };
  bar("crank", A, B), bar("coupler", B, C), bar("rocker", C, D);
  const auto pin = [&](const char* name, const char* bodies, const Point& at, const std::string& more) {
    text.add("joints", fmt::format("{}: {{type: revolute, bodies: {}, at: {}{}}}", name, bodies, list(at, true), more));
  };
  const int drive = draw.whole(0, 2);
  pin("a", "[ground, crank]", A,
      drive == 0   ? fmt::format(", angle: {:.4g}*t^2", draw.between(2, 20))
      : drive == 1 ? fmt::format(", motor: {{torque: {:.4g}*sin({:.4g}*t)}}", draw.between(0.1, 10), draw.between(2, 9))
                   : "");
  pin("b", "[crank, coupler]", B, ""), pin("c", "[coupler, rocker]", C, "");
  pin("d", "[ground, rocker]", D, draw.chance(0.3) ? fmt::format(", friction: {:.4g}", draw.decades(1e-3, 1)) : "");
  const Point hangs{draw.between(-0.2, 0.2), -draw.between(0.3, 0.5)};
  text.add("contacts", fmt::format("foot: {{type: point-plane, bodies: [coupler, ground], at: {}, point: [0, {:.6g}], "
                                   "normal: [0, 1], {}}}",
                                   list(hangs, true), middle(B, C).y + hangs.y - draw.between(0.02, 0.1), text.law()));
  text.add("contacts",
           fmt::format("stop: {{type: point-plane, bodies: [rocker, ground], at: [0, 0], point: [{:.6g}, 0], "
                       "normal: [-1, 0], {}}}",
                       middle(C, D).x + draw.between(0.02, 0.15), text.law()));
  text.gravity(true);
  return text.finished("four_bar", 0.6, 2e-3);
}

// A loop in space: a crank and a rocker on hinges, with a rod between two balls. The rod strikes a plane.
RandomMechanism loop_in_space(Draw& draw) {
  Sections text(draw);
  const Point A{0, 0, 0}, D{draw.between(0.5, 0.8), draw.between(-0.2, 0.2), 0}, B{0, draw.between(0.1, 0.25), 0.1},
      C{D.x, D.y + draw.between(0.0, 0.2), draw.between(0.3, 0.5)};
  const auto bar = [&](const char* name, const Point& from, const Point& to) {
    text.add("bodies", fmt::format("{}: {{type: rigid, {}, position: {}}}", name, text.bar(distance(from, to), false),
                                   list(middle(from, to), false)));
  };
  bar("crank", A, B), bar("rod", B, C), bar("rocker", C, D);
  const std::string drive = draw.chance(0.4) ? fmt::format(", angle: {:.4g}*t^2", draw.between(1, 8)) : "";
  text.add("joints", fmt::format("a: {{type: revolute, bodies: [ground, crank], at: {}, axis: [1, 0, 0]{}}}",
                                 list(A, false), drive));
  text.add("joints", fmt::format("b: {{type: spherical, bodies: [crank, rod], at: {}}}", list(B, false)));
  text.add("joints", fmt::format("c: {{type: spherical, bodies: [rod, rocker], at: {}}}", list(C, false)));
  text.add("joints",
           fmt::format("d: {{type: {}, bodies: [ground, rocker], at: {}, axis: [0, 1, {:.3g}]}}",
                       draw.chance(0.5) ? "revolute" : "cylindrical", list(D, false), draw.between(-0.3, 0.3)));
  const double radius = 0.05, height = middle(B, C).z - radius - draw.between(0.01, 0.08);
  text.add("contacts",
           fmt::format("floor: {{type: sphere-plane, bodies: [rod, ground], radius: {:.3g}, point: [{:.6g}, "
                       "0, {:.6g}], normal: [{:.3g}, 0, 1], {}}}",
                       radius, middle(B, C).x, height, draw.between(-0.1, 0.1), text.law()));
  text.gravity(false);
  return text.finished("loop_in_space", 0.5, 2e-3);
}

// A chain in space with joints of several kinds. Its last links have colliders and strike the floor and a post.
RandomMechanism chain(Draw& draw) {
  Sections text(draw);
  const int count = draw.whole(2, 5);
  const double length = 0.3, tilt = draw.between(0.2, 1.2);
  Point at{0, 0, 1};
  for (int i = 0; i < count; ++i) {
    const Point end{at.x + length * std::cos(tilt), at.y, at.z - 0.3 * length * std::sin(tilt)};
    text.add("bodies", fmt::format("link{}: {{type: rigid, {}, position: {}}}", i, text.bar(length, false),
                                   list(middle(at, end), false)));
    const std::string bodies = i == 0 ? "[ground, link0]" : fmt::format("[link{}, link{}]", i - 1, i);
    const int kind = draw.whole(0, 3);
    const std::string axis = fmt::format("axis: [{:.3g}, 1, {:.3g}]", draw.between(-0.3, 0.3), draw.between(-0.3, 0.3));
    text.add("joints",
             fmt::format("j{}: {{bodies: {}, at: {}, {}}}", i, bodies, list(at, false),
                         kind == 0   ? "type: spherical"
                         : kind == 1 ? "type: universal, axis: [0, 1, 0], cross_axis: [0, 0, 1]"
                         : kind == 2 ? fmt::format("type: revolute, {}, limits: {{from: -0.3, to: 0.6, restitution: "
                                                   "{:.3g}}}, friction: {:.3g}",
                                                   axis, draw.between(0, 1), draw.decades(1e-4, 1e-1))
                                     : fmt::format("type: revolute, {}", axis)));
    if (i > 0)
      text.add("colliders", fmt::format("c{0}: {{{1}, body: link{0}, {2}}}", i,
                                        draw.chance(0.5) ? "type: capsule, radius: 0.03, length: 0.15"
                                                         : "type: box, size: [0.2, 0.06, 0.06]",
                                        text.law()));
    at = end;
  }
  text.add("colliders",
           fmt::format("floor: {{type: plane, body: ground, point: [0, 0, {:.6g}], normal: [0, 0, 1], {}}}",
                       at.z - draw.between(0.1, 0.4), text.law()));
  text.gravity(false);
  return text.finished("chain", 0.6, 2e-3);
}

// Solids of all kinds that fall onto a plane or hills.
RandomMechanism heap(Draw& draw, bool driven) {
  Sections text(draw);
  const int count = draw.whole(2, 5);
  const bool hills = !driven && draw.chance(0.3);
  text.add("geometry",
           "wedge: {type: convex, vertices: [[-0.1, -0.06, -0.05], [0.1, -0.06, -0.05], [0, 0.1, -0.05], "
           "[0, 0, 0.12]]}");
  text.add("geometry",
           "lever: {type: profile, rounding: 0.01, outline: [[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], "
           "[-0.1, 0.05]]}");
  if (hills) text.add("geometry", "hills: {type: terrain, height: 0.08*sin(5*x)*cos(4*y), size: [6, 6], spacing: 0.1}");
  for (int i = 0; i < count; ++i) {
    // A part with flat faces that is a plate does not touch terrain.
    const int kind = draw.whole(0, hills ? 4 : 5);
    static const char* const shapes[] = {"type: sphere, radius: 0.1",
                                         "type: box, size: [0.2, 0.15, 0.1]",
                                         "type: capsule, radius: 0.06, length: 0.15",
                                         "type: convex, geometry: wedge",
                                         "type: wheel, radius: 0.12, tube: 0.03",
                                         "type: profile, geometry: lever, thickness: 0.06"};
    const double m = text.mass(), J = m * 0.004;
    text.add("bodies",
             fmt::format(
                 "b{}: {{type: rigid, mass: {:.4g}, inertia: [{:.4g}, {:.4g}, {:.4g}], position: [{:.4g}, {:.4g}, "
                 "{:.4g}], rotation: {{axis: [{:.3g}, 1, {:.3g}], angle: {:.3g}}}, velocity: [{:.3g}, {:.3g}, "
                 "{:.3g}], spin: [{:.3g}, {:.3g}, {:.3g}]}}",
                 i, m, J, 0.9 * J, 1.2 * J, draw.between(-0.15, 0.15), draw.between(-0.15, 0.15), 0.35 + 0.4 * i,
                 draw.between(-1, 1), draw.between(-1, 1), draw.between(0, 3), draw.between(-1, 1), draw.between(-1, 1),
                 draw.between(-3, 0), draw.between(-5, 5), draw.between(-5, 5), draw.between(-5, 5)));
    text.add("colliders", fmt::format("c{0}: {{{1}, body: b{0}, {2}}}", i, shapes[kind], text.law()));
  }
  if (driven) {
    text.add("bodies",
             fmt::format("table: {{type: rigid, mass: {:.4g}, inertia: [1, 1, 1], position: [0, 0, 0]}}", text.mass()));
    text.add("joints",
             fmt::format("drive: {{type: prismatic, bodies: [ground, table], at: [0, 0, 0], axis: [{:.3g}, 0, "
                         "1], displacement: {:.3g}*(1 - cos({:.3g}*t))}}",
                         draw.between(-1, 1), draw.between(0.01, 0.05), draw.between(5, 30)));
    text.add("colliders", fmt::format("table: {{type: box, body: table, size: [3, 3, 0.2], {}}}", text.law()));
  } else {
    text.add("colliders", hills
                              ? fmt::format("floor: {{type: terrain, geometry: hills, body: ground, {}}}", text.law())
                              : fmt::format("floor: {{type: plane, body: ground, point: [0, 0, 0], normal: [0, 0, 1], "
                                            "{}}}",
                                            text.law()));
  }
  text.gravity(false);
  return text.finished(driven ? "table" : "heap", 0.6, 2e-3);
}

// Flat parts in the plane, one of which hangs on a rod.
RandomMechanism flat(Draw& draw) {
  Sections text(draw);
  const int count = draw.whole(2, 4);
  text.add("geometry",
           "cam: {type: profile, rounding: 0.02, outline: [[-0.12, -0.06], [0.12, -0.06], [0.06, 0.1], "
           "[-0.1, 0.07]]}");
  for (int i = 0; i < count; ++i) {
    static const char* const shapes[] = {"type: profile, geometry: cam", "type: sphere, radius: 0.1",
                                         "type: box, size: [0.2, 0.12]"};
    const double m = text.mass();
    text.add("bodies",
             fmt::format("b{}: {{type: planar, mass: {:.4g}, inertia: {:.4g}, position: [{:.4g}, {:.4g}], angle: "
                         "{:.3g}, velocity: [{:.3g}, {:.3g}], spin: {:.3g}}}",
                         i, m, m * 0.005, draw.between(-0.1, 0.1), 0.3 + 0.35 * i, draw.between(-2, 2),
                         i == 0 ? 0.0 : draw.between(-1, 1), i == 0 ? 0.0 : draw.between(-3, 0),
                         i == 0 ? 0.0 : draw.between(-5, 5)));
    text.add("colliders",
             fmt::format("c{0}: {{{1}, body: b{0}, {2}}}", i, shapes[i == 0 ? 0 : draw.whole(0, 2)], text.law()));
  }
  if (draw.chance(0.5))
    text.add("joints", fmt::format("rod: {{type: distance, bodies: [ground, b0], at: [[{:.3g}, 1.5], [0.05, 0.02]]}}",
                                   draw.between(-0.5, 0.5)));
  text.add("colliders", fmt::format("floor: {{type: plane, body: ground, point: [0, 0], normal: [{:.3g}, 1], {}}}",
                                    draw.between(-0.3, 0.3), text.law()));
  text.gravity(true);
  return text.finished("flat", 0.7, 2e-3);
}

// A vehicle on rollers that a motor drives against a step, with a swinging load.
RandomMechanism cart(Draw& draw) {
  Sections text(draw);
  text.add("bodies", fmt::format("cart: {{type: planar, {}, position: [0, 0.3]}}", text.bar(0.6, true)));
  const double r = 0.12;
  for (const auto& [name, x] : {std::pair("rear", -0.25), std::pair("front", 0.25)}) {
    const double m = text.mass();
    text.add("bodies", fmt::format("{}: {{type: planar, mass: {:.4g}, inertia: {:.4g}, position: [{}, 0.2]}}", name, m,
                                   m * r * r / 2, x));
    text.add("joints", fmt::format("{0}: {{type: revolute, bodies: [cart, {0}], at: [{1}, 0.2]{2}}}", name, x,
                                   name[0] == 'r' ? fmt::format(", motor: {{speed: {:.3g}, kd: {:.3g}, most: {:.3g}}}",
                                                                draw.between(-20, 20), draw.decades(1e-3, 1),
                                                                draw.decades(1e-2, 10))
                                                  : std::string()));
    text.add("contacts", fmt::format("{0}_floor: {{type: sphere-plane, bodies: [{0}, ground], radius: {1}, point: [0, "
                                     "{2:.6g}], normal: [0, 1], {3}}}",
                                     name, r, 0.2 - r - draw.between(0, 0.05), text.law()));
  }
  text.add("bodies",
           fmt::format("load: {{type: planar, {}, position: [{:.6g}, {:.6g}]}}", text.bar(0.3, true), 0.15, 0.4));
  text.add("joints",
           fmt::format("hinge: {{type: revolute, bodies: [cart, load], at: [0.05, 0.3], limits: {{from: -1, to: "
                       "0.4, restitution: {:.3g}}}}}",
                       draw.between(0, 1)));
  text.add("contacts",
           fmt::format("wall: {{type: point-plane, bodies: [cart, ground], at: [0.3, 0], point: [{:.4g}, 0], "
                       "normal: [-1, 0], {}}}",
                       draw.between(0.35, 0.6), text.law()));
  text.gravity(true);
  return text.finished("cart", 0.8, 2e-3);
}

// Balls of very different masses on each other, between planes of the file.
RandomMechanism tower(Draw& draw) {
  Sections text(draw);
  const int count = draw.whole(2, 5);
  for (int i = 0; i < count; ++i) {
    const double m = text.mass();
    text.add("bodies",
             fmt::format("b{}: {{type: rigid, mass: {:.4g}, inertia: [{:.4g}, {:.4g}, {:.4g}], position: [{:.4g}, "
                         "{:.4g}, {:.6g}], spin: [{:.3g}, {:.3g}, {:.3g}]}}",
                         i, m, 0.004 * m, 0.004 * m, 0.004 * m, draw.between(-0.01, 0.01), draw.between(-0.01, 0.01),
                         0.1 + 0.2005 * i, draw.between(-9, 9), draw.between(-9, 9), draw.between(-9, 9)));
    if (i > 0)
      text.add("contacts", fmt::format("pair{0}: {{type: sphere-sphere, bodies: [b{0}, b{1}], radii: [0.1, 0.1], {2}}}",
                                       i, i - 1, text.law()));
    text.add("contacts",
             fmt::format("floor{0}: {{type: sphere-plane, bodies: [b{0}, ground], radius: 0.1, normal: [0, 0, "
                         "1], {1}}}",
                         i, text.law()));
    text.add("contacts",
             fmt::format("wall{0}: {{type: sphere-plane, bodies: [b{0}, ground], radius: 0.1, point: [0.4, 0, "
                         "0], normal: [-1, 0, 0.1], {1}}}",
                         i, text.law()));
  }
  text.gravity(false);
  return text.finished("tower", 0.8, 2e-3);
}

}  // namespace

RandomMechanism harsh_mechanism(std::uint64_t seed) {
  static const std::function<RandomMechanism(Draw&)> kinds[harsh_kinds] = {
      four_bar, loop_in_space, chain, [](Draw& draw) { return heap(draw, false); },
      flat,     cart,          tower, [](Draw& draw) { return heap(draw, true); }};
  Draw draw(0xc0de + 1000003 * seed);
  return kinds[seed % harsh_kinds](draw);
}

}  // namespace tappet::test
