// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// bench_tappet [Google Benchmark's options]     times bench_tappet --count [part of a name]         runs each entry a
// fixed number of times for callgrind, which only
//                                               counts within counted() and writes its counts after end_of_entry();
//                                               the name and the number of times go to standard output
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>

#include "entries.h"

namespace tappet::bench {

[[gnu::noinline]] void counted(const std::function<void()>& once) { once(); }
[[gnu::noinline]] void end_of_entry() { asm volatile(""); }

void count(const Entries& entries, const char* part) {
  for (const Entry& entry : entries) {
    if (entry.name.find(part) == std::string::npos) continue;
    const auto once = entry.prepare();
    for (int k = 0; k < entry.repeats; ++k) counted(once);
    end_of_entry();
    std::printf("%s %d\n", entry.name.c_str(), entry.repeats);
  }
}

}  // namespace tappet::bench

int main(int argc, char** argv) {
  tappet::bench::Entries entries;
  tappet::bench::add_steps(entries);
  tappet::bench::add_derivatives(entries);
  tappet::bench::add_solvers(entries);
  tappet::bench::add_collisions(entries);
  if (argc > 1 && std::strcmp(argv[1], "--count") == 0) {
    tappet::bench::count(entries, argc > 2 ? argv[2] : "");
    return 0;
  }
  for (const auto& entry : entries)
    benchmark::RegisterBenchmark(entry.name.c_str(), [&entry](benchmark::State& bench) {
      const auto once = entry.prepare();
      for (auto _ : bench) once();
    })->MinTime(0.05);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
