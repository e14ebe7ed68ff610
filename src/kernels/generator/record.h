// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "elements/contacts/contact_rows.h"
#include "elements/lists.h"
#include "kernels/kernel.h"
#include "kernels/recordable.h"

// The functions of the elements, recorded and differentiated: what a kernel computes.
namespace tappet::kernels {

// Where the inputs of a recorded function are read: slot = source · slots_per_source + index.
enum class Source { A, B, u_A, u_B, u_dot_A, u_dot_B, numbers, P };
inline constexpr int slots_per_source = 1000;

// The inputs of a pair of bodies, and how they change.
class Motion {
 public:
  Motion(Graph& graph, Family family);

  Pose<Traced> A, B;
  Twist<Traced> u_A, u_B;
  Traced input(Source source, int index) { return {graph_, slot(source, index)}; }
  Node slot(Source source, int index) { return graph_.input(static_cast<int>(source) * slots_per_source + index); }
  const std::vector<int>& columns() const { return columns_; }
  void moves_in_time(const std::vector<InputNumbers::Drive>& drives);

  Traced along(const Traced& f, int column);     // displacement of one of the twelve
  Traced in_motion(const Traced& f);             // both bodies with their twists, and time
  Traced in_time(const Traced& f);               // time alone
  Traced along_rates(const Traced& f);           // displacement by the rates of the twists
  Traced by_twist(const Traced& f, int column);  // ∂f/∂u of one of the twelve
  Traced rate(int column) { return input(column < 6 ? Source::u_dot_A : Source::u_dot_B, column % 6); }

 private:
  using Rates = std::vector<std::pair<Node, Node>>;
  Pose<Traced> pose(Kind kind, Source source);
  Twist<Traced> twist(Kind kind, Source source);
  void add_rates(Kind kind, const Pose<Traced>& pose, Source source, int component, Rates& rates);
  Rates combined(Source first, Source second);  // Σ over the columns, each times an input
  Traced derivative(const Traced& f, Graph::Direction& along);

