// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/jobs.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <fstream>

#include "record/hdf5/result_file.h"
#include "record/summary.h"
#include "report/report.h"
#include "report/run_data.h"
#include "run/simulate.h"

namespace tappet::studio {

namespace {

using Json = nlohmann::ordered_json;

constexpr long most_samples = 6000;  // of one run, as the page shows it

Json one_error(Place place, const std::string& key, const std::string& message) {
  return {{"errors", {{{"line", place.line}, {"column", place.column}, {"key", key}, {"message", message}}}}};
}

// Tells the page about the progress, and ends a run that takes too long.
struct Watch final : RunListener {
  Watch(const Limits& limits, const Jobs::Progress& progress) : limits(limits), tell(progress) {}
  void progress(long step, long steps, double t) override {
    done = step;
    tell(step, steps, t);
  }
  bool goes_on() override {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    exceeded = seconds > limits.seconds || done > limits.steps;
    return !exceeded;
  }
  const Limits& limits;
  const Jobs::Progress& tell;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  long done = 0;
  bool exceeded = false;
};

std::string text_of(const Json& request, const char* key) {
  const auto found = request.find(key);
  return found != request.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double number_of(const Json& request, const char* key) {
  const auto found = request.find(key);
  return found != request.end() && found->is_number() ? found->get<double>() : 0.0;
}

Overrides overrides_of(const Json& request) {
  Overrides set;
  if (request.contains("set") && request["set"].is_object())
    for (const auto& [name, value] : request["set"].items())
      set.emplace_back(name, value.is_number()   ? fmt::format("{:.17g}", value.get<double>())
                             : value.is_string() ? value.get<std::string>()
                                                 : "");
  return set;
}

RunOptions options_of(const Json& request) {
  RunOptions options;
  options.scheme = text_of(request, "scheme");
  options.dt = number_of(request, "dt"), options.end = number_of(request, "end");
  options.keep = false;
  options.hdf5.deflate = 0;
  return options;
}

Model model_of(const Json& request, const RunOptions& options, const Limits& limits) {
  Model model =
      prepare(parse_model(text_of(request, "text"), text_of(request, "file"), overrides_of(request)), options);
  const double dt = options.dt > 0.0 ? options.dt : model.run.dt, end = options.end > 0.0 ? options.end : model.run.end;
  if (end / dt > static_cast<double>(limits.steps))
    throw ModelError(
        model.file, model.run.place, "run",
        fmt::format("this run has {:.3g} steps; the studio computes at most {}: expected a larger dt or an "
                    "earlier end (`tappet run` has no such limit, and `tappet studio --most-steps` another)",
                    end / dt, limits.steps));
  return model;
}

}  // namespace

Frame Jobs::run(const Json& request) {
  RunOptions options = options_of(request);
  Watch watch(limits_, progress_);
  options.out = folder_, options.stop = &stop_, options.listener = &watch;
  const System system(model_of(request, options, limits_));
  if (stop_) return {{{"cancelled", true}}, {}};
  const Result result = simulate(system, options);
  if (stop_) return {{{"cancelled", true}}, {}};
  if (!std::filesystem::exists(folder_ / "result.h5"))
    throw ModelError(system.model().file, system.model().run.place, "run.record",
                     "this run records nothing, so there is nothing to show; expected `record: N` or no such key");
  Json summary = to_json(result.summary);
  if (watch.exceeded)
    summary["message"] = fmt::format("ended by the studio after {} steps: a run may take {:g} s and {} steps",
                                     result.summary.steps, limits_.seconds, limits_.steps);
  const ResultFile file(folder_ / "result.h5");
  PageArrays arrays(PageArrays::Form::plain);
  Frame answer;
  answer.json = {{"run", RunData(system, file, std::move(summary)).write(most_samples, arrays)}};
  answer.bytes = arrays.plain();
  return answer;
}

Frame Jobs::check(const Json& request) {
  const System system(model_of(request, options_of(request), limits_));
  return {{{"errors", Json::array()}, {"warnings", system.warnings()}}, {}};
}

// The run as a file that other programs read: its page, the numbers as HDF5, or a table.
Frame Jobs::write_file(const Json& request) {
  RunOptions options = options_of(request);
  Watch watch(limits_, progress_);
  options.hdf5 = {};
  options.out = folder_ / "export", options.stop = &stop_, options.listener = &watch;
  const std::string kind = text_of(request, "kind");
  if (kind == "csv") options.csv = folder_ / "result.csv";
  simulate(model_of(request, options, limits_), options);
  if (stop_) return {{{"cancelled", true}}, {}};
  const std::filesystem::path file = kind == "report" ? write_report(options.out)
                                     : kind == "csv"  ? options.csv
                                                      : options.out / "result.h5";
  std::ifstream stream(file, std::ios::binary);
  Frame answer{{{"name", file.filename().string()}}, {std::istreambuf_iterator<char>(stream), {}}};
  std::filesystem::remove_all(options.out);
  std::filesystem::remove(folder_ / "result.csv");
  return answer;
}

Frame Jobs::answer(const Json& request) try {
  const std::string job = text_of(request, "job");
  if (job == "run") return run(request);
  if (job == "check") return check(request);
  if (job == "export") return write_file(request);
  return {one_error({}, "", fmt::format("there is no job '{}'", job)), {}};
} catch (const ModelError& error) {
  return {one_error(error.place, error.key, error.message), {}};
} catch (const std::bad_alloc&) {
  return {one_error({}, "",
                    fmt::format("the model needs more memory than the {} MB that a page of the studio may use",
                                limits_.megabytes)),
          {}};
} catch (const std::exception& error) {
  return {one_error({}, "", error.what()), {}};
}

}  // namespace tappet::studio
