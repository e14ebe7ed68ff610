// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/saltation.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace tappet {

using events::Instant;
using events::Watch;

void Troubles::spoil(int direction, double t, const std::string& why) {
  if (list_[direction].empty()) list_[direction] = fmt::format("at t = {:.9g} s {}", t, why);
}

void Troubles::spoil_all(double t, const std::string& why) {
  for (size_t d = 0; d < list_.size(); ++d) spoil(static_cast<int>(d), t, why);
}

Saltation::Saltation(CompiledModel& base, Linearisation& linear, const std::vector<Direction>& directions, Side side)
    : base_(base),
      linear_(linear),
      directions_(directions),
      side_(side),
      impact_(base.equations),
      functions_(base, linear, directions) {}

std::string Saltation::what(const EventFunction& function) const {
  if (function.contact < 0) return function.name;
  return fmt::format("{} of contact {}", function.name, base_.contacts.name(function.contact));
}

std::vector<EventFunction> Saltation::functions_of(const Instant& instant) {
  std::vector<EventFunction> list;
  std::vector<int> arriving;
  for (const events::Watched& fired : instant.fired) {
    if (fired.is_switch()) list.push_back(functions_.formula_switch(fired.index));
    if (fired.what == Watch::gap) arriving.push_back(fired.index);
    if (fired.what == Watch::normal) list.push_back(functions_.normal_force(fired.index));
    if (fired.what == Watch::friction) list.push_back(functions_.friction_left(fired.index));
    if (fired.what == Watch::slip) list.push_back(functions_.slip(fired.index));
  }
  if (!instant.jumps.empty())
    for (int k : instant.jumps.front().set)
      if (!instant.regime_before.phases[k].closed()) arriving.push_back(k);
  std::sort(arriving.begin(), arriving.end());
  arriving.erase(std::unique(arriving.begin(), arriving.end()), arriving.end());
  for (int k : arriving) {
    list.push_back(functions_.gap(k));
    const double speed = -list.back().rate, brake = functions_.velocity(k, 0).rate;
    if (brake > 0 && speed * speed < 2 * brake * grazing_depth_) list.back().rate = 0;
  }
  if (instant.cause == Instant::Cause::time) list.push_back(functions_.time_switch(instant.time_switch));
  return list;
}

std::vector<Saltation::Delayed> Saltation::delayed(const Instant& instant) {
  constexpr double round_off = 1e-9;
  std::vector<Delayed> list;
  for (EventFunction& f : functions_of(instant)) {
    Delayed one{std::move(f), {}, {}};
    one.grazes = !(std::abs(one.function.rate) > 1e-12);
    one.unsure = round_off * one.function.size;
    if (!one.grazes) {
      one.delay = -one.function.change / one.function.rate;
      one.unsure /= std::abs(one.function.rate);
    }
    list.push_back(std::move(one));
  }
  return list;
}

// If several functions are zero at once, the event stays one event along a direction only if all of them stay together.
Saltation::Column Saltation::kind_of(int d, const std::vector<Delayed>& list, const Instant& instant,
                                     Troubles& troubles) {
  constexpr double same = 1e-6;
  const double t = instant.before.t;
  const Delayed* first = nullptr;
  Column kind = Column::together;
  for (const Delayed& one : list) {
    const double change = one.function.change[d];
    if (one.grazes) {
      if (std::abs(change) <= one.unsure[d]) continue;
      const bool away = static_cast<int>(side_) * change > 0;
      if (away && list.size() == 1) return Column::missed;
      troubles.spoil(d, t, fmt::format("the {} reaches zero without crossing it (it grazes)", what(one.function)));
      return Column::spoilt;
    }
    if (!first) {
      first = &one;
    } else if (const double a = one.delay[d], b = first->delay[d];
               std::abs(a - b) > same * std::max(std::abs(a), std::abs(b)) + one.unsure[d] + first->unsure[d]) {
      kind = Column::apart;
      if (!independent(instant, list)) {
        troubles.spoil(d, t,
                       fmt::format("two events coincide that this separates: the {} and the {}", what(one.function),
                                   what(first->function)));
        return Column::spoilt;
      }
    }
  }
  if (first) delays_[d] = first->delay[d];
  return kind;
}

