// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/gradient/gradient.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tangent/gradient/state_index.h"

namespace tappet {

Direction direction_named(const ModelSource& source, const System& base, const std::string& name,
                          std::vector<std::unique_ptr<ParameterSlope>>& slopes) {
  if (const int i = state_index(base, name); i >= 0)
    return {name, nullptr, Eigen::VectorXd::Unit(2 * base.u_size(), i)};
  slopes.push_back(std::make_unique<ParameterSlope>(source, base, name));
  return {name, slopes.back().get(), start_slope(base, *slopes.back())};
}

namespace {

// Those that are looked at at a given time, in the order of their times.
std::vector<size_t> by_time(const std::vector<QuantityAtTime>& of) {
  std::vector<size_t> order(of.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](size_t i) { return of[i].event.has_value(); });
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return of[a].t < of[b].t; });
  return order;
}

// What is said of a formula that has no derivative although the motion has one.
constexpr const char* kink = "the formula has a kink there";

// The derivatives on one side, along the directions that have none for both.
class OneSidedAnswer {
 public:
  OneSidedAnswer(CompiledModel& base, const GradientQuestion& question, std::vector<Direction> directions, Side side)
      : side_(side),
        directions_(std::move(directions)),
        tangent_(base, directions_, side),
        flow_(base, question.options, base.system.initial(), &tangent_) {
    tangent_.name_grazing_below(sure_depth);
  }

  static constexpr double sure_depth = 5e-8;  // m; see gradient()

  std::vector<Gradient::OneSided> at(double t, Quantity& quantity) {
    flow_.go_to(t);
    bool at_end = t - tangent_.last_event().t <= Tangent::instant;
    if (!at_end && !tangent_.trouble_of_end(flow_.state()).empty()) {
      flow_.go_to(t + 4 * Tangent::instant);  // the event is so near that it belongs to the end
      at_end = true;
    }
    std::vector<Gradient::OneSided> list(directions_.size());
    for (size_t d = 0; d < directions_.size(); ++d) {
      list[d].trouble = tangent_.trouble()[d];
      if (!list[d].exists()) continue;
      const Tangent::LastEvent& event = tangent_.last_event();
      const auto column = static_cast<int>(d);
      // Neighbours whose event is later have not had it at the end.
      const bool later = at_end && static_cast<int>(side_) * event.delays[column] > 0;
      const State& state = later ? event.before : flow_.state();
      const Eigen::MatrixXd& X = later ? event.X : tangent_.X();
      const Quantity::Where where{state, later ? event.regime : tangent_.regime()};
      list[d].value = quantity.at(where);
      list[d].slope = quantity.slopes(where, X.col(column), {directions_[d]})[0];
      if (std::isnan(list[d].slope)) list[d].trouble = kink;
    }
    return list;
  }

 private:
  const Side side_;
  const std::vector<Direction> directions_;
  Tangent tangent_;
  Flow flow_;
};

// Derivatives on one side are sought at given times only.
void take_none(Gradient::Row& row, Side side) {
  auto& list = side == Side::increase ? row.increase : row.decrease;
  list.resize(row.trouble.size());
  for (size_t d = 0; d < list.size(); ++d) list[d].trouble = row.trouble[d];
}

void add_one_sided(CompiledModel& base, const GradientQuestion& question, const std::vector<Direction>& directions,
                   std::vector<Quantity>& quantities, Gradient& answer) {
  std::vector<size_t> troubled;
  for (size_t d = 0; d < directions.size(); ++d)
    if (std::any_of(answer.rows.begin(), answer.rows.end(),
                    [&](const Gradient::Row& row) { return !row.trouble[d].empty(); }))
      troubled.push_back(d);
  if (troubled.empty()) return;
  std::vector<Direction> some;
  for (const size_t d : troubled) some.push_back(directions[d]);
  for (const Side side : {Side::increase, Side::decrease}) {
    OneSidedAnswer one(base, question, some, side);
    for (size_t i = 0; i < question.of.size(); ++i)
      if (question.of[i].event) take_none(answer.rows[i], side);
    for (const size_t i : by_time(question.of)) {
      Gradient::Row& row = answer.rows[i];
      auto& list = side == Side::increase ? row.increase : row.decrease;
      list.resize(directions.size());
      const std::vector<Gradient::OneSided> found = one.at(row.of.t, quantities[i]);
      for (size_t j = 0; j < troubled.size(); ++j)
        if (!row.trouble[troubled[j]].empty()) list[troubled[j]] = found[j];
    }
  }
}

