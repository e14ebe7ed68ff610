// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "judge/compare/compare_reference.h"
#include "run/options.h"

namespace tappet {

namespace {

using nlohmann::json;

double number(const json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

Vec list(const json& values) {
  Vec result(static_cast<int>(values.size()));
  for (int i = 0; i < result.size(); ++i) result[i] = number(values[i]);
  return result;
}

// The values of a sample. They are either a list under one of `keys` or entries by name. A list of all coordinates is
// preferred to one that leaves out the last of them. Missing entries are NaN. The result is empty if there is neither.
Vec values(const json& sample, const std::vector<std::string>& keys, const std::vector<std::string>& names) {
  for (const bool all : {true, false})
    for (const std::string& key : keys)
      if (sample.contains(key) && sample[key].is_array() &&
          (all ? sample[key].size() == names.size() : sample[key].size() < names.size()))
        return list(sample[key]);
  Vec result(static_cast<int>(names.size()), unknown);
  bool some = false;
  for (size_t i = 0; i < names.size() && keys.front() == "q"; ++i)
    if (sample.contains(names[i])) result[static_cast<int>(i)] = number(sample[names[i]]), some = true;
  return some ? result : Vec();
}

}  // namespace

ReferenceMotion case_motion(const std::string& where, const Layout& layout, double end) {
  const size_t hash = where.find('#');
  const std::string file = where.substr(0, hash), path = hash == std::string::npos ? "" : where.substr(hash + 1);
  std::ifstream stream(file);
  if (!stream) throw UsageError(fmt::format("reference {}: the file cannot be read", file));
  try {
    json data = json::parse(stream);
    if (!path.empty()) data = data.at(json::json_pointer("/" + path));
    ReferenceMotion motion;
    motion.description = where;
    motion.samples_only = true;
    for (const json& sample : data.at("samples")) {
      const double t = number(sample.at("t"));
      Vec q = values(sample, {"q", "cartesian"}, layout.q), u = values(sample, {"u"}, layout.u);
      if (q.empty())
        throw UsageError(
            fmt::format("reference {}: its samples hold other coordinates than {}", where, fmt::join(layout.q, ", ")));
      if (t > end * (1 + 1e-12)) continue;
      motion.t.push_back(t), motion.q.push_back(std::move(q));
      if (!u.empty()) motion.u.push_back(std::move(u));
    }
    if (motion.u.size() != motion.t.size()) motion.u.clear();
    if (motion.t.empty()) throw UsageError(fmt::format("reference {}: no sample before t = {:g} s", where, end));
    return motion;
  } catch (const json::exception& error) {
    throw UsageError(fmt::format("reference {}: expected a case file with `samples` (FILE.json#path/to/set): {}", where,
                                 error.what()));
  }
}

}  // namespace tappet
