// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/shown_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "record/sampler.h"
#include "record/summary.h"
#include "report/run_data.h"
#include "run/make_stepper.h"
#include "run/needs.h"

namespace tappet::studio {

namespace {

constexpr long most_samples = 6000;     // of one run, as the page shows it
constexpr double first_look = 0.8;      // s: a run that ends before this is only shown as a whole
constexpr double share_of_looks = 0.1;  // of the time of a run

}  // namespace

double Watch::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Watch::progress(long step, long steps, double t) {
  done_ = step;
  tell_(frame_of({{"step", step}, {"steps", steps}, {"t", t}}));
}

bool Watch::goes_on() {
  exceeded_ = seconds() > limits_.seconds || done_ > limits_.steps;
  return !exceeded_;
}

ShownRun::ShownRun(const System& system, const RunOptions& options, const Limits& limits, const std::atomic<bool>& stop,
                   const Tell& tell)
    : Watch(limits, tell),
      system_(system),
      options_(options),
      limits_(limits),
      stop_(stop),
      tell_(tell),
      settings_(settings_of(system.model(), options)),
      recorded_(layout_of(system), system.model().run.record_only),
      header_(header_of(settings_, system.model())),
      wanted_every_(settings_.record_every),
      next_look_(first_look) {
  if (wanted_every_ == 0)
    throw ModelError(system.model().file, system.model().run.place, "run.record",
                     "this run records nothing, so there is nothing to show; expected `record: N` or no such key");
  // Half of the memory is for the results. The other half is for the model, the contact problems and the answer.
  const double steps = std::ceil(settings_.end / settings_.dt);
  const double bytes = steps * bytes_per_sample(recorded_.layout(), recorded_.only());
  const double room = 0.5 * static_cast<double>(limits.megabytes << 20);
  settings_.record_every = std::max(wanted_every_, static_cast<int>(std::min(1e9, std::ceil(bytes / room))));
}

std::string ShownRun::note() const {
  if (settings_.record_every == wanted_every_) return {};
  return fmt::format(
      "the studio shows one in {} steps, because a page may use {} MB of memory (`--most-memory`); `tappet run` "
      "records them as the file says",
      settings_.record_every, limits_.megabytes);
}

Frame ShownRun::frame(Json summary) const {
  if (!note().empty()) summary["warnings"].push_back(note());
  PageArrays arrays(PageArrays::Form::plain);
  const RecordedRun run(recorded_, header_);
  Frame answer = frame_of({{"run", RunData(system_, run, std::move(summary)).write(most_samples, arrays)}});
  answer.bytes = arrays.plain();
  return answer;
}

// Called between two steps, on the thread of the run.
void ShownRun::progress(long step, long steps, double t) {
  Watch::progress(step, steps, t);
  const double before = seconds();
  if (before < next_look_ || stop_) return;
  const SchemeInfo* scheme = scheme_info(settings_.scheme);
  tell_(frame({{"status", "running"}, {"steps", step}, {"contact_forces", scheme ? scheme->forces : ""}}));
  next_look_ = seconds() + std::max(1.0, (seconds() - before) / share_of_looks);
}

Frame ShownRun::go() {
  options_.record_every = settings_.record_every;
  options_.recorders = {&recorded_};
  options_.stop = &stop_;
  options_.listener = this;
  const Result result = simulate(system_, options_);
  if (stop_) return frame_of({{"cancelled", true}});
  Json summary = to_json(result.summary);
  if (exceeded())
    summary["message"] = fmt::format("ended by the studio after {} steps: a run may take {:g} s and {} steps",
                                     result.summary.steps, limits_.seconds, limits_.steps);
  return frame(std::move(summary));
}

}  // namespace tappet::studio