// The motion with its neighbours, and the answer as far as it has come.
class Inquiry {
 public:
  Inquiry(CompiledModel& base, const GradientQuestion& question, const std::vector<Direction>& directions,
          std::vector<Quantity>& quantities)
      : base_(base),
        question_(question),
        directions_(directions),
        quantities_(quantities),
        tangent_(base, directions),
        flow_(base, question.options, base.system.initial(), &tangent_) {
    tangent_.name_grazing_below(OneSidedAnswer::sure_depth);
    answer_.wrt = question.wrt;
    answer_.rows.resize(question.of.size());
    watches_.resize(question.of.size());
    for (size_t i = 0; i < question.of.size(); ++i) {
      answer_.rows[i].of = question.of[i];
      if (question.of[i].event) watches_[i] = std::make_unique<EventWatch>(base, question.of[i]);
    }
    tangent_.listen([this](const events::Instant& instant) {
      for (const auto& watch : watches_)
        if (watch) watch->take(instant, tangent_);
    });
  }

  Gradient answer() {
    for (const size_t i : by_time(question_.of)) look_at_time(i);
    await_events();
    for (size_t i = 0; i < watches_.size(); ++i)
      if (watches_[i]) look_at_event(i);
    answer_.closeness = tangent_.closeness(), answer_.sequence = tangent_.sequence();
    answer_.rank = tangent_.rank(), answer_.size = static_cast<int>(tangent_.X().rows());
    return std::move(answer_);
  }

 private:
  void look_at_time(size_t i) {
    Gradient::Row& row = answer_.rows[i];
    flow_.go_to(row.of.t);
    row.trouble = tangent_.trouble();
    const bool moved = row.of.t > base_.system.initial().t;
    const std::string at_end = moved ? tangent_.trouble_of_end(flow_.state()) : std::string();
    const std::string forces = quantities_[i].trouble(tangent_.regime());
    for (std::string& trouble : row.trouble)
      if (trouble.empty()) trouble = !forces.empty() ? forces : at_end;
    fill(i, {flow_.state(), tangent_.regime()}, tangent_.X(), {});
  }

  void look_at_event(size_t i) {
    const EventWatch& watch = *watches_[i];
    answer_.rows[i].trouble = watch.trouble();
    const std::string forces = quantities_[i].trouble(watch.where().regime);
    for (std::string& trouble : answer_.rows[i].trouble)
      if (trouble.empty()) trouble = forces;
    fill(i, watch.where(), watch.X(), watch.delays());
  }

  void fill(size_t i, const Quantity::Where& where, const Eigen::MatrixXd& X, const Eigen::RowVectorXd& delays) {
    Gradient::Row& row = answer_.rows[i];
    row.value = quantities_[i].at(where);
    const Eigen::RowVectorXd found = quantities_[i].slopes(where, X, directions_, delays);
    for (size_t d = 0; d < directions_.size(); ++d) {
      const double slope = found[static_cast<int>(d)];
      if (row.trouble[d].empty() && std::isnan(slope)) row.trouble[d] = kink;
      row.slopes.push_back(row.trouble[d].empty() ? slope : NAN);
    }
  }

  // Goes on in parts, so that the motion ends soon after the last event that is asked for.
  void await_events() {
    constexpr int parts = 64;
    const double start = flow_.state().t;
    double end = start;
    for (const QuantityAtTime& of : question_.of)
      if (of.event) end = std::max(end, of.t);
    const auto waits = [&](const auto& watch) { return watch && !watch->found(); };
    for (int k = 1; k <= parts && std::any_of(watches_.begin(), watches_.end(), waits); ++k)
      flow_.go_to(k == parts ? end : start + k * (end - start) / parts);
    for (size_t i = 0; i < watches_.size(); ++i)
      if (waits(watches_[i]))
        throw std::runtime_error(
            fmt::format("{}: no such event happens until t = {:.9g} s", question_.of[i].text, end));
  }

  CompiledModel& base_;
  const GradientQuestion& question_;
  const std::vector<Direction>& directions_;
  std::vector<Quantity>& quantities_;
  Tangent tangent_;
  std::vector<std::unique_ptr<EventWatch>> watches_;  // by quantity; null: it is looked at at a given time
  Flow flow_;
  Gradient answer_;
};

}  // namespace

// The speed of an impact that nearly grazes is as inaccurate as its position divided by its speed. So an impact whose
// depth would be too small is named: its derivative would not be right to 1e-6.
Gradient gradient(const ModelSource& source, const GradientQuestion& question) {
  CompiledModel base(source.read());
  require_derivatives(base.system, "event-driven", question.options);
  std::vector<std::unique_ptr<ParameterSlope>> slopes;
  std::vector<Direction> directions;
  for (const std::string& name : question.wrt) directions.push_back(direction_named(source, base.system, name, slopes));
  std::vector<Quantity> quantities;
  for (const QuantityAtTime& of : question.of) quantities.emplace_back(base, of.formula);

  Gradient answer = Inquiry(base, question, directions, quantities).answer();
  add_one_sided(base, question, directions, quantities, answer);
  return answer;
}

}  // namespace tappet
