// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/resume/checkpoint.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>

#include "files/durable_file.h"

namespace tappet {

namespace {

using Clock = std::chrono::steady_clock;
constexpr const char* file_name = "checkpoint";

}  // namespace

Checkpoints::Checkpoints(std::filesystem::path folder, const CheckpointRule& rule)
    : folder_(std::move(folder)), rule_(rule) {}

bool Checkpoints::is_due(long step) {
  if (folder_.empty()) return false;
  if (rule_.steps > 0) return step - last_step_ >= rule_.steps;
  return std::chrono::duration<double>(Clock::now() - last_).count() >= rule_.seconds;
}

void Checkpoints::write(long step, const std::string& bytes) {
  wait_for_disk(folder_ / description);
  write_durably(folder_ / file_name, bytes);
  last_step_ = step, last_ = Clock::now();
}

std::optional<std::string> Checkpoints::read() const {
  std::ifstream file(folder_ / file_name, std::ios::binary);
  if (!file) return {};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The description comes last. A folder without it counts as complete, so nothing may be left beside it then, even if
// the program is killed here.
void Checkpoints::remove(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const char* file : {"checkpoint", "checkpoint.new", "result.h5.part", "result.h5.found.part", "result.h5.new",
                           "summary.json.new", "run.json.new", "run.json"})
    std::filesystem::remove(folder / file, ignored);
}

CheckpointRule checkpoint_rule(const std::string& text) {
  double number = 0.0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(rest, text.data() + text.size());
  const bool is_number = error == std::errc() && std::isfinite(number) && number > 0.0;
  if (is_number && (unit == "s" || unit == "min"))
    return {.seconds = unit == "min" ? 60.0 * number : number, .required = true};
  if (is_number && unit.empty() && number == std::floor(number) && number < 1e15)
    return {.steps = static_cast<long>(number), .required = true};
  throw UsageError(fmt::format("--checkpoint {}: expected a time such as 60s or 5min, or a number of steps", text));
}

}  // namespace tappet
