// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "model/joints/joint_actions.h"
#include "model/state_names.h"

// The coordinate and the speed of a joint as formulas of the state of its two bodies. Their derivatives, and the rates
// of switches in which they occur, then follow like those of every other formula.
namespace tappet {
namespace {

using Kind = StateInput::Kind;

// Vectors and rotations of formulas.
struct Formula3 {
  Node x, y, z;
};
class Algebra {
 public:
  explicit Algebra(Graph& graph) : graph_(graph) {}

  Node number(double x) const { return graph_.constant(x); }
  Formula3 vector(const Vec3d& a) const { return {number(a.x), number(a.y), number(a.z)}; }
  Formula3 plus(const Formula3& a, const Formula3& b) const {
    return {graph_.add(a.x, b.x), graph_.add(a.y, b.y), graph_.add(a.z, b.z)};
  }
  Formula3 minus(const Formula3& a, const Formula3& b) const {
    return {graph_.subtract(a.x, b.x), graph_.subtract(a.y, b.y), graph_.subtract(a.z, b.z)};
  }
  Node dot(const Formula3& a, const Formula3& b) const {
    return graph_.add(graph_.add(graph_.multiply(a.x, b.x), graph_.multiply(a.y, b.y)), graph_.multiply(a.z, b.z));
  }
  Formula3 cross(const Formula3& a, const Formula3& b) const {
    const auto minor = [&](Node p, Node q, Node r, Node s) {
      return graph_.subtract(graph_.multiply(p, q), graph_.multiply(r, s));
    };
    return {minor(a.y, b.z, a.z, b.y), minor(a.z, b.x, a.x, b.z), minor(a.x, b.y, a.y, b.x)};
  }
  Formula3 turned(const std::array<Formula3, 3>& rows, const Formula3& a) const {
    return {dot(rows[0], a), dot(rows[1], a), dot(rows[2], a)};
  }