  Graph& graph_;
  Family family_;
  std::vector<int> columns_;
  std::vector<Rates> displacement_;           // by column
  std::vector<Graph::Direction> directions_;  // by column
  std::vector<Graph::Direction> twists_;      // by column
  Graph::Direction motion_, rates_, time_;
};

// A level of a kernel: its outputs, one after the other, each with its place.
struct Level {
  std::vector<Node> outputs;
  std::vector<Entry> entries;  // sparse matrices only
};

struct RecordedRows {
  Graph graph;
  int all_rows = 0;
  std::vector<int> rows, columns;
  Level value, W, chi, zeta, K, D, D_pose, D_twist;
  bool has_acceleration_gradient = true;
};
struct RecordedForce {
  Graph graph;
  std::vector<int> columns;
  int line_count = 0;
  Level wrench, energy, K, C, lines;
};

// A set of rows as functions of the inputs.
struct RowFunctions {
  int rows = 0;
  std::vector<Traced> value, W, chi, gamma, by_rates;  // W: row by row over the columns; by_rates: W u̇
  std::vector<Traced> impulse;                         // WᵀP over the columns, P of the left rows
};
std::vector<int> left_rows(const RowFunctions& f, int columns);
void record_levels(Motion& motion, const RowFunctions& f, RecordedRows& out, bool with_acceleration_gradient = true);

// False: there is no such form.
template <class J>
bool record_joint(Family family, unsigned form, RecordedRows& out) {
  using Element = typename Rebound<J, Traced>::Type;
  Graph& graph = out.graph;
  Motion motion(graph, family);
  Element joint{};
  InputNumbers numbers(graph, static_cast<int>(Source::numbers) * slots_per_source, family.in_plane(), form);
  joint.numbers(numbers);
  if (form >> numbers.bits()) return false;
  motion.moves_in_time(numbers.drives());
  RowFunctions f;
  f.rows = joint.rows();
  const Traced t(0.0);  // drives are inputs
  f.value.resize(f.rows), f.chi.resize(f.rows), f.gamma.resize(f.rows);
  if constexpr (requires { joint.residual(motion.A, motion.B, t, f.value.data()); }) {
    joint.residual(motion.A, motion.B, t, f.value.data());
    for (int r = 0; r < f.rows; ++r) {
      f.chi[r] = motion.in_time(f.value[r]);
      f.gamma[r] = motion.in_motion(f.value[r]);
      f.by_rates.push_back(motion.along_rates(f.value[r]));
      for (int c : motion.columns()) f.W.push_back(motion.along(f.value[r], c));
    }
  } else {
    joint.velocity(motion.A, motion.u_A, motion.B, motion.u_B, t, f.gamma.data());
    joint.velocity(motion.A, Twist<Traced>{}, motion.B, Twist<Traced>{}, t, f.chi.data());
    for (int r = 0; r < f.rows; ++r) {
      f.by_rates.push_back(Traced(0.0));
      for (int c : motion.columns()) {
        f.W.push_back(motion.by_twist(f.gamma[r], c));
        f.by_rates.back() += f.W.back() * motion.rate(c);
      }
    }
  }
  const std::vector<int> left = left_rows(f, static_cast<int>(motion.columns().size()));
  if constexpr (requires { joint.residual(motion.A, motion.B, t, f.value.data()); }) {
    Traced sum(0.0);
    for (size_t k = 0; k < left.size(); ++k) sum += motion.input(Source::P, static_cast<int>(k)) * f.value[left[k]];
    for (int c : motion.columns()) f.impulse.push_back(motion.along(sum, c));
  } else {
    for (size_t c = 0; c < motion.columns().size(); ++c) {
      f.impulse.push_back(Traced(0.0));
      for (size_t k = 0; k < left.size(); ++k)
        f.impulse.back() += motion.input(Source::P, static_cast<int>(k)) * f.W[left[k] * motion.columns().size() + c];
    }
  }
  record_levels(motion, f, out);
  return true;
}

template <class C>
bool record_contact(Family family, unsigned form, RecordedRows& out) {
  using Element = typename Rebound<C, Traced>::Type;
  Graph& graph = out.graph;
  Motion motion(graph, family);
  Element contact{};
  SlipRowsOf<Traced> law;
  InputNumbers numbers(graph, static_cast<int>(Source::numbers) * slots_per_source, family.in_plane(), form);
  contact.numbers(numbers);
  law.numbers(numbers);
  if (form >> numbers.bits()) return false;
  // In the plane there is friction along one tangent, in space along two. What else there is in the plane is evaluated
  // as in space.
  if (family.in_plane() ? law.count > 1 : law.count == 1) return false;
  const auto axes = contact_axes(contact, law, motion.A, motion.B, Traced(0.0));
  ContactRows<Traced> rows;
  contact_rows(contact, law, motion.A, motion.B, Traced(0.0), rows);
  const Vec3<Traced>&point_A = axes.touch.point_A, &point_B = axes.touch.point_B;
  const auto gamma = [&](const Twist<Traced>& a, const Twist<Traced>& b, int r) {
    if (r == 3) return dot(axes.drill, motion.A.R * a.w - motion.B.R * b.w);
    return dot(axes.e[r], velocity_at(motion.A, a, point_A) - velocity_at(motion.B, b, point_B));
  };
  Twist<Traced> a_dot{}, b_dot{};
  for (int c : motion.columns()) (c < 6 ? a_dot : b_dot)[c % 6] = motion.rate(c);
  RowFunctions f;
  f.rows = 1 + law.count;
  f.value = {axes.touch.gap};
  Vec3<Traced> force{}, spin{};
  for (int r = 0; r < f.rows; ++r) {
    f.chi.push_back(Traced(0.0));
    f.gamma.push_back(gamma(motion.u_A, motion.u_B, r));
    f.by_rates.push_back(gamma(a_dot, b_dot, r));
    for (int c : motion.columns()) f.W.push_back(rows.W[r][c]);
    const Traced P = motion.input(Source::P, r);
    if (r < 3)
      force += P * axes.e[r];
    else
      spin = P * axes.drill;
  }
  Traced total[12];
  put_point(motion.A, point_A, force, 1.0, total);
  put_point(motion.B, point_B, force, -1.0, total + 6);
  const Vec3<Traced> on_A = transposed_times(motion.A.R, spin), on_B = transposed_times(motion.B.R, -spin);
  for (int i = 0; i < 3; ++i) total[3 + i] += on_A[i], total[9 + i] += on_B[i];
  for (int c : motion.columns()) f.impulse.push_back(total[c]);
  // These functions would be half of all that is to be compiled, for the one scheme that asks for them.
  const bool long_ones = family != Family{Kind::spatial, Kind::spatial};
  record_levels(motion, f, out, long_ones);
  return true;
}

template <class F>
bool record_force(Family family, unsigned form, RecordedForce& out) {
  using Element = typename Rebound<F, Traced>::Type;
  Graph& graph = out.graph;
  Motion motion(graph, family);
  Element force{};
  InputNumbers numbers(graph, static_cast<int>(Source::numbers) * slots_per_source, family.in_plane(), form);
  force.numbers(numbers);
  if (form >> numbers.bits() || (F::frames == 1 && family.B != Kind::ground)) return false;
  const Traced t(0.0);
  Wrench<Traced> on_A{}, on_B{};
  force.wrench(motion.A, motion.u_A, motion.B, motion.u_B, t, on_A, on_B);
  out.columns = motion.columns();
  const int n = static_cast<int>(out.columns.size());
  for (int i = 0; i < n; ++i) {
    const int c = out.columns[i];
    const Traced f = c < 6 ? on_A[c] : on_B[c - 6];
    out.wrench.outputs.push_back(f.node(graph));
    for (int j = 0; j < n; ++j) {
      const Entry entry{static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)};
      if (const Traced k = motion.along(f, out.columns[j]); !known_zero(k))
        out.K.outputs.push_back(k.node(graph)), out.K.entries.push_back(entry);
      if (const Traced d = motion.by_twist(f, out.columns[j]); !known_zero(d))
        out.C.outputs.push_back(d.node(graph)), out.C.entries.push_back(entry);
    }
  }
  Traced energy(0.0);
  if constexpr (requires { force.energy(motion.A, motion.B, t); }) energy = force.energy(motion.A, motion.B, t);
  out.energy.outputs = {energy.node(graph)};
  if constexpr (requires { force.line_count(); }) {
    Traced l[3];
    out.line_count = force.line_count();
    force.extension(motion.A, motion.B, l);
    for (int r = 0; r < out.line_count; ++r)
      for (int c : out.columns) out.lines.outputs.push_back(motion.along(l[r], c).node(graph));
  }
  return true;
}

}  // namespace tappet::kernels
