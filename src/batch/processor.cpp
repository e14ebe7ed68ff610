// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <fmt/format.h>
#include <tappet/error.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "batch/cache.h"
#include "batch/machine.h"
#include "files/fingerprint.h"
#include "files/shell_word.h"
#include "run/jobs.h"

namespace tappet {

namespace {

namespace fs = std::filesystem;

// The number of doubles in the widest vector that the processor computes with. The compiler takes wider vectors apart,
// which costs more than ten times the time of compiling and gains nothing.
int vector_lanes() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") ? 8 : __builtin_cpu_supports("avx") ? 4 : 2;
#else
  return 2;
#endif
}

// Products and sums are rounded one after the other, as everywhere in Tappet.
constexpr const char* flags =
    "-std=c++20 -O1 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -fPIC -shared -w";

bool in_path(const std::string& program) {
  return std::system(fmt::format("command -v {} > /dev/null 2>&1", shell_word(program)).c_str()) == 0;
}

// CXX, or the first of the usual names.
std::string find_compiler() {
  if (const char* own = std::getenv("CXX"); own && *own && in_path(own)) return own;
  for (const char* name : {"c++", "g++", "clang++"})
    if (in_path(name)) return name;
  throw UsageError(
      "--on cpu: there is no C++ compiler (c++, g++ or clang++) in PATH; expected one, because a batch compiles code "
      "that "
      "is written for the model. `tappet study` needs none");
}

// The machine is part of the key, because the code is compiled for its instructions.
std::string machine_text() {
  std::string text;
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line) && !line.starts_with("flags");)
    if (line.starts_with("model name")) text += line;
  return text;
}

fs::path compiled(const BatchCode& code) {
  const std::string compiler = find_compiler();
  const std::string text = fmt::format("#define TAPPET_LANES {}\n{}", vector_lanes(), code.text);
  const fs::path folder = cache_folder();
  const std::string key = fingerprint(text + flags + compiler + machine_text());
  const fs::path library = folder / (key + ".so"), source = folder / (key + ".cpp");
  if (fs::exists(library)) return library;
  const std::string own = fmt::format(".{}", ::getpid());  // another program may compile the same code
  write_file(source.string() + own + ".cpp", text);
  const fs::path log = source.string() + own + ".log";
  const std::string command =
      fmt::format("{} {} -o {} {} > {} 2>&1", compiler, flags, shell_word(library.string() + own),
                  shell_word(source.string() + own + ".cpp"), shell_word(log.string()));
  if (std::system(command.c_str()) != 0)
    throw std::runtime_error(
        fmt::format("the generated code cannot be compiled; {} has the messages of {}", log.string(), compiler));
  fs::rename(library.string() + own, library);
  fs::rename(source.string() + own + ".cpp", source);
  fs::remove(log);
  return library;
}

class Processor final : public BatchMachine {
 public:
  Processor(const BatchCode& code, int threads) : threads_(threads > 0 ? threads : default_threads()) {
    const fs::path library = compiled(code);
    library_ = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw std::runtime_error(fmt::format("{} cannot be loaded: {}", library.string(), ::dlerror()));
    function_ = reinterpret_cast<Function>(::dlsym(library_, "tappet_batch"));
    if (!function_) throw std::runtime_error(fmt::format("{} has no function tappet_batch", library.string()));
  }
  ~Processor() override {
    if (library_) ::dlclose(library_);
  }
  Processor(const Processor&) = delete;
  Processor& operator=(const Processor&) = delete;

  std::string name() const override { return fmt::format("cpu, {} threads, {} lanes", threads_, lanes_); }
  long instances_at_a_time(const BatchSettings&) const override { return 16384; }
  double run(const BatchSettings& settings, const double* values, double* out, long count,
             const std::atomic<bool>* stop) override {
    const auto start = std::chrono::steady_clock::now();
    const long piece = std::max<long>(lanes_, (count / (8L * threads_) + lanes_ - 1) / lanes_ * lanes_);
    const int pieces = static_cast<int>((count + piece - 1) / piece);
    run_jobs(pieces, threads_, [&](int i) {
      for (long first = i * piece, end = std::min(count, first + piece); first < end; first += lanes_)
        if (!stop || !stop->load(std::memory_order_relaxed))
          function_(&settings, values, out, count, first, std::min(end, first + lanes_));
    });
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  using Function = void (*)(const BatchSettings*, const double*, double*, long long, long long, long long);
  const int threads_, lanes_ = vector_lanes();
  void* library_ = nullptr;
  Function function_ = nullptr;
};

}  // namespace

std::unique_ptr<BatchMachine> processor(const BatchCode& code, int threads) {
  return std::make_unique<Processor>(code, threads);
}

}  // namespace tappet
