// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/study_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "study/page/study_page.h"

namespace fs = std::filesystem;

StudyProgress::StudyProgress(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO)) {}

std::function<void(long, long, long)> StudyProgress::listener() {
  if (!shown_) return {};
  return [this](long done, long all, long failed) { show(done, all, failed); };
}

void StudyProgress::clear() const {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void StudyProgress::show(long done, long all, long failed) {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (before_ < 0) before_ = done - 1;
  const double rate = static_cast<double>(done - before_) / std::max(seconds, 1e-3);
  std::string line = all > 0 ? fmt::format("{} of {} runs", done, all) : fmt::format("{} runs", done);
  if (failed > 0) line += fmt::format(", {} failed", failed);
  line += fmt::format(", {:.3g} runs/s", rate);
  if (all > done) line += fmt::format(", {:.3g} s left", static_cast<double>(all - done) / rate);
  fmt::print(stderr, "\r\033[K{}", line);
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw std::runtime_error(fmt::format("cannot write {}", file.string()));
}

void write_results(const tappet::StudyResults& results, const fs::path& folder) {
  const tappet::Study& study = results.study();
  write_study_csv(results, folder / "study.csv");
  for (std::size_t m = 0; m < study.measures.size(); ++m)
    if (study.measures[m].many())
      write_series_csv(results, static_cast<int>(m), folder / series_file_name(study, static_cast<int>(m)));
  write_study_hdf5(results, folder / "study.h5");
}

void write_page(const tappet::StudyResults& results, const nlohmann::ordered_json& found, const fs::path& folder,
                bool quiet) {
  try {
    const fs::path page = folder / "study.html";
    if (write_study_page(results, found, page)) {
      if (!quiet) fmt::print("page of the study: {}\n", page.string());
    } else {
      fs::remove(page);  // that of an earlier study
      if (!quiet) fmt::print("no page of the study: this program was built without Node\n");
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "warning: no page of the study: {}\n", error.what());
  }
}
