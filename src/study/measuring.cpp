// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/measuring.h"

#include <cmath>
#include <limits>

#include "judge/measure.h"

namespace tappet {

namespace {

EventFilter filter_of(const StudyMeasure& m, double from, double to) {
  EventFilter filter{{}, m.contact, from, to};
  for (const StudyFormula& kind : m.of) filter.kinds.push_back(kind.text);
  return filter;
}

}  // namespace

double one_value(const StudyMeasure& m, const PreparedModel& model, const Summary& summary) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double from = model.time(m.from, -infinity), to = model.time(m.to, infinity);
  if (m.kind == "event") return event_time(summary, filter_of(m, from, to), m.number);
  if (m.kind == "events") return count_events(summary, filter_of(m, from, to));
  const Trace& trace = model.trace();
  const auto column = [&](const std::string& formula) { return std::span<const double>(trace.column(formula)); };
  if (m.kind == "at") return sampled(trace.t(), column(m.of[0].text), model.time(m.at, 0.0));
  if (m.kind == "at_first" || m.kind == "at_last") {
    const double when = reduce(m.kind.substr(3), trace.t(), column(condition(m)), Window{from, to, {}});
    return m.of.empty() || std::isnan(when) ? when : sampled(trace.t(), column(m.of[0].text), when);
  }
  Window window{from, to, {}};
  if (m.where.given()) window.where = column(m.where.text);
  return reduce(m.kind, trace.t(), column(m.of[0].text), window);
}

std::vector<double> many_values(const StudyMeasure& m, const PreparedModel& model) {
  const Trace& trace = model.trace();
  const std::span<const double> t = trace.t(), x = trace.column(m.of[0].text);
  std::vector<double> values;
  if (t.empty()) return values;
  const double from = model.time(m.from, t.front()), to = std::min(model.time(m.to, t.back()), t.back());
  const double slack = 1e-12 * std::abs(t.back());
  if (m.period.given()) {
    const double period = model.positive_time(m.period);
    for (long k = 0; from + static_cast<double>(k) * period <= to + slack; ++k)
      values.push_back(interpolated(t, x, from + static_cast<double>(k) * period));
    return values;
  }
  const std::span<const double> holds = trace.column(condition(m));
  for (std::size_t k = 1; k < t.size(); ++k)
    if (holds[k] > 0 && !(holds[k - 1] > 0) && t[k] >= from - slack && t[k] <= to + slack) values.push_back(x[k]);
  return values;
}

}  // namespace tappet
