// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "support/random_mechanism.h"

#include <fmt/format.h>

#include <functional>

#include "support/draw.h"

namespace tappet::test {

namespace {

// A model file while it is written.
class Text {
 public:
  explicit Text(Draw& draw) : draw_(draw) {}

  // A parameter with a value from this range; gives its name.
  std::string number(const std::string& name, double least, double most) {
    values_ += fmt::format("{}{}: {:.6g}", names_.empty() ? "" : ", ", name, draw_.between(least, most));
    names_.push_back(name);
    return name;
  }
  void coordinate(const std::string& name, double least, double most, double slowest, double fastest) {
    add("coordinates", fmt::format("{}: {{position: {}, velocity: {}}}", name, number(name + "_0", least, most),
                                   number(name + "_v_0", slowest, fastest)));
    state_.push_back(name);
  }
  void body(const std::string& name, const std::string& entry) {
    add("bodies", fmt::format("{0}: {{type: planar, coordinates: [{0}_x, {0}_y, {0}_phi], {1}}}", name, entry));
    for (const char* part : {"_x", "_y", "_phi"}) state_.push_back(name + part);
  }
  void add(const std::string& section, const std::string& entry) {
    for (auto& [name, entries] : sections_)
      if (name == section) return entries.push_back(entry);
    sections_.push_back({section, {entry}});
  }
  // Restitution and friction of a contact, each with its own parameters.
  std::string law(const std::string& contact, double least_mu = 0.05, double most_mu = 0.6) {
    const bool plastic = draw_.chance(0.15);
    const std::string e = plastic ? "0" : number("e_" + contact, 0.2, 0.9);
    return fmt::format("e_N: {}, mu: {}", e, number("mu_" + contact, least_mu, most_mu));
  }

  RandomMechanism finished(const std::string& kind, double end) const {
    std::string all = fmt::format("parameters: {{{}}}\n", values_);
    for (const auto& [name, entries] : sections_) {
      all += name + ":\n";
      for (const std::string& entry : entries) all += "  " + entry + "\n";
    }
    all += fmt::format("run: {{scheme: event-driven, dt: {:.3g}, end: {:.6g}}}\n", end / 200, end);
    return {kind, all, names_, state_, end};
  }

