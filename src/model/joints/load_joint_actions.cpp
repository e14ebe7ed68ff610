// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "model/joints/joint_actions.h"
#include "model/names.h"
#include "model/reading/element_reader.h"
#include "model/state_names.h"

namespace tappet {
namespace {

struct LimitKeys {
  JointActions::Limits& limits;
  template <class V>
  void describe(V& v) {
    v.required("from", limits.from);
    v.required("to", limits.to);
    v.optional("restitution", limits.restitution, unit_interval);
  }
};

JointActions::Limits read_limits(const Loading& loading, const Item& item, bool slides) {
  const char* unit = slides ? "m" : "rad";
  JointActions::Limits limits;
  LimitKeys keys{limits};
  if (!item.is_map()) item.fail_expecting(std::string(LimitsItem::expects));
  read_element(item, loading.values, {}, keys);
  if (!(limits.from < limits.to))
    item.find("to")->fail(
        fmt::format("found limits from {:g} to {:g} {}; expected `to` above `from`", limits.from, limits.to, unit));
  if (limits.from > 0.0 || limits.to < 0.0)
    item.find(limits.from > 0.0 ? "from" : "to")
        ->fail(
            fmt::format("found limits from {:g} to {:g} {}, which exclude the start: the joint counts from its start "
                        "pose, where it is at 0; expected `from` <= 0 <= `to`",
                        limits.from, limits.to, unit));
  return limits;
}

// The formulas of a motor may call the coordinate and the speed of their joint by these names.
Node motor_formula(Loading& loading, const Item& item, const JointState& state, bool slides) {
  const std::array<std::pair<std::string, Node>, 2> own{
      {{slides ? "displacement" : "angle", state.position}, {"speed", state.speed}}};
  Scope scope = loading.scope;
  const std::string text = item.is_scalar() ? item.text() : "";
  for (const auto& [name, node] : own) {
    const std::vector<std::string> used = names_in(text);
    if (scope.contains(name) && std::find(used.begin(), used.end(), name) != used.end())
      item.fail(
          fmt::format("'{0}' is the {0} of the joint here, and the model also has a parameter, coordinate or "
                      "definition of this name; expected another name for the latter",
                      name));
    scope[name] = node;
  }
  return parse_formula(loading.model.formulas.graph, item, scope,
                       fmt::format(" (it may use t, {} and speed of the joint, parameters, coordinates, definitions "
                                   "and the state of bodies and joints: a.x, a.vx, knee.angle, ..)",
                                   own[0].first),
                       [&](std::string_view name) { return state_named(loading, name); });
}

Node formula_of_time(Loading& loading, const Item& item) {
  const Node f = loading.formula(item);
  if (loading.depends_on_slots(f, 1, INT_MAX)) item.fail_expecting("a formula of t and parameters");
  return f;
}

struct ControlKeys {
  const bool needs_kp;
  double kp = 0.0, kd = 0.0;
  template <class V>
  void describe(V& v) {
    if (needs_kp) v.required("kp", kp, non_negative);
    if (needs_kp)
      v.optional("kd", kd, non_negative);
    else
      v.required("kd", kd, positive);
  }
};

// kp (target − coordinate) + kd (rate of the target − speed)
Node controller(Loading& loading, const Item& item, const std::string& key, const JointState& state) {
  Graph& graph = loading.model.formulas.graph;
  const bool of_position = key == "position";
  ControlKeys gains{of_position};
  read_element(item, loading.values, {key, "most"}, gains);
  const Node target = formula_of_time(loading, item.at(key, "a formula of t"));
  const Node rate =  // slot 0 is t
      of_position ? graph.derivative(target, graph.input(0)) : target;
  const Node by_rate = graph.multiply(graph.constant(gains.kd), graph.subtract(rate, state.speed));
  if (!of_position) return by_rate;
  return graph.add(graph.multiply(graph.constant(gains.kp), graph.subtract(target, state.position)), by_rate);
}

Node read_motor(Loading& loading, const Item& item, const JointState& state, bool slides) {
  const std::string own = slides ? "force" : "torque";
  if (!item.is_map()) item.fail_expecting(fmt::format("a map with one of `{}`, `position`, `speed`", own));
  std::string key;
  for (const std::string& one : {own, std::string("position"), std::string("speed")})
    if (const auto given = item.find(one)) {
      if (!key.empty()) given->fail_at_key(fmt::format("`{}` is given too; expected one of the two", key));
      key = one;
    }
  if (key.empty()) {
    item.allow({own, "position", "speed", "kp", "kd", "most"});
    item.fail_at_key(fmt::format("the motor has no law; expected one of `{}`, `position`, `speed`", own));
  }
  Graph& graph = loading.model.formulas.graph;
  Node f = 0;
  if (key == own) {
    item.allow({own, "most"});
    f = motor_formula(loading, item.at(own, "a formula"), state, slides);
  } else {
    f = controller(loading, item, key, state);
  }
  if (const auto given = item.find("most")) {
    const double most = loading.values.number(*given);
    if (!(most > 0.0)) given->fail(fmt::format("found {:g}; expected a positive number", most));
    f = graph.max(graph.constant(-most), graph.min(graph.constant(most), f));
  }
  return f;
}

int add_force(Loading& loading, int joint, const std::string& what, Node f) {
  StateForce force;
  const JointEntry& entry = loading.model.joints[joint];
  force.name = entry.name + "." + what, force.place = entry.place, force.joint = joint;
  force.components.fill(loading.model.formulas.graph.constant(0.0));
  force.components[0] = f;
  loading.model.state_forces.push_back(std::move(force));
  return static_cast<int>(loading.model.state_forces.size()) - 1;
}

Pose<double> start_pose(const Model& model, int body) {
  if (body < 0) return {};
  return std::visit(
      []<class Element>(const Element& element) -> Pose<double> {
        if constexpr (requires { Element::nq; }) {
          double q[Element::nq], u[Element::nu];
          element.initial(q, u);
          return element.pose(q);
        } else {
          return {};
        }
      },
      model.bodies[body].element);
}

bool is_planar(const Model& model, int body) {
  return body < 0 || std::visit([](const auto& element) { return element.is_planar; }, model.bodies[body].element);
}

}  // namespace

bool can_be_measured(const Loading& loading, const JointEntry& joint) {
  return std::all_of(joint.bodies.begin(), joint.bodies.end(), [&](const Attachment& a) {
    return a.body < 0 || std::visit([]<class Element>(const Element&) { return !FlexibleBody<Element>; },
                                    loading.model.bodies[a.body].element);
  });
}

void read_joint_actions(Loading& loading, const Item& item) {
  const int joint = static_cast<int>(loading.model.joints.size()) - 1;
  JointEntry& entry = loading.model.joints.back();
  const auto [a, b] = std::pair(entry.bodies[0].body, entry.bodies[1].body);
  JointActions& actions = entry.actions;
  bool driven = false;
  std::visit(
      [&]<class Element>(const Element& element) {
        if constexpr (std::is_same_v<Element, Revolute> || std::is_same_v<Element, Prismatic>) {
          const Model& model = loading.model;
          actions.coordinate.slides = std::is_same_v<Element, Prismatic>;
          actions.coordinate.attached.attach(start_pose(model, a), start_pose(model, b),
                                             is_planar(model, a) && is_planar(model, b), element.at, element.axis);
          if constexpr (std::is_same_v<Element, Prismatic>)
            driven = element.displacement.has_value();
          else
            driven = element.angle.has_value();
        }
      },
      entry.element);
  JointActionKeys keys;
  KeyReader reader(item, loading.values);
  keys.describe(reader);
  const bool slides = actions.coordinate.slides;
  for (const char* key : {"limits", "friction", "damping", "motor"})
    if (const auto given = item.find(key)) {
      if (driven)
        given->fail_at_key(fmt::format("`{}` already prescribes the motion of the joint; expected one of the two",
                                       slides ? "displacement" : "angle"));
      if (!can_be_measured(loading, entry))
        given->fail_at_key("a body of the joint is flexible; expected rigid, planar or point bodies beside this key");
    }
  if (keys.limits.item) actions.limits = read_limits(loading, *keys.limits.item, slides);
  actions.friction = keys.friction, actions.damping = keys.damping;
  if (actions.limits) actions.stop.e_N = actions.limits->restitution;
  actions.dry.mu = {1.0, 1.0}, actions.dry.friction = ContactLaw::Friction::planar;
  if (actions.limits || actions.friction > 0.0) actions.measured = true;
  if (!keys.motor.item && actions.damping == 0.0) return;
  const JointState state = joint_state(loading, joint);
  Graph& graph = loading.model.formulas.graph;
  if (keys.motor.item) {
    const Node f = read_motor(loading, *keys.motor.item, state, slides);
    loading.model.joints[joint].actions.motor = add_force(loading, joint, "motor", f);
  }
  if (const double damping = loading.model.joints[joint].actions.damping; damping > 0.0)
    add_force(loading, joint, "damping", graph.multiply(graph.constant(-damping), state.speed));
}

}  // namespace tappet
