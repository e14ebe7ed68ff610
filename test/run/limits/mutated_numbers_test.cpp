// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "run/simulate.h"
#include "support/draw.h"
#include "support/paths.h"

// Shipped models in which one number is another one. TAPPET_MUTATIONS=1000 tries that many.
namespace tappet::test {
namespace {

std::vector<std::filesystem::path> models() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shipped_models()))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// One number of the text, which is not part of a name, becomes one of these.
std::string mutate(const std::string& text, Draw& draw) {
  static const char* const values[] = {"0",     "-1",     "1e160", "-1e160", "1e200", "1e308",
                                       "1e999", "1e-300", ".nan",  ".inf",   "1e16",  "-0.001"};
  std::vector<std::pair<size_t, size_t>> numbers;  // where they begin and end
  const auto is_part = [&](size_t i) { return std::isalnum(text[i]) || text[i] == '_' || text[i] == '.'; };
  for (size_t i = 1; i < text.size(); ++i) {
    if (!std::isdigit(text[i]) || is_part(i - 1)) continue;
    size_t end = i;
    while (end < text.size() && (is_part(end) || (text[end - 1] == 'e' && (text[end] == '-' || text[end] == '+'))))
      ++end;
    numbers.emplace_back(i, end);
    i = end;
  }
  if (numbers.empty()) return text;
  const auto [begin, end] = numbers[draw.whole(0, static_cast<int>(numbers.size()) - 1)];
  return text.substr(0, begin) + values[draw.whole(0, std::size(values) - 1)] + text.substr(end);
}

// Ends a run after some steps or some time.
struct Patience final : RunListener {
  std::clock_t begun = std::clock();  // of the processor: other programs may run beside
  bool goes_on() override { return std::clock() - begun < CLOCKS_PER_SEC; }
};

TEST(MutatedNumbers, end_in_finite_numbers_or_in_a_message) {
  const char* asked = std::getenv("TAPPET_MUTATIONS");
  const int count = asked ? std::atoi(asked) : 40;
  const auto files = models();
  int refused = 0, failed = 0, finished = 0, stopped = 0;
  for (int seed = 0; seed < count; ++seed) {
    Draw draw(0xbad + 7919 * seed);
    const std::filesystem::path& file = files[draw.whole(0, static_cast<int>(files.size()) - 1)];
    const std::string text = mutate(text_of(file), draw);
    const std::string label = fmt::format("seed {}, {}", seed, file.filename().string());
    if (asked) fmt::print("{}\n", label), std::fflush(stdout);
    const std::clock_t begun = std::clock();
    try {
      Patience patience;
      RunOptions options;
      options.keep = false, options.record_every = -1, options.listener = &patience;
      const Summary summary = simulate(parse_model(text, file.string()), options).summary;
      failed += summary.status == RunStatus::failed, stopped += summary.status == RunStatus::interrupted;
      if (summary.status == RunStatus::failed) EXPECT_FALSE(summary.message.empty()) << label;
      if (summary.status == RunStatus::done) {
        ++finished;
        bool finite = std::isfinite(summary.energy.total());
        for (const Vec* x : {&summary.q, &summary.u})
          for (const double value : *x) finite &= std::isfinite(value);
        EXPECT_TRUE(finite) << label << "\n" << text;
      }
    } catch (const ModelError& error) {
      ++refused;
    } catch (const UsageError& error) {
      ++refused;
    } catch (const std::exception& error) {
      ADD_FAILURE() << label << ": " << error.what() << "\n" << text;
    }
    EXPECT_LT(std::clock() - begun, 60 * CLOCKS_PER_SEC) << label;
  }
  fmt::print("{} refused, {} failed with a message, {} finished, {} stopped after a second\n", refused, failed,
             finished, stopped);
  EXPECT_GT(refused + failed, count / 10);
}

}  // namespace
}  // namespace tappet::test