namespace {

// A force or a gap may change in time much faster than the motion. So the step of differences in time is the one at
// which its result changes least if the step gets shorter.
double suited_time_step(double longest, const std::function<Eigen::VectorXd(double step)>& by_time) {
  constexpr int most = 6;
  constexpr double shorter = 1.0 / 8, vanishes = 1e-9;
  double step = longest, best = longest, least = INFINITY;
  Eigen::VectorXd before = by_time(step);
  for (int k = 0; k < most && before.cwiseAbs().maxCoeff() > 0; ++k) {
    step *= shorter;
    const Eigen::VectorXd now = by_time(step);
    const auto size = now.cwiseAbs().array() + vanishes * now.cwiseAbs().maxCoeff();
    const double change = ((now - before).cwiseAbs().array() / size).maxCoeff();
    if (change < least) least = change, best = step;
    before = now;
  }
  return best;
}

}  // namespace

void Saltation::apply(const Instant& instant, double time_step, Eigen::MatrixXd& X, Troubles& troubles) {
  troubles_ = &troubles;
  linear_.place(instant.before, instant.regime_before);
  rate_before_ = linear_.rate();
  Equations& equations = base_.equations;
  const double suited = suited_time_step(time_step, [&](double step) {
    functions_.place(instant.before, instant.regime_before, X, step);
    return functions_.by_time([&](const State& at) {
      const Eigen::VectorXd motion = equations.motion(at, instant.regime_before, linear_.a, linear_.lambda);
      const Eigen::VectorXd gamma = equations.velocities(at, base_.contacts.all()), gaps = equations.gaps(at);
      Eigen::VectorXd all(motion.size() + gamma.size() + gaps.size());
      all << motion, gamma, gaps;
      return all;
    });
  });
  functions_.place(instant.before, instant.regime_before, X, suited);
  const std::vector<Delayed> list = delayed(instant);
  delays_ = Eigen::RowVectorXd::Zero(X.cols());
  std::vector<Column> kinds;
  for (int d = 0; d < X.cols(); ++d) kinds.push_back(kind_of(d, list, instant, troubles));
  one_event_.clear();
  for (const Column kind : kinds) one_event_.push_back(kind == Column::together);
  const Eigen::MatrixXd before = X;
  X = together(instant, before);
  for (int d = 0; d < X.cols(); ++d) {
    if (kinds[d] == Column::missed) X.col(d) = before.col(d);
    if (kinds[d] != Column::apart) continue;
    X.col(d) = before.col(d);
    apart(instant, list, d, X, troubles);
  }
}

Eigen::MatrixXd Saltation::together(const Instant& instant, Eigen::MatrixXd X) {
  std::vector<int> all(X.cols());
  std::iota(all.begin(), all.end(), 0);
  X += linear_.rate() * delays_;
  State at = instant.before;
  for (const events::VelocityJump& jump : instant.jumps) {
    X = mapped(at, jump, instant.regime_after, X, delays_, all, troubles_);
    at.u = jump.u_after;
  }
  linear_.place(instant.after, instant.regime_after);
  X -= linear_.rate() * delays_;
  return X;
}

// The columns behind a jump of the velocities. `columns` says to which directions they belong.
Eigen::MatrixXd Saltation::mapped(const State& at, const events::VelocityJump& jump, const events::Regime& after,
                                  const Eigen::MatrixXd& X, const Eigen::RowVectorXd& delays,
                                  const std::vector<int>& columns, Troubles* troubles) {
  const int n = base_.system.u_size();
  impact_.place(at, jump, after);
  if (impact_.undecided() >= 0 && troubles)
    troubles->spoil_all(at.t, fmt::format("contact {} is at the limit between two kinds of impact",
                                          base_.contacts.name(impact_.undecided())));
  const auto residual = [&](Equations& equations, const State& state) {
    return equations.jump(state, impact_.jump(), impact_.statuses());
  };
  Eigen::MatrixXd all = X;
  Eigen::MatrixXd v = impact_.by_q * X.topRows(n) + impact_.by_u * X.bottomRows(n);
  v += impact_.respond(functions_.by_time([&](const State& s) { return residual(base_.equations, s); })) * delays;
  for (size_t c = 0; c < columns.size(); ++c)
    if (ParameterSlope* p = directions_[columns[c]].parameter)
      v.col(static_cast<int>(c)) += impact_.respond(p->of([&](CompiledModel& m) { return residual(m.equations, at); }));
  all.bottomRows(n) = v;
  return all;
}

