// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/compare/compare_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "record/sampler.h"
#include "run/make_stepper.h"

namespace tappet {

namespace {

constexpr double patience = 20;  // s, for event-driven if it was not asked for by name

// Ends a run after its share of the time.
class Limit final : public RunListener {
 public:
  Limit(double seconds, const std::atomic<bool>* outer)
      : deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
        outer_(outer) {}
  void progress(long, long, double) override {
    if (Clock::now() > deadline_ || (outer_ && outer_->load(std::memory_order_relaxed))) stop = true;
  }
  std::atomic<bool> stop{false};

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point deadline_;
  const std::atomic<bool>* outer_;
};

ReferenceMotion motion(const Result& result, std::string description) {
  return {std::move(description), result.t, result.q, result.u, result.summary.energy.total()};
}

std::string why_not_done(const Summary& summary, double limit_s) {
  return summary.status == RunStatus::interrupted ? fmt::format("it takes more than {:g} s", limit_s) : summary.message;
}

// Splits SCHEME@DT. Without @DT it takes a tenth of the finest dt.
std::pair<std::string, double> scheme_and_dt(const std::string& asked, double finest) {
  const size_t at = asked.find('@');
  std::pair<std::string, double> result{asked.substr(0, at), finest / 10};
  if (at == std::string::npos) return result;
  try {
    result.second = std::stod(asked.substr(at + 1));
  } catch (const std::exception&) {
    throw UsageError(fmt::format("reference {}: expected SCHEME@DT with a step in seconds", asked));
  }
  return result;
}

}  // namespace

Result limited_run(const Model& model, const CompareOptions& asked, const std::string& scheme, double dt, double end,
                   double most_s) {
  Limit limit(std::min(asked.limit_s, most_s), asked.stop);
  RunOptions settings{.scheme = scheme, .dt = dt, .end = end, .record_every = 1};
  if (scheme == exact_scheme) settings.options.push_back({"accumulate", "close", {}});
  for (const Option& option : asked.options)
    if (knows_option(scheme, option.key)) settings.options.push_back(option);
  settings.listener = &limit;
  settings.stop = &limit.stop;
  return simulate(model, settings);
}

ReferenceMotion find_reference(const Model& model, const CompareOptions& asked, double finest, double end) {
  const std::string& reference = asked.reference;
  if (reference.find(".json") != std::string::npos) return case_motion(reference, layout_of(System(model)), end);
  std::string why;
  if (reference.empty() || reference == exact_scheme) {
    const double most_s = reference.empty() ? std::min(patience, asked.limit_s) : asked.limit_s;
    try {
      const Result result = limited_run(model, asked, exact_scheme, finest, end, most_s);
      if (result.done()) return motion(result, fmt::format("{}, outputs every {:g} s", exact_scheme, finest));
      why = why_not_done(result.summary, most_s);
    } catch (const UsageError& error) {
      why = error.what();
    }
    if (!reference.empty()) throw UsageError(fmt::format("reference {}: {}", exact_scheme, why));
    why = fmt::format(" ({} does not do: {})", exact_scheme, why);
  }
  const bool own = reference.empty() || reference == "finest";
  const auto [scheme, dt] = scheme_and_dt(own ? model.run.scheme : reference, finest);
  check_scheme(scheme);
  const Result result = limited_run(model, asked, scheme, dt, end);
  if (!result.done())
    throw UsageError(fmt::format("the reference, {} at dt = {:g} s, does not reach its end: {}{}", scheme, dt,
                                 why_not_done(result.summary, asked.limit_s), why));
  return motion(result, fmt::format("{} at dt = {:g} s{}", scheme, dt, why));
}

}  // namespace tappet
