// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "batch/cache.h"
#include "batch/cuda.h"
#include "batch/machine.h"
#include "files/fingerprint.h"
#include "run/jobs.h"

namespace tappet {

namespace {

namespace fs = std::filesystem;

// A GPU multiprocessor has 64 Ki registers. With more blocks on it at the same time, each thread has fewer of them, but
// more threads hide what others wait for. Which is faster depends on the model, so both are tried.
constexpr int blocks_to_try[] = {2, 3};  // 255 and 168 registers for each thread
constexpr long block_size = 128;         // threads
constexpr double longest_part = 1.0;     // s, of one call of a kernel, which cannot be interrupted

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// Writes a file that another program may write at the same time.
void write_at_once(const fs::path& file, const std::string& text) {
  const fs::path own = file.string() + fmt::format(".{}", ::getpid());
  write_file(own, text);
  fs::rename(own, file);
}

// The kernels of one number of blocks, one for each device.
struct Kernels {
  int blocks;
  std::vector<CudaKernel> on;
  double rate = 0.0;  // measured, instances per second
};

// All GPUs of this machine. Each of them takes a part of the instances.
class GraphicsProcessor final : public BatchMachine {
 public:
  explicit GraphicsProcessor(const BatchCode& code) : code_(code) {
    const std::string version = nvrtc_.version();
    for (int i = 0; i < driver_.devices(); ++i) architectures_.push_back(driver_.architecture(i));
    key_ = fingerprint(code.text + architectures_[0] + version);
    std::vector<int> candidates;
    const std::string known = read(chosen_file());
    for (int blocks : blocks_to_try)
      if (known.empty() || known == std::to_string(blocks)) candidates.push_back(blocks);
    std::vector<std::string> binaries(candidates.size() * architectures_.size());
    run_jobs(static_cast<int>(binaries.size()), static_cast<int>(binaries.size()), [&](int i) {
      binaries[i] = binary(candidates[i / architectures_.size()], architectures_[i % architectures_.size()]);
    });
    for (size_t c = 0; c < candidates.size(); ++c) {
      kernels_.push_back({candidates[c], {}});
      for (int i = 0; i < driver_.devices(); ++i)
        kernels_.back().on.push_back(driver_.load(i, binaries[c * architectures_.size() + i]));
    }
  }
  ~GraphicsProcessor() override {
    for (Kernels& kernels : kernels_)
      for (CudaKernel& kernel : kernels.on) driver_.unload(kernel);
  }

  std::string name() const override {
    std::string text = driver_.name(0);
    if (driver_.devices() > 1) text = fmt::format("{} × {}", driver_.devices(), text);
    return fmt::format("{}, driver {}, NVRTC {}, {} registers, {} bytes of local memory", text, driver_.version(),
                       nvrtc_.version(), best().on[0].registers, best().on[0].local_bytes);
  }
  // As many as the device with the least free memory takes, but no more than are worth a call.
  long instances_at_a_time(const BatchSettings& settings) const override {
    const std::size_t each = sizeof(double) * (code_.inputs + static_cast<std::size_t>(numbers_of(code_, settings)));
    long most = 1L << 20;
    for (const CudaKernel& kernel : kernels_[0].on)
      most = std::min(most, static_cast<long>(driver_.free_memory(kernel) / 2 / each));
    return std::max(1L, most) * driver_.devices();
  }

  // In parts, so that a call does not take long. The first parts show which kernels are faster.
  double run(const BatchSettings& settings, const double* values, double* out, long count,
             const std::atomic<bool>* stop) override {
    const long full = 6L * driver_.multiprocessors(0) * block_size * driver_.devices();  // a multiple for both numbers
    double seconds = 0.0;
    for (long first = 0; first < count && !(stop && stop->load(std::memory_order_relaxed));) {
      const auto untried =
          std::find_if(kernels_.begin(), kernels_.end(), [](const Kernels& k) { return k.rate == 0.0; });
      const bool trial = untried != kernels_.end() && count - first >= full;
      Kernels& kernels = trial ? *untried : best();
      const long parts =
          kernels.rate > 0.0 ? static_cast<long>(longest_part * kernels.rate / static_cast<double>(full)) : 1;
      const long part = std::min(count - first, full * std::clamp(parts, 1L, 1000L));
      const double own = run_part(kernels, settings, values, out, count, first, part);
      if (part >= full) kernels.rate = static_cast<double>(part) / std::max(own, 1e-9);
      if (trial && untried + 1 == kernels_.end() && kernels_.size() > 1)
        write_at_once(chosen_file(), std::to_string(best().blocks));
      seconds += own, first += part;
    }
    return seconds;
  }

 private:
  fs::path chosen_file() const { return cache_folder() / (key_ + ".blocks"); }

  // The code for a GPU of this architecture, from the cache or compiled now.
  std::string binary(int blocks, const std::string& architecture) const {
    const std::string text = fmt::format("#define TAPPET_BLOCKS {}\n{}", blocks, code_.text);
    const fs::path file = cache_folder() / (fingerprint(text + architecture + nvrtc_.version()) + ".cubin");
    if (std::string known = read(file); !known.empty()) return known;
    const std::string binary = nvrtc_.compile(text, architecture);
    write_at_once(file, binary);
    return binary;
  }

  Kernels& best() {
    return *std::max_element(kernels_.begin(), kernels_.end(),
                             [](const Kernels& a, const Kernels& b) { return a.rate < b.rate; });
  }
  const Kernels& best() const { return const_cast<GraphicsProcessor*>(this)->best(); }

  // The instances from `first` on, on all devices together. Returns the seconds of the slowest.
  double run_part(Kernels& kernels, const BatchSettings& settings, const double* values, double* out, long count,
                  long first, long many) {
    const long devices = driver_.devices(), each = (many + devices - 1) / devices;
    const long numbers = numbers_of(code_, settings);
    std::vector<CudaJob> jobs;
    for (long i = 0; i < devices && i * each < many; ++i) {
      const long own = std::min(each, many - i * each);
      jobs.push_back(driver_.start(kernels.on[i], settings,
                                   gathered(values, code_.inputs, count, first + i * each, own),
                                   static_cast<int>(numbers), own));
    }
    double seconds = 0.0;
    for (CudaJob& job : jobs) {
      const std::vector<double> found = driver_.finish(job);
      for (long k = 0; k < numbers; ++k) std::copy_n(found.data() + k * job.count, job.count, out + k * count + first);
      first += job.count;
      seconds = std::max(seconds, job.seconds);
    }
    return seconds;
  }

  static std::vector<double> gathered(const double* values, int inputs, long count, long first, long own) {
    std::vector<double> list;
    for (int i = 0; i < inputs; ++i)
      list.insert(list.end(), values + i * count + first, values + i * count + first + own);
    return list;
  }

  const BatchCode code_;
  const Nvrtc nvrtc_;
  CudaDriver driver_;
  std::vector<std::string> architectures_;  // by device
  std::string key_;
  std::vector<Kernels> kernels_;
};

}  // namespace

std::unique_ptr<BatchMachine> graphics_processor(const BatchCode& code) {
  return std::make_unique<GraphicsProcessor>(code);
}

std::string compile_for_gpu(const BatchCode& code, const std::string& architecture) {
  return Nvrtc().compile(code.text, architecture);
}

}  // namespace tappet