 private:
  struct Section {
    std::string name;
    std::vector<std::string> entries;
  };
  Draw& draw_;
  std::string values_;
  std::vector<std::string> names_, state_;
  std::vector<Section> sections_;
};

// Masses in the plane that hang on each other by springs and dampers, above a floor with hills and beside a wall.
RandomMechanism masses(Draw& draw) {
  Text text(draw);
  const int count = draw.whole(1, 3);
  text.number("g", 5, 12), text.number("hill", 0.02, 0.15), text.number("wide", 1, 4), text.number("wall", 0.9, 1.4);
  if (count > 1) text.number("k", 10, 60), text.number("c", 0.05, 0.5), text.number("rest", 0.3, 0.6);
  std::string kinetic, potential;
  std::vector<std::string> x_forces(count), y_forces(count);
  for (int i = 0; i < count; ++i) {
    const std::string x = fmt::format("x{}", i), y = fmt::format("y{}", i),
                      m = text.number(fmt::format("m{}", i), 0.4, 2);
    text.coordinate(x, -0.6 + 0.6 * i, -0.4 + 0.6 * i, -0.5, 2), text.coordinate(y, 0.4, 1, -1, 1);
    kinetic += fmt::format("{}{}*({}'^2 + {}'^2)/2", i ? " + " : "", m, x, y);
    potential += fmt::format("{}{}*g*{}", i ? " + " : "", m, y);
    const std::string floor = fmt::format("floor{}", i);
    text.add("contacts",
             fmt::format("{}: {{gap: {} - hill*sin(wide*{}), slip: {}, {}}}", floor, y, x, x, text.law(floor)));
    if (i > 0) {
      const std::string length = fmt::format("sqrt(({0} - x{1})^2 + ({2} - y{1})^2)", x, i - 1, y);
      potential += fmt::format(" + k*({} - rest)^2/2", length);
      for (auto [forces, axis] : {std::pair{&x_forces, 'x'}, std::pair{&y_forces, 'y'}}) {
        const std::string damper = fmt::format("c*({0}{1}' - {0}{2}')", axis, i, i - 1);
        (*forces)[i] += " - " + damper, (*forces)[i - 1] += " + " + damper;
      }
    }
  }
  for (int i = 0; i < count && count > 1; ++i) {
    text.add("forces", fmt::format("x{}: 0{}", i, x_forces[i]));
    text.add("forces", fmt::format("y{}: 0{}", i, y_forces[i]));
  }
  const std::string last = std::to_string(count - 1);
  text.add("contacts", fmt::format("wall: {{gap: wall - x{0}, slip: y{0}, {1}}}", last, text.law("wall")));
  text.add("lagrangian", "kinetic: " + kinetic), text.add("lagrangian", "potential: " + potential);
  return text.finished("masses", draw.between(0.6, 1.6));
}

// A double pendulum between two walls, driven at its pivot.
RandomMechanism pendulum(Draw& draw) {
  Text text(draw);
  for (const char* name : {"m1", "m2"}) text.number(name, 0.3, 1.5);
  for (const char* name : {"l1", "l2"}) text.number(name, 0.4, 0.9);
  text.number("g", 7, 12), text.number("d", 0.02, 0.2), text.number("drive", 0.5, 4), text.number("omega", 2, 6);
  text.coordinate("a", 0.3, 0.9, -1, 3), text.coordinate("b", 0.2, 1.1, -2, 3);
  text.number("right", 0.15, 0.45), text.number("left", -0.7, -0.3);
  for (const char* one :
       {"x_C: l1*sin(a) + l2*sin(b)", "y_C: -l1*cos(a) - l2*cos(b)", "x_B: l1*sin(a)", "y_B: -l1*cos(a)"})
    text.add("define", one);
  text.add("lagrangian", "kinetic: m1*(x_B'^2 + y_B'^2)/2 + m2*(x_C'^2 + y_C'^2)/2");
  text.add("lagrangian", "potential: m1*g*y_B + m2*g*y_C");
  text.add("forces", "a: drive*sin(omega*t) - d*a'"), text.add("forces", "b: -d*(b' - a')");
  const double reach = draw.between(0.75, 0.95);  // of both lengths: the walls stand beyond the start
  text.number("far", 1.3, 1.6);
  text.add("contacts",
           fmt::format("right: {{gap: {:.3g}*(l1 + l2)*far - x_C, slip: y_C, {}}}", reach, text.law("right_wall")));
  text.add("contacts", fmt::format("left: {{gap: x_C - left, slip: y_C, {}}}", text.law("left_wall")));
  text.add("contacts", fmt::format("knee: {{gap: x_B + right, slip: y_B, {}}}", text.law("knee")));
  return text.finished("pendulum", draw.between(0.8, 2));
}

// Blocks on a belt, held by springs: they stick, are carried along, and slip back.
RandomMechanism belt(Draw& draw) {
  Text text(draw);
  const int count = draw.whole(1, 3);
  text.number("g", 8, 11), text.number("v", 0.1, 0.6), text.number("k", 5, 40), text.number("c", 0.05, 0.4);
  text.number("swing", 0.05, 0.3), text.number("omega", 2, 5);
  std::string kinetic, potential;
  for (int i = 0; i < count; ++i) {
    const std::string x = fmt::format("x{}", i), y = fmt::format("y{}", i),
                      m = text.number(fmt::format("m{}", i), 0.5, 2);
    text.coordinate(x, -0.1, 0.2, -1, 1);
    text.add("coordinates", fmt::format("{}: {{position: 0, velocity: 0}}", y));
    kinetic += fmt::format("{}{}*({}'^2 + {}'^2)/2", i ? " + " : "", m, x, y);
    potential +=
        fmt::format("{0}k*({1}{2})^2/2 + {3}*g*{4}", i ? " + " : "", x, i ? fmt::format(" - x{}", i - 1) : "", m, y);
    text.add("forces", fmt::format("{0}: -c*{0}'", x));
    const std::string name = fmt::format("belt{}", i);
    text.add("contacts", fmt::format("{}: {{gap: {}, slip: {} - v*t + swing*cos(omega*t), mu: {}}}", name, y, x,
                                     text.number("mu_" + name, 0.1, 0.6)));
  }
  const std::string last = std::to_string(count - 1);
  text.add("contacts", fmt::format("stop: {{gap: {} - x{}, e_N: {}}}", text.number("stop", 0.25, 0.6), last,
                                   text.number("e_stop", 0.2, 0.8)));
  text.add("lagrangian", "kinetic: " + kinetic), text.add("lagrangian", "potential: " + potential);
  return text.finished("belt", draw.between(1, 3));
}

// A rod that falls onto a floor and beside a wall, as a planar body.
RandomMechanism rod(Draw& draw) {
  Text text(draw);
  for (const char* name : {"m", "half"}) text.number(name, 0.3, 1);
  text.number("J", 0.03, 0.2), text.number("g", 7, 12), text.number("wall", 1.2, 1.7), text.number("tilt", -0.2, 0.2);
  text.number("x_0", -0.2, 0.2), text.number("y_0", 1.1, 1.5), text.number("phi_0", 0.2, 1.2);
  text.number("vx_0", -1, 2), text.number("vy_0", -2, 0), text.number("spin_0", -3, 3);
  text.body("rod", "mass: m, inertia: J, position: [x_0, y_0], angle: phi_0, velocity: [vx_0, vy_0], spin: spin_0");
  for (const char* side : {"-half", "half"}) {
    const std::string end = side[0] == '-' ? "low" : "high";
    text.add("contacts", fmt::format("{0}: {{type: point-plane, bodies: [rod, ground], at: [{1}, 0], normal: "
                                     "[sin(tilt), cos(tilt)], {2}}}",
                                     end, side, text.law(end)));
  }
  text.add("contacts", fmt::format("wall: {{type: point-plane, bodies: [rod, ground], at: [half, 0], point: [wall, 0], "
                                   "normal: [-1, 0], {}}}",
                                   text.law("wall")));
  text.add("forces", "gravity: {type: gravity, acceleration: [0, -g]}");
  return text.finished("rod", draw.between(0.5, 1.1));
}

// A crank, a rod and a foot on hinges; the foot strikes the floor.
RandomMechanism linkage(Draw& draw) {
  Text text(draw);
  text.number("l1", 0.3, 0.5), text.number("l2", 0.5, 0.8), text.number("m1", 0.3, 1), text.number("m2", 0.3, 1);
  text.number("J1", 0.005, 0.03), text.number("J2", 0.02, 0.08), text.number("g", 8, 11), text.number("w1_0", -4, 4);
  text.number("w2_0", -3, 3), text.number("a_0", -0.6, 0.6), text.number("b_0", -1.3, -0.6), text.number("k", 0.5, 6);
  text.body("crank",
            "mass: m1, inertia: J1, position: [l1/2*cos(a_0), l1/2*sin(a_0)], angle: a_0, velocity: "
            "[-l1/2*sin(a_0)*w1_0, l1/2*cos(a_0)*w1_0], spin: w1_0");
  text.body("arm",
            "mass: m2, inertia: J2, position: [l1*cos(a_0) + l2/2*cos(b_0), l1*sin(a_0) + l2/2*sin(b_0)], angle: "
            "b_0, velocity: [-l1*sin(a_0)*w1_0 - l2/2*sin(b_0)*w2_0, l1*cos(a_0)*w1_0 + l2/2*cos(b_0)*w2_0], "
            "spin: w2_0");
  text.add("joints", "pivot: {type: revolute, bodies: [ground, crank], at: [0, 0]}");
  text.add("joints", "elbow: {type: revolute, bodies: [crank, arm], at: [l1*cos(a_0), l1*sin(a_0)]}");
  text.number("depth", -1, -0.85);
  text.add("contacts",
           fmt::format("foot: {{type: point-plane, bodies: [arm, ground], at: [l2/2, 0], point: [0, depth], normal: "
                       "[0, 1], {}}}",
                       text.law("foot", 0.05, 0.35)));
  text.add("contacts",
           fmt::format("toe: {{type: point-plane, bodies: [arm, ground], at: [l2/2, 0], point: [{}, 0], normal: "
                       "[-1, 0], {}}}",
                       text.number("wall", 0.9, 1.1), text.law("toe", 0.05, 0.35)));
  text.add("forces", "gravity: {type: gravity, acceleration: [0, -g]}");
  text.add("forces", "motor: {type: torsional-spring-damper, bodies: [ground, crank], stiffness: k, damping: 0.02}");
  return text.finished("linkage", draw.between(0.4, 1));
}

// Discs that roll, slip and strike each other on an inclined floor.
RandomMechanism discs(Draw& draw) {
  Text text(draw);
  const int count = draw.whole(1, 3);
  text.number("g", 7, 11), text.number("slope", 0.02, 0.4), text.number("wall", 1.9, 2.4);
  for (int i = 0; i < count; ++i) {
    const auto own = [&](const char* name) { return fmt::format("{}{}", name, i); };
    const std::string r = text.number(own("r"), 0.1, 0.2), m = text.number(own("m"), 0.3, 2);
    text.body(own("disc"),
              fmt::format("mass: {}, inertia: {}*{}*{}^2, position: [{}, {}], velocity: [{}, {}], spin: {}", m,
                          text.number(own("part"), 0.3, 0.6), m, r,
                          text.number(own("x") + "_0", 0.7 * i, 0.7 * i + 0.2), text.number(own("y") + "_0", 0.35, 0.7),
                          text.number(own("vx") + "_0", 1.5 - 1.2 * i, 2.5 - 1.2 * i),
                          text.number(own("vy") + "_0", -1, 0.5), text.number(own("w") + "_0", -6, 6)));
    const std::string floor = own("floor");
    text.add("contacts", fmt::format("{}: {{type: sphere-plane, bodies: [{}, ground], radius: {}, normal: [0, 1], {}}}",
                                     floor, own("disc"), r, text.law(floor)));
    if (i > 0) {
      const std::string pair = own("pair");
      text.add("contacts",
               fmt::format("{}: {{type: circle-on-circle, bodies: [disc{}, disc{}], radii: [r{}, r{}], {}}}", pair,
                           i - 1, i, i - 1, i, text.law(pair)));
    }
  }
  const std::string last = std::to_string(count - 1);
  text.add("contacts",
           fmt::format("wall: {{type: sphere-plane, bodies: [disc{0}, ground], radius: r{0}, point: [wall, 0], "
                       "normal: [-1, 0], {1}}}",
                       last, text.law("wall")));
  text.add("forces", "gravity: {type: gravity, acceleration: [g*sin(slope), -g*cos(slope)]}");
  return text.finished("discs", draw.between(0.5, 1.2));
}

// Carts on a rail that push each other through gaps, with dry friction, springs and a drive.
RandomMechanism train(Draw& draw) {
  Text text(draw);
  const int count = draw.whole(2, 4);
  text.number("k", 5, 50), text.number("F", 1, 6), text.number("omega", 2, 9), text.number("long_cart", 0.2, 0.3);
  text.number("g", 8, 11), text.number("mu_rail", 0.02, 0.3);
  std::string kinetic, potential = "0";
  for (int i = 0; i < count; ++i) {
    const std::string x = fmt::format("x{}", i), y = fmt::format("y{}", i),
                      m = text.number(fmt::format("m{}", i), 0.3, 2);
    text.coordinate(x, 0.4 * i, 0.4 * i + 0.1, -1, 1.5);
    text.add("coordinates", fmt::format("{}: {{position: 0, velocity: 0}}", y));
    kinetic += fmt::format("{}{}*({}'^2 + {}'^2)/2", i ? " + " : "", m, x, y);
    potential += fmt::format(" + {}*g*{}", m, y);
    text.add("contacts", fmt::format("rail{0}: {{gap: {1}, slip: {2}, mu: mu_rail}}", i, y, x));
    if (i > 0)
      text.add("contacts", fmt::format("buffer{0}: {{gap: x{0} - x{1} - long_cart, e_N: {2}}}", i, i - 1,
                                       text.number(fmt::format("e{}", i), 0.1, 0.9)));
  }
  potential += fmt::format(" + k*(x{} - {})^2/2", count - 1, text.number("rest", 0.2, 0.8));
  text.add("forces", "x0: F*cos(omega*t)");
  text.add("contacts", fmt::format("end: {{gap: x0 + {}, e_N: {}}}", text.number("back", 0.2, 0.5),
                                   text.number("e_end", 0.1, 0.9)));
  text.add("lagrangian", "kinetic: " + kinetic), text.add("lagrangian", "potential: " + potential);
  return text.finished("train", draw.between(0.8, 2));
}

}  // namespace

RandomMechanism random_mechanism(std::uint64_t seed) {
  static const std::vector<std::function<RandomMechanism(Draw&)>> kinds = {masses,  pendulum, belt, rod,
                                                                           linkage, discs,    train};
  Draw draw(0x5eed + 1000003 * seed);
  return kinds[seed % kinds.size()](draw);
}

}  // namespace tappet::test