// Whether the event consists of impacts of contacts that were open, none of which acts on another one.
bool Saltation::independent(const Instant& instant, const std::vector<Delayed>& list) {
  constexpr double vanishes = 1e-11;
  if (instant.jumps.size() != 1 || instant.jumps[0].plastic || base_.system.joint_rows() > 0) return false;
  const ContactSet& set = instant.jumps[0].set;
  if (list.size() != set.size()) return false;
  for (const Delayed& one : list)
    if (one.function.name != "gap" || one.grazes) return false;
  BlockMatrix mass = base_.system.mass_matrix();
  base_.equations.evaluate.mass(instant.before.t, instant.before.q, mass);
  const Eigen::MatrixXd W = base_.equations.directions(instant.before, set);
  const Eigen::MatrixXd G = W * dense(mass).ldlt().solve(W.transpose());
  for (const auto& [i, a, contact_a, row_a] : base_.contacts.numbered(set))
    for (const auto& [j, b, contact_b, row_b] : base_.contacts.numbered(set)) {
      if (i == j) continue;
      for (int r = row_a; r < row_a + contact_a.rows; ++r)
        for (int s = row_b; s < row_b + contact_b.rows; ++s)
          if (std::abs(G(r, s)) > vanishes * std::sqrt(G(r, r) * G(s, s))) return false;
    }
  return true;
}

namespace {

// The regime in which some contacts have the phases that they have in another one.
events::Regime with_phases(const events::Regime& from, const events::Regime& other, const std::vector<int>& taken,
                           const ContactList& contacts) {
  events::Regime mixed = from;
  mixed.set.clear(), mixed.first_row.clear(), mixed.equations.clear();
  int rows = 0;
  for (const int k : contacts.all()) {
    const bool take = std::find(taken.begin(), taken.end(), k) != taken.end();
    const events::Regime& source = take ? other : from;
    mixed.phases[k] = source.phases[k];
    if (!source.phases[k].closed()) continue;
    const auto position = std::find(source.set.begin(), source.set.end(), k) - source.set.begin();
    const int first = source.first_row[position];
    mixed.set.push_back(k), mixed.first_row.push_back(rows);
    for (const int row : source.equations)
      if (row >= first && row < first + contacts[k].rows) mixed.equations.push_back(rows + row - first);
    rows += contacts[k].rows;
  }
  return mixed;
}

}  // namespace

// Neighbours on one side (the sign) strike in the order of their delays.
Eigen::VectorXd Saltation::one_by_one(const Instant& instant, const std::vector<Delayed>& list, int d, double sign,
                                      const Eigen::VectorXd& column) {
  const events::VelocityJump& all = instant.jumps[0];
  std::vector<size_t> order(list.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return sign * list[a].delay[d] < sign * list[b].delay[d]; });
  BlockMatrix mass = base_.system.mass_matrix();
  base_.equations.evaluate.mass(instant.before.t, instant.before.q, mass);
  const auto factors = dense(mass).ldlt();
  Eigen::MatrixXd x = column;
  State at = instant.before;
  std::vector<int> struck;
  linear_.place(at, instant.regime_before);
  for (const size_t i : order) {
    const int k = list[i].function.contact;
    const Eigen::RowVectorXd delay = Eigen::RowVectorXd::Constant(1, list[i].delay[d]);
    x += linear_.rate() * delay;
    int row = 0;
    for (const int other : all.set)
      if (other == k)
        break;
      else
        row += base_.contacts[other].rows;
    events::VelocityJump own{{k}, at.u, at.u, {}};
    own.P.assign(base_.contacts[k].rows, 0.0);
    for (int r = 0; r < own.P.size(); ++r) own.P[r] = all.P[row + r];
    own.u_after.eigen() += factors.solve(base_.equations.directions(at, {k}).transpose() * own.P.eigen());
    x = mapped(at, own, instant.regime_after, x, delay, {d}, nullptr);
    at.u = own.u_after;
    struck.push_back(k);
    linear_.place(at, with_phases(instant.regime_before, instant.regime_after, struck, base_.contacts));
    x -= linear_.rate() * delay;
  }
  return x;
}

void Saltation::apart(const Instant& instant, const std::vector<Delayed>& list, int d, Eigen::MatrixXd& X,
                      Troubles& troubles) {
  constexpr double same = 1e-9;
  const Eigen::VectorXd x = X.col(d);
  if (side_ != Side::both) {
    X.col(d) = one_by_one(instant, list, d, static_cast<int>(side_), x);
    return;
  }
  const Eigen::VectorXd more = one_by_one(instant, list, d, 1, x), less = one_by_one(instant, list, d, -1, x);
  X.col(d) = more;
  if ((more - less).norm() > same * std::max(more.norm(), less.norm()))
    troubles.spoil(d, instant.before.t,
                   fmt::format("two impacts coincide that this separates, and their order matters: the {} and the {}",
                               what(list[0].function), what(list[1].function)));
}

}  // namespace tappet
