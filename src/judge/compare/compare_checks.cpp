// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "judge/compare/compare_reference.h"

namespace tappet {

namespace {

constexpr double patience = 20;  // s, for each run of a check

ReferenceMotion as_reference(const Result& result) { return {"", result.t, result.q, result.u, unknown}; }

// The distance of the positions from their start, L¹ over time. Other distances are compared with it.
double size_of(const ReferenceMotion& motion) {
  double sum = 0;
  for (size_t k = 1; k < motion.t.size(); ++k) {
    double squared = 0;
    for (int i = 0; i < motion.q[k].size(); ++i) {
      const double way = motion.q[k][i] - motion.q[0][i];
      if (!std::isnan(way)) squared += way * way;
    }
    sum += (motion.t[k] - motion.t[k - 1]) * std::sqrt(squared);
  }
  return sum;
}

// Compares the reference with the same scheme at a tolerance that is a thousand times larger.
ReferenceCheck against_itself(const Model& model, const CompareOptions& asked, double dt, double end,
                              const ReferenceMotion& reference) {
  // share of the motion: far above the error of a tolerance of 1e-9, far below that of a wrong branch
  constexpr double part = 1e-5;
  ReferenceCheck check{fmt::format("{} at a tolerance of 1e-9", exact_scheme)};
  CompareOptions loose = asked;
  std::erase_if(loose.options, [](const Option& o) { return o.key == "relative" || o.key == "absolute"; });
  loose.options.push_back({"relative", "1e-9", {}}), loose.options.push_back({"absolute", "1e-11", {}});
  const Result result = limited_run(model, loose, exact_scheme, dt, end, patience);
  if (!result.done()) {
    check.trouble = result.summary.status == RunStatus::failed ? result.summary.message : "it takes too long";
    return check;
  }
  check.distance = errors(result, reference).q_L1, check.allowed = part * size_of(reference);
  return check;
}

// Runs the scheme with the smallest error at the smallest dt again, at a quarter of that dt. If the scheme converges to
// the reference, this run is much closer to it, and the two runs differ by about the error of the first. If they agree
// with each other much better than with the reference, they converge to something else. An event that happens to lie
// beside a point of both time grids gives both runs the same error. So a third run with four times the step is compared
// too, whose error is at least of first order in dt.
ReferenceCheck against_scheme(const Model& model, const CompareOptions& asked, const ComparedRun& best, double end,
                              const ReferenceMotion& reference) {
  constexpr double factor = 4, more = 3, least = 1e-9;
  ReferenceCheck check{fmt::format("{} at dt = {:g} s", best.scheme, best.dt / factor)};
  const Result coarse = limited_run(model, asked, best.scheme, best.dt, end, patience);
  const Result fine = limited_run(model, asked, best.scheme, best.dt / factor, end, patience);
  const Result coarser = limited_run(model, asked, best.scheme, factor * best.dt, end, patience);
  if (!fine.done() || !coarse.done()) {
    check.trouble = fine.summary.status == RunStatus::failed ? fine.summary.message : "it takes too long";
    return check;
  }
  check.distance = errors(fine, reference).q_L1;
  double error = errors(coarse, as_reference(fine)).q_L1;
  if (coarser.done()) error = std::max(error, errors(coarser, as_reference(fine)).q_L1 / (factor * factor));
  check.allowed = more * error + least * size_of(reference);
  return check;
}

}  // namespace

std::vector<ReferenceCheck> check_reference(const Model& model, const CompareOptions& asked,
                                            const Comparison& comparison, const ReferenceMotion& reference) {
  std::vector<ReferenceCheck> checks;
  const ComparedRun* best = nullptr;
  for (const ComparedRun& run : comparison.runs)
    if (run.trouble.empty() && run.scheme != exact_scheme && std::isfinite(run.errors.q_L1) &&
        (!best || run.dt < best->dt || (run.dt == best->dt && run.errors.q_L1 < best->errors.q_L1)))
      best = &run;
  const auto add = [&](const std::string& with, auto&& check) {
    try {
      checks.push_back(check());
    } catch (const std::runtime_error& error) {
      checks.push_back({with, unknown, unknown, error.what()});
    }
  };
  const double dt = comparison.runs.empty() ? 0.0 : comparison.runs.back().dt;
  if (reference.description.starts_with(exact_scheme) && dt > 0)
    add(exact_scheme, [&] { return against_itself(model, asked, dt, comparison.end, reference); });
  if (best) add(best->scheme, [&] { return against_scheme(model, asked, *best, comparison.end, reference); });
  return checks;
}

std::vector<std::string> doubts(const Comparison& comparison) {
  std::vector<std::string> list;
  for (const ReferenceCheck& check : comparison.checks)
    if (check.disagrees())
      list.push_back(fmt::format(
          "the reference ({}) and {} are {:.2e} apart (positions, L1 over time), but their errors explain only "
          "{:.2e}; one of them is wrong, and errors and orders of this table mean nothing until it is "
          "known which",
          comparison.reference, check.with, check.distance, check.allowed));
  return list;
}

}  // namespace tappet
