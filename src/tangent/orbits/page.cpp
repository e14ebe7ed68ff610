// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/orbits/page.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "record/hdf5/result_file.h"
#include "report/embed.h"
#include "report/page.h"
#include "report/run_data.h"
#include "run/simulate.h"

namespace tappet {

namespace {

using Json = nlohmann::ordered_json;

// A folder that is removed again.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tappet-orbits-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder can be made");
    path_ = name;
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// One period of an orbit as a run.
Json motion(const ModelSource& source, const std::string& parameter, const BranchPoint& point,
            const std::filesystem::path& folder, PageArrays& arrays) {
  constexpr int samples = 160;
  const State& at = point.orbit.start;
  RunOptions options;
  options.scheme = "event-driven", options.out = folder, options.keep = false;
  options.options = {{"accumulate", "close", {}}};
  options.start = StartState{"", at.t, {at.q.begin(), at.q.end()}, {at.u.begin(), at.u.end()}, 1e-6, 1e-6};
  options.dt = point.orbit.period() / samples, options.end = at.t + point.orbit.period();
  const System system(prepare(source.with(parameter, point.parameter).read(), options));
  const Result result = simulate(system, options);
  const ResultFile file(folder / "result.h5");
  return RunData(system, file, to_json(result.summary)).write(4 * samples, arrays);
}

Json described(const BranchPoint& point) {
  Json multipliers = Json::array();
  for (const auto& one : point.orbit.multipliers) multipliers.push_back({one.real(), one.imag()});
  const auto or_null = [](double x) { return std::isfinite(x) ? Json(x) : Json(); };
  return {{"at", point.parameter},
          {"period", point.orbit.period()},
          {"stable", point.orbit.stable()},
          {"kind", name(point.kind)},
          {"note", point.note},
          {"multipliers", multipliers},
          {"slowest_impact", or_null(point.orbit.back.closeness.slowest_impact.value)},
          {"nearest_miss", or_null(point.orbit.back.closeness.nearest_miss.value)},
          {"events", point.orbit.back.words()},
          {"q", std::vector<double>(point.orbit.start.q.begin(), point.orbit.start.q.end())},
          {"u", std::vector<double>(point.orbit.start.u.begin(), point.orbit.start.u.end())}};
}

}  // namespace

bool write_branch_page(const std::filesystem::path& file, const ModelSource& source, const std::string& parameter,
                       const std::vector<Branch>& branches, int most_motions) {
  const std::string page = orbits_page_template();
  if (page.empty()) return false;
  const System system(source.read());
  const ScratchFolder folder;
  PageArrays arrays;
  size_t all = 0;
  for (const Branch& branch : branches) all += branch.points.size();
  const size_t every = std::max<size_t>(1, (all + most_motions - 1) / most_motions);
  Json json = {{"format", 1},
               {"title", system.model().title},
               {"source", system.model().source},
               {"parameter", parameter},
               {"q", system.q_names()},
               {"u", system.u_names()},
               {"branches", Json::array()}};
  size_t count = 0;
  for (const Branch& branch : branches) {
    Json points = Json::array();
    for (const BranchPoint& point : branch.points) {
      Json one = described(point);
      // A point where an impact is infinitely slow is extrapolated: there is no motion to show.
      const bool shown = point.kind != BranchPoint::Kind::grazing && point.kind != BranchPoint::Kind::end;
      if (shown && (point.kind != BranchPoint::Kind::ordinary || count % every == 0))
        one["run"] = motion(source, parameter, point, folder.path(), arrays);
      ++count;
      points.push_back(std::move(one));
    }
    json["branches"].push_back({{"returns", branch.rule.times}, {"points", std::move(points)}});
  }
  std::ofstream out(file, std::ios::binary);
  out << filled_page(page, json, arrays);
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", file.string()));
  return true;
}

}  // namespace tappet
