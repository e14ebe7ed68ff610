// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/reading/nearest.h"
#include "record/hdf5/result_file.h"
#include "run/options.h"
#include "system/state_names.h"

namespace tappet {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

Json read_summary(const fs::path& folder) {
  const fs::path file = folder / "summary.json";
  std::ifstream stream(file);
  if (!stream)
    throw UsageError(fmt::format("--start {}: there is no {}; expected the folder of a finished run", folder.string(),
                                 file.string()));
  Json json = Json::parse(stream, nullptr, false);
  if (!json.is_object() || !json.contains("q") || !json.contains("u") || !json.contains("time"))
    throw UsageError(fmt::format("--start {}: {} is not the summary of a run; expected the keys time, q and u",
                                 folder.string(), file.string()));
  return json;
}

// The values of `named` in the order of `names`. Both must hold the same names.
std::vector<double> ordered(const fs::path& folder, const char* what, const Json& named,
                            const std::vector<std::string>& names) {
  std::vector<std::string> there;
  for (const auto& [name, value] : named.items()) there.push_back(name);
  const auto refuse = [&](const std::string& trouble) {
    throw UsageError(fmt::format("--start {}: {}; expected a run with the {} {} of this model", folder.string(),
                                 trouble, names.size(), what));
  };
  std::vector<double> values;
  for (const std::string& name : names) {
    if (!named.contains(name))
      refuse(fmt::format("that run has no {} '{}'{}", std::string(what) == "velocities" ? "velocity" : "position", name,
                         suggestion(name, there)));
    if (!named[name].is_number() || !std::isfinite(named[name].get<double>()))
      refuse(fmt::format("'{}' of that run is not a finite number", name));
    values.push_back(named[name].get<double>());
  }
  for (const std::string& name : there)
    if (std::find(names.begin(), names.end(), name) == names.end())
      refuse(fmt::format("this model has no coordinate '{}', which that run has", name));
  return values;
}

// The last row of a data set of result.h5. It is used if the model has too many coordinates for the summary.
std::vector<double> last_row(const fs::path& folder, const char* data, size_t size) {
  try {
    const ResultFile result(folder / "result.h5");
    if (!result.has(data) || static_cast<size_t>(result.width(data)) != size || result.samples() == 0)
      throw UsageError(fmt::format("--start {}: result.h5 has no {} of {} numbers; expected those of this model",
                                   folder.string(), data, size));
    return result.rows(data, std::vector<long>{result.samples() - 1});
  } catch (const UsageError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("--start {}: {}", folder.string(), error.what()));
  }
}

double largest(const Json& json, const char* key) {
  return json.contains(key) && json[key].contains("max") && json[key]["max"].is_number()
             ? json[key]["max"].get<double>()
             : 0.0;
}

}  // namespace

StartState start_of(const fs::path& folder, const Model& model) {
  const Json json = read_summary(folder);
  StartState start;
  start.from = folder.string();
  start.t = json["time"].is_number() ? json["time"].get<double>() : 0.0;
  const auto q = q_names(model), u = u_names(model);
  if (json.contains("left_out")) {
    start.q = last_row(folder, "q", q.size()), start.u = last_row(folder, "u", u.size());
  } else {
    start.q = ordered(folder, "positions", json["q"], q);
    start.u = ordered(folder, "velocities", json["u"], u);
  }
  start.joint_violation = largest(json, "joint_violation"), start.penetration = largest(json, "violation");
  return start;
}

}  // namespace tappet
