// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "judge/compare/compare.h"

namespace tappet {

namespace {

std::string cell(double value, const char* format = "{:.2e}") {
  return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : std::string("-");
}

std::string csv_field(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

template <class X>
Plot log_log(const Comparison& comparison, std::string title, std::string x_label, X x) {
  Plot plot{std::move(title), {std::move(x_label), true}, {"error of q, L¹ over time", true}, {}};
  for (const ComparedRun& run : comparison.runs) {
    if (!run.trouble.empty()) continue;
    if (plot.curves.empty() || plot.curves.back().label != run.scheme)
      plot.curves.push_back({run.scheme, {}, {}, true});
    plot.curves.back().x.push_back(x(run));
    plot.curves.back().y.push_back(run.errors.q_L1);
  }
  return plot;
}

}  // namespace

std::string to_table(const Comparison& comparison) {
  std::string text =
      fmt::format("{} to t = {:g} s, compared with {}\n\n", comparison.model, comparison.end, comparison.reference);
  for (const std::string& doubt : doubts(comparison)) text += fmt::format("WARNING: {}.\n\n", doubt);
  text += fmt::format("{:<27} {:>8} {:>9} {:>6} {:>9} {:>9} {:>9} {:>9} {:>10} {:>6} {:>8} {:>8}\n", "scheme", "dt",
                      "q: L1", "order", "q: max", "q: end", "u: L1", "violation", "energy - ref", "iter.", "us/step",
                      "total s");
  for (const ComparedRun& r : comparison.runs) {
    if (!r.trouble.empty()) continue;
    text += fmt::format("{:<27} {:>8.3g} {:>9} {:>6} {:>9} {:>9} {:>9} {:>9.1e} {:>12} {:>6.2f} {:>8.2f} {:>8.3g}{}\n",
                        r.scheme, r.dt, cell(r.errors.q_L1), cell(r.order, "{:.2f}"), cell(r.errors.q_max),
                        cell(r.errors.q_end), cell(r.errors.u_L1), std::max(r.violation, r.joint_violation),
                        cell(r.energy_error, "{:+.2e}"), r.mean_iterations, r.us_per_step, r.seconds,
                        r.unconverged_steps > 0 ? fmt::format("  {} steps unconverged", r.unconverged_steps) : "");
  }
  for (const ReferenceCheck& check : comparison.checks)
    text +=
        fmt::format("\nreference checked with {}: {}", check.with,
                    check.trouble.empty() ? fmt::format("{:.2e} apart, {:.2e} allowed", check.distance, check.allowed)
                                          : fmt::format("not possible, {}", check.trouble));
  if (!comparison.checks.empty()) text += "\n";
  std::string told;
  for (const ComparedRun& r : comparison.runs) {
    if (r.trouble.empty()) continue;
    const std::string line = fmt::format("{}: {}", r.scheme, r.trouble);
    if (told.empty()) text += "\nnot compared:\n";
    if (line != told) text += fmt::format("  {} at dt = {:g}: {}\n", r.scheme, r.dt, r.trouble);
    told = line;
  }
  return text;
}

std::string to_csv(const Comparison& comparison) {
  std::string text =
      "scheme,dt,steps,q_end,q_L1,q_L2,q_max,order,u_end,u_L1,violation,joint_violation,energy,energy_minus_reference,"
      "mean_iterations,unconverged_steps,us_per_step,total_s,trouble,reference_doubt\n";
  const std::vector<std::string> doubt = doubts(comparison);
  const std::string last = doubt.empty() ? "" : csv_field(fmt::format("{}", fmt::join(doubt, "; ")));
  for (const ComparedRun& r : comparison.runs) {
    text += fmt::format("{},{},{}", r.scheme, r.dt, r.steps);
    if (r.trouble.empty()) {
      for (const double x :
           {r.errors.q_end, r.errors.q_L1, r.errors.q_L2, r.errors.q_max, r.order, r.errors.u_end, r.errors.u_L1,
            r.violation, r.joint_violation, r.energy, r.energy_error, r.mean_iterations})
        text += "," + (std::isfinite(x) ? fmt::format("{}", x) : std::string());
    } else {
      text += ",,,,,,,,,,,,";
    }
    text += fmt::format(",{},{},{},{},{}\n", r.unconverged_steps, r.us_per_step, r.seconds,
                        r.trouble.empty() ? "" : csv_field(r.trouble), last);
  }
  return text;
}

std::string to_json(const Comparison& comparison) {
  using Json = nlohmann::ordered_json;
  const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(); };
  Json json = {{"model", comparison.model}, {"end", comparison.end}, {"reference", comparison.reference}};
  json["reference_checks"] = Json::array();
  for (const ReferenceCheck& check : comparison.checks)
    json["reference_checks"].push_back({{"with", check.with},
                                        {"distance", number(check.distance)},
                                        {"allowed", number(check.allowed)},
                                        {"agrees", check.trouble.empty() ? Json(!check.disagrees()) : Json()},
                                        {"trouble", check.trouble}});
  json["warnings"] = doubts(comparison);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Plot error_over_dt(const Comparison& comparison) {
  return log_log(comparison, comparison.model + ": error over dt", "dt, s", [](const ComparedRun& r) { return r.dt; });
}

Plot work_and_precision(const Comparison& comparison) {
  return log_log(comparison, comparison.model + ": work and precision", "computing time, s",
                 [](const ComparedRun& r) { return r.seconds; });
}

}  // namespace tappet
