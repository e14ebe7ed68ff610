// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/generator/record.h"

namespace tappet::kernels {

namespace {

constexpr int first_rotation = 3, cosine = 3, sine = 4, angle = 12;  // numbers of a pose

}  // namespace

Motion::Motion(Graph& graph, Family family)
    : graph_(graph), family_(family), columns_(kernels::columns(family)), motion_({}), rates_({}), time_({}) {
  A = pose(family.A, Source::A), B = pose(family.B, Source::B);
  u_A = twist(family.A, Source::u_A), u_B = twist(family.B, Source::u_B);
  displacement_.resize(12);
  for (int c : columns_) {
    if (c < 6)
      add_rates(family.A, A, Source::A, c, displacement_[c]);
    else
      add_rates(family.B, B, Source::B, c - 6, displacement_[c]);
  }
  for (int c = 0; c < 12; ++c) {
    const Rates own{{slot(c < 6 ? Source::u_A : Source::u_B, c % 6), graph.constant(1.0)}};
    directions_.emplace_back(displacement_[c]), twists_.emplace_back(own);
  }
  rates_ = Graph::Direction(combined(Source::u_dot_A, Source::u_dot_B));
  motion_ = Graph::Direction(combined(Source::u_A, Source::u_B));
}

Pose<Traced> Motion::pose(Kind kind, Source source) {
  Pose<Traced> P;
  if (kind == Kind::ground) return P;
  if (kind == Kind::planar) {
    const Traced c = input(source, cosine), s = input(source, sine);
    return {
        {input(source, 0), input(source, 1), 0.0}, {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}}, input(source, angle)};
  }
  for (int i = 0; i < 3; ++i) {
    P.p[i] = input(source, i);
    for (int c = 0; c < 3; ++c) P.R[c][i] = input(source, first_rotation + 3 * c + i);
  }
  return P;
}

Twist<Traced> Motion::twist(Kind kind, Source source) {
  Twist<Traced> w{};
  for (int i = 0; i < 6; ++i)
    if (kind == Kind::spatial || (kind == Kind::planar && (i < 2 || i == 5))) w[i] = input(source, i);
  return w;
}

// p + δp, R (1 + δθ^)
void Motion::add_rates(Kind kind, const Pose<Traced>& P, Source source, int component, Rates& rates) {
  const auto put = [&](int number, const Traced& rate) { rates.emplace_back(slot(source, number), rate.node(graph_)); };
  if (component < 3) return put(component, 1.0);
  if (kind == Kind::planar) {
    put(cosine, -P.R.x.y), put(sine, P.R.x.x), put(angle, 1.0);
    return;
  }
  Vec3<Traced> e{};
  e[component - 3] = 1.0;
  const Mat3<Traced> turned = P.R * hat(e);
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < 3; ++i)
      if (!known_zero(turned[c][i])) put(first_rotation + 3 * c + i, turned[c][i]);
}

Motion::Rates Motion::combined(Source first, Source second) {
  std::vector<std::pair<Node, Traced>> sum;
  for (int c : columns_) {
    const Traced factor = input(c < 6 ? first : second, c % 6);
    for (const auto& [number, rate] : displacement_[c]) {
      const Traced term = factor * Traced(graph_, rate);
      const auto same = [number = number](const auto& entry) { return entry.first == number; };
      if (auto place = std::find_if(sum.begin(), sum.end(), same); place != sum.end())
        place->second += term;
      else
        sum.emplace_back(number, term);
    }
  }
  Rates rates;
  for (const auto& [number, rate] : sum) rates.emplace_back(number, rate.node(graph_));
  return rates;
}

void Motion::moves_in_time(const std::vector<InputNumbers::Drive>& drives) {
  Rates rates;
  for (const auto& [value, first, second] : drives) {
    rates.emplace_back(slot(Source::numbers, value), slot(Source::numbers, first));
    rates.emplace_back(slot(Source::numbers, first), slot(Source::numbers, second));
  }
  time_ = Graph::Direction(rates);
  Rates all = combined(Source::u_A, Source::u_B);
  all.insert(all.end(), rates.begin(), rates.end());
  motion_ = Graph::Direction(all);
}

Traced Motion::derivative(const Traced& f, Graph::Direction& along) {
  return f.is_constant() ? Traced(0.0) : Traced(graph_, graph_.derivative(f.node(graph_), along));
}
Traced Motion::along(const Traced& f, int column) { return derivative(f, directions_[column]); }
Traced Motion::in_motion(const Traced& f) { return derivative(f, motion_); }
Traced Motion::in_time(const Traced& f) { return derivative(f, time_); }
Traced Motion::along_rates(const Traced& f) { return derivative(f, rates_); }
Traced Motion::by_twist(const Traced& f, int column) { return derivative(f, twists_[column]); }

std::vector<int> left_rows(const RowFunctions& f, int columns) {
  std::vector<int> left;
  for (int r = 0; r < f.rows; ++r) {
    bool moves = !known_zero(f.chi[r]);
    for (int c = 0; c < columns; ++c) moves = moves || !known_zero(f.W[r * columns + c]);
    if (moves) left.push_back(r);
  }
  return left;
}

void record_levels(Motion& motion, const RowFunctions& f, RecordedRows& out, bool with_acceleration_gradient) {
  Graph& graph = out.graph;
  out.all_rows = f.rows;
  out.has_acceleration_gradient = with_acceleration_gradient;
  out.columns = motion.columns();
  const int n = static_cast<int>(out.columns.size());
  out.rows = left_rows(f, n);
  for (int r : out.rows) {
    if (r < static_cast<int>(f.value.size())) out.value.outputs.push_back(f.value[r].node(graph));
    out.chi.outputs.push_back(f.chi[r].node(graph));
    const Traced zeta = motion.in_motion(f.gamma[r]), acceleration = zeta + f.by_rates[r];
    out.zeta.outputs.push_back(zeta.node(graph));
    for (int c = 0; c < n; ++c) {
      out.W.outputs.push_back(f.W[r * n + c].node(graph));
      out.D.outputs.push_back(motion.along(f.gamma[r], out.columns[c]).node(graph));
      if (!with_acceleration_gradient) continue;
      out.D_pose.outputs.push_back(motion.along(acceleration, out.columns[c]).node(graph));
      out.D_twist.outputs.push_back(motion.by_twist(zeta, out.columns[c]).node(graph));
    }
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (const Traced k = motion.along(f.impulse[i], out.columns[j]); !known_zero(k)) {
        out.K.outputs.push_back(k.node(graph));
        out.K.entries.push_back({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)});
      }
}

}  // namespace tappet::kernels
