// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/gradient.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "tangent/quantity.h"
#include "tangent/state_index.h"

namespace tappet {

QuantityAtTime parse_quantity(const std::string& text, double end) {
  const size_t at = text.rfind(" at ");
  if (at == std::string::npos) {
    if (end > 0) return {text, end, text};
    throw UsageError(fmt::format("{}: no time is given and the model has no end; expected '{} at TIME'", text, text));
  }
  QuantityAtTime parsed{text.substr(0, at), 0.0, text};
  const std::string time = text.substr(at + 4);
  const auto [rest, error] = std::from_chars(time.data(), time.data() + time.size(), parsed.t);
  if (error != std::errc() || rest != time.data() + time.size() || !(parsed.t > 0) || !std::isfinite(parsed.t))
    throw UsageError(fmt::format("{}: expected a positive time in seconds after 'at'", text));
  return parsed;
}

Direction direction_named(const ModelSource& source, const System& base, const std::string& name,
                          std::vector<std::unique_ptr<ParameterSlope>>& slopes) {
  if (const int i = state_index(base, name); i >= 0)
    return {name, nullptr, Eigen::VectorXd::Unit(2 * base.u_size(), i)};
  slopes.push_back(std::make_unique<ParameterSlope>(source, base, name));
  return {name, slopes.back().get(), start_slope(base, *slopes.back())};
}

namespace {

std::vector<size_t> by_time(const std::vector<QuantityAtTime>& of) {
  std::vector<size_t> order(of.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return of[a].t < of[b].t; });
  return order;
}

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
      list[d].value = quantity.at(state);
      list[d].slope = quantity.slopes(state, X.col(column), {directions_[d]})[0];
    }
    return list;
  }

 private:
  const Side side_;
  const std::vector<Direction> directions_;
  Tangent tangent_;
  Flow flow_;
};

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

  Tangent tangent(base, directions);
  tangent.name_grazing_below(OneSidedAnswer::sure_depth);
  Flow flow(base, question.options, base.system.initial(), &tangent);
  Gradient answer;
  answer.wrt = question.wrt;
  answer.rows.resize(question.of.size());
  for (const size_t i : by_time(question.of)) {
    Gradient::Row& row = answer.rows[i];
    row.of = question.of[i];
    flow.go_to(row.of.t);
    row.value = quantities[i].at(flow.state());
    const Eigen::RowVectorXd found = quantities[i].slopes(flow.state(), tangent.X(), directions);
    row.trouble = tangent.trouble();
    const bool moved = row.of.t > base.system.initial().t;
    const std::string at_end = moved ? tangent.trouble_of_end(flow.state()) : std::string();
    for (size_t d = 0; d < directions.size(); ++d) {
      if (row.trouble[d].empty()) row.trouble[d] = at_end;
      row.slopes.push_back(row.trouble[d].empty() ? found[static_cast<int>(d)] : NAN);
    }
  }
  answer.closeness = tangent.closeness(), answer.sequence = tangent.sequence();
  answer.rank = tangent.rank(), answer.size = static_cast<int>(tangent.X().rows());
  add_one_sided(base, question, directions, quantities, answer);
  return answer;
}

}  // namespace tappet
