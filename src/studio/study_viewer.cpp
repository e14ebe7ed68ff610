// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/study_viewer.h"

#include <fmt/format.h>
#include <tappet/error.h>

#include <fstream>

#include "study/page/show_run.h"

namespace tappet::studio {

namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw std::runtime_error(fmt::format("{}: this file cannot be read", file.string()));
  return text;
}

// A text of a model is never part of a page as it is: it could be a script.
PageReply message(int status, const std::string& text) { return {text, "text/plain; charset=utf-8", status, true}; }

}  // namespace

StudyViewer::StudyViewer(std::filesystem::path folder, int port)
    : folder_(std::move(folder)), http_(port, [this](const PageRequest& request) { return answer(request); }) {
  if (!std::filesystem::exists(folder_ / "study.html"))
    throw UsageError(
        fmt::format("{}: no study.html there; expected a folder that `tappet study` wrote", folder_.string()));
}

void StudyViewer::stop() {
  replace_running(nullptr);
  http_.stop();
}

PageReply StudyViewer::answer(const PageRequest& request) {
  if (request.method != "GET") return message(405, "expected GET");
  if (request.path == "/") {
    // The page shows runs only if it knows that somebody carries them out.
    std::string page = text_of(folder_ / "study.html");
    const std::string head = "<head>";
    if (const size_t at = page.find(head); at != std::string::npos)
      page.insert(at + head.size(), "<meta name=\"tappet-runs\" content=\"run/\">");
    return {std::move(page)};
  }
  const std::string before = "/run/";
  if (!request.path.starts_with(before)) return message(404, "there is nothing here");
  return run(request.path.substr(before.size()));
}

// Ends the run that is being computed, and keeps the flag of the next one.
StudyViewer::Stop StudyViewer::replace_running(Stop next) {
  const std::lock_guard lock(changes_running_);
  if (running_) *running_ = true;
  return running_ = std::move(next);
}

PageReply StudyViewer::run(const std::string& number) try {
  if (number.empty() || number.size() > 17 || number.find_first_not_of("0123456789") != std::string::npos)
    return message(404, "expected the number of a run, from 0");
  const long run = std::stol(number);
  const Stop stop = replace_running(std::make_shared<std::atomic<bool>>(false));
  const std::lock_guard lock(computes_);
  if (!*stop) show_run(folder_, run, nullptr, stop.get());
  if (*stop) return message(409, "Another run was selected meanwhile.");
  PageReply page{text_of(shown_folder(folder_, run) / "report.html")};
  page.in_frames = true;
  return page;
} catch (const std::exception& error) {
  return message(422, error.what());
}

}  // namespace tappet::studio
