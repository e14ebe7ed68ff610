// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace {

std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600)
    return fmt::format("{:.0f} min {:02.0f} s", seconds / 60 - 0.5,
                       static_cast<double>(static_cast<long>(seconds) % 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

std::string progress_line(double fraction, double steps_per_second, double seconds_left) {
  constexpr int width = 30;
  const int filled = static_cast<int>(fraction * width);
  return fmt::format("[{}{}] {:3.0f} %  {:.3g} steps/s, {} left", std::string(filled, '#'),
                     std::string(width - filled, '.'), 100 * fraction, steps_per_second, duration(seconds_left));
}

Terminal::Terminal(bool quiet) : bar_(!quiet && isatty(STDERR_FILENO)) {}

void Terminal::progress(long step, long steps, double) {
  if (!bar_) return;
  const auto now = Clock::now();
  if (std::chrono::duration<double>(now - last_).count() < 0.1) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count(),
               rate = static_cast<double>(step) / elapsed;
  const double fraction = std::min(1.0, static_cast<double>(step) / static_cast<double>(steps));
  fmt::print(stderr, "\r\033[K{}",
             progress_line(fraction, rate, static_cast<double>(std::max(steps - step, 0L)) / rate));
  std::fflush(stderr);
  shown_ = true;
}

void Terminal::warning(const std::string& message) {
  clear();
  fmt::print(stderr, "warning: {}\n", message);
}

void Terminal::clear() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  shown_ = false;
}
