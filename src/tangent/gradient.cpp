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

Gradient gradient(const ModelSource& source, const GradientQuestion& question) {
  CompiledModel base(source.read());
  require_derivatives(base.system, "event-driven", question.options);
  std::vector<std::unique_ptr<ParameterSlope>> slopes;
  std::vector<Direction> directions;
  for (const std::string& name : question.wrt) directions.push_back(direction_named(source, base.system, name, slopes));
  std::vector<Quantity> quantities;
  for (const QuantityAtTime& of : question.of) quantities.emplace_back(base, of.formula);

  Tangent tangent(base, directions);
  Flow flow(base, question.options, base.system.initial(), &tangent);
  Gradient answer;
  answer.wrt = question.wrt;
  answer.rows.resize(question.of.size());
  std::vector<size_t> order(question.of.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return question.of[a].t < question.of[b].t; });
  for (const size_t i : order) {
    Gradient::Row& row = answer.rows[i];
    row.of = question.of[i];
    flow.go_to(row.of.t);
    row.value = quantities[i].at(flow.state());
    const Eigen::RowVectorXd found = quantities[i].slopes(flow.state(), tangent.X(), directions);
    row.trouble = tangent.trouble();
    const std::string at_end = tangent.trouble_of_end(flow.state());
    for (size_t d = 0; d < directions.size(); ++d) {
      if (row.trouble[d].empty()) row.trouble[d] = at_end;
      row.slopes.push_back(row.trouble[d].empty() ? found[static_cast<int>(d)] : NAN);
    }
  }
  answer.closeness = tangent.closeness(), answer.sequence = tangent.sequence();
  answer.rank = tangent.rank(), answer.size = static_cast<int>(tangent.X().rows());
  return answer;
}

}  // namespace tappet
