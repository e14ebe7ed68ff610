// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/os.h>

#include <cctype>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "files/hdf5_file.h"
#include "record/recorder.h"
#include "study/page/settings.h"
#include "study/results.h"

namespace tappet {

namespace {

std::filesystem::path beside(const std::filesystem::path& file) { return file.string() + ".part"; }

// Quotes a text for a table if it has commas, quotes or ends of lines.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// An empty cell stands for "no value".
std::string cell(double value) { return std::isnan(value) ? std::string() : fmt::format("{}", value); }

// A name as part of the name of a file. Some systems do not distinguish capital letters, but a name keeps them.
std::string file_word(std::string name) {
  for (char& c : name) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x80 && !std::isalnum(code) && c != '_' && c != '-' && c != '+' && c != '\'') c = '_';
  }
  return name;
}

// Writes lines to a file, and gives the file its name when it is complete.
class CsvFile {
 public:
  explicit CsvFile(const std::filesystem::path& file) : file_(file), stream_(beside(file), std::ios::binary) {}
  void line(const std::vector<std::string>& cells) { stream_ << fmt::format("{}\n", fmt::join(cells, ",")); }
  void close() {
    stream_.close();
    if (!stream_) throw std::runtime_error(fmt::format("cannot write {}", file_.string()));
    std::filesystem::rename(beside(file_), file_);
  }

 private:
  std::filesystem::path file_;
  std::ofstream stream_;
};

void write_series(hid_t group, const StudyResults& results, int measure) {
  std::vector<double> values;
  std::vector<int> counts;
  for (long run = 0; run < results.runs(); ++run) {
    const std::vector<double>& series = results.series(run, measure);
    values.insert(values.end(), series.begin(), series.end());
    counts.push_back(static_cast<int>(series.size()));
  }
  hdf5::write_numbers(group, "values", values);
  hdf5::write_integers(group, "counts", counts);
}

void write_status(hid_t file, const StudyResults& results) {
  std::vector<int> status;
  std::vector<double> steps, unconverged, iterations;
  for (long run = 0; run < results.runs(); ++run) {
    status.push_back(static_cast<int>(results.status(run)));
    steps.push_back(static_cast<double>(results.steps(run)));
    unconverged.push_back(static_cast<double>(results.unconverged(run)));
    iterations.push_back(results.iterations(run));
  }
  hdf5::write_integers(file, "status", status);
  hdf5::write_numbers(file, "steps", steps);
  hdf5::write_numbers(file, "unconverged", unconverged);
  hdf5::write_numbers(file, "iterations", iterations);
}

void write_messages(hid_t file, const StudyResults& results) {
  std::vector<int> runs;
  std::vector<std::string> texts;
  for (const auto& [run, text] : results.messages()) runs.push_back(static_cast<int>(run)), texts.push_back(text);
  const hdf5::Handle group = hdf5::create_group(file, "messages");
  if (runs.empty()) return;
  hdf5::write_integers(group, "run", runs);
  hdf5::write_texts(group, "text", texts);
}

}  // namespace

void write_study_hdf5(const StudyResults& results, const std::filesystem::path& path) {
  const Study& study = results.study();
  {
    hdf5::be_silent();
    const hdf5::Handle file = hdf5::create_file(beside(path));
    hdf5::write_text(file, "study", study.text);
    hdf5::write_text(file, "model", study.model_text);
    hdf5::write_text(file, "settings",
                     study_settings(study).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    hdf5::write_attribute(file, "title", study.title);
    hdf5::write_attribute(file, "fingerprint", study.fingerprint());
    hdf5::write_attribute(file, "status",
                          std::vector<std::string>{"missing", "done", "failed", "refused", "interrupted"});
    const hdf5::Handle parameters = hdf5::create_group(file, "parameters");
    for (std::size_t i = 0; i < study.plan.axes().size(); ++i)
      hdf5::write_numbers(parameters, hdf5_name(study.plan.axes()[i].parameter),
                          results.parameter(static_cast<int>(i)));
    const hdf5::Handle measures = hdf5::create_group(file, "measures"), series = hdf5::create_group(file, "series");
    for (std::size_t m = 0; m < study.measures.size(); ++m) {
      const std::string name = hdf5_name(study.measures[m].name);
      if (study.measures[m].many())
        write_series(hdf5::create_group(series, name), results, static_cast<int>(m));
      else
        hdf5::write_numbers(measures, name, results.column(static_cast<int>(m)));
    }
    write_status(file, results);
    write_messages(file, results);
  }
  std::filesystem::rename(beside(path), path);
}

void write_study_csv(const StudyResults& results, const std::filesystem::path& file) {
  const Study& study = results.study();
  CsvFile table(file);
  std::vector<std::string> line{"run"};
  for (const StudyAxis& axis : study.plan.axes()) line.push_back(cell(axis.parameter));
  for (const StudyMeasure& m : study.measures)
    if (!m.many()) line.push_back(cell(m.name));
  for (const char* title : {"status", "steps", "unconverged", "iterations", "message"}) line.emplace_back(title);
  table.line(line);
  std::vector<double> values;
  for (long run = 0; run < results.runs(); ++run) {
    line = {fmt::format("{}", run)};
    results.values(run, values);
    for (const double value : values) line.push_back(cell(value));
    for (std::size_t m = 0; m < study.measures.size(); ++m)
      if (!study.measures[m].many()) line.push_back(cell(results.measured(run, static_cast<int>(m))));
    line.emplace_back(name(results.status(run)));
    line.push_back(fmt::format("{}", results.steps(run)));
    line.push_back(fmt::format("{}", results.unconverged(run)));
    line.push_back(fmt::format("{}", results.iterations(run)));
    const auto message = results.messages().find(run);
    line.push_back(message == results.messages().end() ? std::string() : cell(message->second));
    table.line(line);
  }
  table.close();
}

std::string series_file_name(const Study& study, int measure) {
  const std::string name = file_word(study.measures[measure].name);
  for (int m = 0; m < static_cast<int>(study.measures.size()); ++m)
    if (m != measure && study.measures[m].many() && file_word(study.measures[m].name) == name)
      return fmt::format("study.{}.{}.csv", name, measure);
  return fmt::format("study.{}.csv", name);
}

void write_series_csv(const StudyResults& results, int measure, const std::filesystem::path& file) {
  const Study& study = results.study();
  CsvFile table(file);
  std::vector<std::string> line{"run"};
  for (const StudyAxis& axis : study.plan.axes()) line.push_back(cell(axis.parameter));
  line.insert(line.end(), {"index", cell(study.measures[measure].name)});
  table.line(line);
  std::vector<double> values;
  for (long run = 0; run < results.runs(); ++run) {
    results.values(run, values);
    const std::vector<double>& series = results.series(run, measure);
    for (std::size_t k = 0; k < series.size(); ++k) {
      line = {fmt::format("{}", run)};
      for (const double value : values) line.push_back(cell(value));
      line.insert(line.end(), {fmt::format("{}", k), cell(series[k])});
      table.line(line);
    }
  }
  table.close();
}

}  // namespace tappet
