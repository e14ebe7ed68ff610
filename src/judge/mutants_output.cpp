// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>

#include "judge/mutants.h"
#include "run/options.h"

namespace tappet {

namespace {

using Json = nlohmann::ordered_json;

const char* name(Fate fate) {
  return fate == Fate::killed ? "killed" : fate == Fate::survived ? "survived" : "undecided";
}

std::vector<std::string> names(const MutantReport& report, Fate fate) {
  std::vector<std::string> result;
  for (const JudgedMutant& m : report.mutants)
    if (m.fate == fate) result.push_back(m.name);
  return result;
}

Fate fate_named(const std::string& word) {
  return word == "killed" ? Fate::killed : word == "survived" ? Fate::survived : Fate::undecided;
}

}  // namespace

// FNV-1a, which is the same on every machine.
std::string to_text(const MutantReport& report) {
  std::string text = fmt::format("{}: {} of {} mutants survive{}\n", report.name, report.count(Fate::survived),
                                 report.mutants.size(), report.weak() ? " (weak)" : "");
  for (const std::string& mutant : names(report, Fate::survived)) text += fmt::format("  survives: {}\n", mutant);
  for (const JudgedMutant& m : report.mutants)
    if (m.fate == Fate::undecided) text += fmt::format("  undecided: {} ({})\n", m.name, m.by);
  return text;
}

nlohmann::ordered_json to_json(const std::vector<MutantReport>& reports) {
  Json list = Json::array();
  for (const MutantReport& report : reports) {
    Json mutants = Json::array();
    for (const JudgedMutant& m : report.mutants)
      mutants.push_back(m.by.empty() ? Json{{"name", m.name}, {"fate", name(m.fate)}}
                                     : Json{{"name", m.name}, {"fate", name(m.fate)}, {"by", m.by}});
    list.push_back(
        {{"name", report.name}, {"file", report.fingerprint}, {"weak", report.weak()}, {"mutants", mutants}});
  }
  return list;
}

std::vector<MutantReport> read_mutant_record(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::vector<MutantReport> reports;
  if (!stream) return reports;
  try {
    for (const Json& entry : Json::parse(stream)) {
      reports.push_back({entry.at("name"), entry.at("file"), {}});
      for (const Json& m : entry.at("mutants"))
        reports.back().mutants.push_back({m.at("name"), fate_named(m.at("fate")), m.value("by", std::string())});
    }
  } catch (const Json::exception& error) {
    throw UsageError(fmt::format("{}: expected the record that `tappet reproduce --mutants --record` writes: {}",
                                 file.string(), error.what()));
  }
  return reports;
}

// New results replace those in the record.
void write_mutant_record(const std::filesystem::path& file, const std::vector<MutantReport>& reports) {
  std::vector<MutantReport> all = read_mutant_record(file);
  for (const MutantReport& report : reports) {
    std::erase_if(all, [&](const MutantReport& old) { return old.name == report.name; });
    if (!report.mutants.empty()) all.push_back(report);
  }
  std::sort(all.begin(), all.end(), [](const MutantReport& a, const MutantReport& b) { return a.name < b.name; });
  std::ofstream stream(file);
  stream << to_json(all).dump(1) << '\n';
  stream.close();
  if (!stream) throw std::runtime_error(fmt::format("cannot write {}", file.string()));
}

}  // namespace tappet
