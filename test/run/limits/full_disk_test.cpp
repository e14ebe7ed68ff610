// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>

#include "run/scratch.h"
#include "run/simulate.h"
#include "support/paths.h"

namespace tappet {
namespace {

// A program of its own that uses the library. The limit of the size of a file stands for the size of the disk.
[[noreturn]] void run_out_of_disk(const std::filesystem::path& folder, rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
  RunOptions options;
  options.out = folder, options.end = 0.05, options.keep = false;
  bool said = false;
  try {
    const Result result = simulate(load(test::shipped_models() + "/schindler2014/slider_crank.yaml"), options);
    said = result.summary.message.find("cannot write") != std::string::npos;
  } catch (const std::runtime_error& error) {
    said = true;
  }
  std::exit(said ? 0 : 1);
}

// HDF5 closes its files when a program ends, and crashes if one of them could not be written.
TEST(FullDisk, is_said_by_a_program_with_the_library_which_ends_as_it_wants) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Scratch scratch;
  for (const rlim_t bytes : {3000, 50000, 200000})
    EXPECT_EXIT(run_out_of_disk(scratch.path() / "out", bytes), testing::ExitedWithCode(0), "") << bytes;
}

}  // namespace
}  // namespace tappet