 private:
  Graph& graph_;
};

// The state of a body as formulas: place, velocity, rotation (its rows), angular velocity in the frame of the body.
struct MovingFrame {
  Formula3 p, v, w;
  std::array<Formula3, 3> R;
  Node phi;
};

MovingFrame frame_of(Loading& loading, int body) {
  Graph& graph = loading.model.formulas.graph;
  const Algebra make(graph);
  const Node zero = make.number(0.0), one = make.number(1.0);
  MovingFrame frame{{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}, {}, zero};
  frame.R = {Formula3{one, zero, zero}, Formula3{zero, one, zero}, Formula3{zero, zero, one}};
  if (body < 0) return frame;
  const auto input = [&](Kind kind, int index) { return state_node(loading, {body, kind, index}); };
  const auto three = [&](Kind kind, int first) {
    return Formula3{input(kind, first), input(kind, first + 1), input(kind, first + 2)};
  };
  const BodyVariant& element = loading.model.bodies[body].element;
  if (std::holds_alternative<PlanarBody>(element)) {
    frame.p = {input(Kind::position, 0), input(Kind::position, 1), zero};
    frame.v = {input(Kind::velocity, 0), input(Kind::velocity, 1), zero};
    frame.phi = input(Kind::position, 2), frame.w.z = input(Kind::velocity, 2);
    const Node c = graph.unary(Operation::cos, frame.phi), s = graph.unary(Operation::sin, frame.phi);
    frame.R[0] = {c, graph.negate(s), zero}, frame.R[1] = {s, c, zero};
    return frame;
  }
  frame.p = three(Kind::position, 0), frame.v = three(Kind::velocity, 0);
  if (std::holds_alternative<PointBody>(element)) return frame;
  frame.w = three(Kind::velocity, 3);
  for (int row = 0; row < 3; ++row) frame.R[row] = three(Kind::rotation, 3 * row);
  return frame;
}

JointState slide_of(Graph& graph, const Attached& at, const MovingFrame& A, const MovingFrame& B) {
  const Algebra make(graph);
  const Formula3 axis = make.vector(at.triad_A.z), in_A = make.vector(at.point_A), in_B = make.vector(at.point_B);
  const Formula3 offset = make.minus(make.plus(B.p, make.turned(B.R, in_B)), make.plus(A.p, make.turned(A.R, in_A)));
  const Formula3 rate = make.minus(make.plus(B.v, make.turned(B.R, make.cross(B.w, in_B))),
                                   make.plus(A.v, make.turned(A.R, make.cross(A.w, in_A))));
  const Formula3 along = make.turned(A.R, axis), along_rate = make.turned(A.R, make.cross(A.w, axis));
  return {graph.subtract(make.dot(along, offset), make.number(at.slide)),
          graph.add(make.dot(along, rate), make.dot(along_rate, offset))};
}

// In space the angle is the one nearest to `counted`, so that it passes through any number of turns without a jump. It
// does not depend on the exact value of `counted`.
JointState turn_of(Graph& graph, const Attached& at, const MovingFrame& A, const MovingFrame& B, Node counted) {
  const Algebra make(graph);
  if (at.planar) {
    const Node turn = graph.add(graph.subtract(B.phi, A.phi), make.number(at.phi));
    return {graph.multiply(make.number(at.sense), turn),
            graph.multiply(make.number(at.sense), graph.subtract(B.w.z, A.w.z))};
  }
  const Formula3 x = make.turned(B.R, make.vector(at.triad_B.x)), y = make.turned(B.R, make.vector(at.triad_B.y));
  const Formula3 rest_x = make.turned(A.R, make.vector(at.triad_A.x)),
                 rest_y = make.turned(A.R, make.vector(at.triad_A.y));
  const Node s = graph.subtract(make.dot(x, rest_y), make.dot(y, rest_x));
  const Node c = graph.add(make.dot(x, rest_x), make.dot(y, rest_y));
  const Node cosine = graph.unary(Operation::cos, counted), sine = graph.unary(Operation::sin, counted);
  const Node difference = graph.atan2(graph.subtract(graph.multiply(s, cosine), graph.multiply(c, sine)),
                                      graph.add(graph.multiply(c, cosine), graph.multiply(s, sine)));
  const Formula3 axis = make.vector(at.triad_A.z);
  return {graph.add(counted, difference),
          graph.subtract(make.dot(make.turned(A.R, axis), make.turned(B.R, B.w)), make.dot(axis, A.w))};
}

}  // namespace

JointState joint_state(Loading& loading, int joint) {
  JointEntry& entry = loading.model.joints[joint];
  entry.actions.measured = true;
  Graph& graph = loading.model.formulas.graph;
  const MovingFrame A = frame_of(loading, entry.bodies[0].body), B = frame_of(loading, entry.bodies[1].body);
  const JointCoordinate& coordinate = entry.actions.coordinate;
  if (coordinate.slides) return slide_of(graph, coordinate.attached, A, B);
  const Node counted = coordinate.counts_turns() ? state_node(loading, {joint, Kind::joint, 0}) : graph.constant(0.0);
  return turn_of(graph, coordinate.attached, A, B, counted);
}

Node joint_state_named(Loading& loading, std::string_view joint, std::string_view quantity) {
  const auto& joints = loading.model.joints;
  const auto found = std::find_if(joints.begin(), joints.end(), [&](const JointEntry& j) { return j.name == joint; });
  if (found == joints.end()) return -1;
  const bool turns = std::holds_alternative<Revolute>(found->element),
             slides = std::holds_alternative<Prismatic>(found->element);
  const bool position = (turns && quantity == "angle") || (slides && quantity == "displacement");
  if (!position && !((turns || slides) && quantity == "speed")) return -1;
  if (!can_be_measured(loading, *found)) return -1;
  const JointState state = joint_state(loading, static_cast<int>(found - joints.begin()));
  return position ? state.position : state.speed;
}

}  // namespace tappet
