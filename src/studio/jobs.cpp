// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/jobs.h"

#include <fmt/format.h>

#include <fstream>

#include "report/report.h"
#include "run/simulate.h"
#include "studio/shown_run.h"

namespace tappet::studio {

namespace {

Json one_error(Place place, const std::string& key, const std::string& message) {
  return {{"errors", {{{"line", place.line}, {"column", place.column}, {"key", key}, {"message", message}}}}};
}

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
  const RunOptions options = options_of(request);
  const System system(model_of(request, options, limits_));
  if (stop_) return frame_of({{"cancelled", true}});
  return ShownRun(system, options, limits_, stop_, tell_).go();
}

Frame Jobs::check(const Json& request) {
  const System system(model_of(request, options_of(request), limits_));
  return frame_of({{"errors", Json::array()}, {"warnings", system.warnings()}});
}

// The run as a file that other programs read: its page, the numbers as HDF5, or a table.
Frame Jobs::write_file(const Json& request) {
  RunOptions options = options_of(request);
  Watch watch(limits_, tell_);
  options.out = folder_ / "export", options.stop = &stop_, options.listener = &watch;
  const std::string kind = text_of(request, "kind");
  if (kind == "csv") options.csv = folder_ / "result.csv";
  simulate(model_of(request, options, limits_), options);
  if (stop_) return frame_of({{"cancelled", true}});
  const std::filesystem::path file = kind == "report" ? write_report(options.out)
                                     : kind == "csv"  ? options.csv
                                                      : options.out / "result.h5";
  std::ifstream stream(file, std::ios::binary);
  Frame answer = frame_of({{"name", file.filename().string()}});
  answer.bytes.assign(std::istreambuf_iterator<char>(stream), {});
  std::filesystem::remove_all(options.out);
  std::filesystem::remove(folder_ / "result.csv");
  return answer;
}

Frame Jobs::answer(const Json& request) try {
  const std::string job = text_of(request, "job");
  if (job == "run") return run(request);
  if (job == "check") return check(request);
  if (job == "export") return write_file(request);
  return frame_of(one_error({}, "", fmt::format("there is no job '{}'", job)));
} catch (const ModelError& error) {
  return frame_of(one_error(error.place, error.key, error.message));
} catch (const std::bad_alloc&) {
  return frame_of(one_error(
      {}, "",
      fmt::format("the model needs more memory than the {} MB that a page of the studio may use", limits_.megabytes)));
} catch (const std::exception& error) {
  return frame_of(one_error({}, "", error.what()));
}

}  // namespace tappet::studio
