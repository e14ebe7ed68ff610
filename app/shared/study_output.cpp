// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/study_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace {

std::string spread(const tappet::StudyResults& results, int measure) {
  std::vector<double> values = results.column(measure);
  std::erase_if(values, [](double x) { return std::isnan(x); });
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double q) { return tappet::sorted_quantile(values, q); };
  return fmt::format("{:<20}{:>14.6g}{:>14.6g}{:>14.6g}{:>14.6g}{:>14.6g}\n", results.study().measures[measure].name,
                     quantile(0), quantile(0.05), quantile(0.5), quantile(0.95), quantile(1));
}

void print_measures(const tappet::StudyResults& results) {
  const tappet::Study& study = results.study();
  fmt::print("{:<20}{:>14}{:>14}{:>14}{:>14}{:>14}\n", "measure", "least", "5 %", "median", "95 %", "most");
  for (std::size_t m = 0; m < study.measures.size(); ++m)
    if (!study.measures[m].many()) fmt::print("{}", spread(results, static_cast<int>(m)));
}

// How a search found its parameters.
template <class Found>
void print_method(const Found& found) {
  if (found.without_slopes.empty())
    fmt::print("method {}, with exact derivatives from {} further runs\n", found.method, found.slopes);
  else if (found.slopes > 0)
    fmt::print("method {}; exact derivatives from {} further runs did not suffice: {}\n", found.method, found.slopes,
               found.without_slopes);
  else
    fmt::print("method {}, without exact derivatives: {}\n", found.method, found.without_slopes);
  if (!found.trouble.empty()) fmt::print(stderr, "warning: {}\n", found.trouble);
}

}  // namespace

void print_thresholds(const tappet::Study& study, const std::vector<tappet::FoundThreshold>& found) {
  std::string title;
  std::string sought;
  for (const tappet::StudyAxis& axis : study.plan.axes())
    (axis.kind == tappet::StudyAxis::Kind::uniform ? sought : title) +=
        axis.kind == tappet::StudyAxis::Kind::uniform ? axis.parameter : fmt::format("{:>14}", axis.parameter);
  fmt::print("{}{:>20}{:>12}   {} below, above\n", title, sought, "± ", study.measures[study.threshold->measure].name);
  int slopes = 0;
  for (const tappet::FoundThreshold& one : found) {
    slopes += one.slopes;
    for (const double value : one.others) fmt::print("{:>14.6g}", value);
    if (one.trouble.empty())
      fmt::print("{:>20.12g}{:>12.2g}   {:.6g}, {:.6g}\n", one.value(), 0.5 * (one.high - one.low), one.at_low,
                 one.at_high);
    else
      fmt::print("   {}\n", one.trouble);
  }
  if (slopes > 0) fmt::print("Newton's method, with exact derivatives from {} further runs\n", slopes);
}

void print_fit(const tappet::Study& study, const tappet::FoundFit& found) {
  fmt::print("{:<16}{:>16}{:>16}\n", "parameter", "value", "± (95 %)");
  for (std::size_t i = 0; i < found.values.size(); ++i)
    fmt::print("{:<16}{:>16.8g}{:>16.3g}\n", study.plan.axes()[i].parameter, found.values[i], found.half_width[i]);
  fmt::print("sum of squared residuals {:.6g}, {} measured values, {} runs\n", found.chi2, found.numbers, found.runs);
  print_method(found);
}

void print_optimum(const tappet::Study& study, const tappet::FoundOptimum& found) {
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const tappet::StudyAxis& axis = study.plan.axes()[i];
    const bool bound = found.values[i] == axis.low || found.values[i] == axis.high;
    fmt::print("{:<16}{:>18.10g}{}\n", axis.parameter, found.values[i], bound ? "   (at its bound)" : "");
  }
  fmt::print("{} {} {:.10g}, {} runs\n", study.optimum->largest ? "largest" : "smallest",
             study.measures[study.optimum->measure].name, found.measured, found.runs);
  print_method(found);
}

void print_report(const tappet::BatchReport& report) {
  fmt::print(
      "{}: {:.4g} steps in {:.3g} s, {:.4g} steps/s ({:.3g} s with copying); largest residual {:.2g}; code ready after "
      "{:.3g} s\n",
      report.machine, static_cast<double>(report.steps), report.compute_seconds,
      static_cast<double>(report.steps) / std::max(report.compute_seconds, 1e-9), report.run_seconds, report.residual,
      report.prepare_seconds);
  constexpr int at_full_rate = 5000;
  if (report.operations > at_full_rate)
    fmt::print("the model has {} operations; a GPU computes up to about {} at its full rate, and more of them slower\n",
               report.operations, at_full_rate);
  if (report.on_the_host > 0)
    fmt::print("{} instances were carried out by the engine itself, because the generated code did not finish them\n",
               report.on_the_host);
}

void print_summary(const tappet::StudyResults& results, const nlohmann::ordered_json& found, bool json,
                   const std::filesystem::path& folder) {
  using tappet::OutcomeStatus;
  const long failed = results.count(OutcomeStatus::failed) + results.count(OutcomeStatus::refused);
  long unconverged = 0;
  for (long run = 0; run < results.runs(); ++run) unconverged += results.unconverged(run) > 0;
  if (json) {
    nlohmann::ordered_json summary = {{"study", results.study().name},
                                      {"model", results.study().model},
                                      {"runs", results.runs()},
                                      {"done", results.count(OutcomeStatus::done)},
                                      {"failed", failed},
                                      {"with_unconverged_steps", unconverged}};
    if (!found.empty()) summary.update(found);
    fmt::print("{}\n", summary.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return;
  }
  print_measures(results);
  fmt::print("{} runs of {}, {} failed; results in {}\n", results.runs(), results.study().model, failed,
             folder.string());
  std::fflush(stdout);
  int shown = 0;
  for (const auto& [run, message] : results.messages())
    if (++shown <= 3) fmt::print(stderr, "warning: run {}: {}\n", run, message);
  if (shown > 3) fmt::print(stderr, "warning: {} further messages are in study.csv\n", shown - 3);
  if (unconverged > 0) fmt::print(stderr, "warning: in {} runs some steps did not converge\n", unconverged);
}
