// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tappet/error.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "batch/cache.h"
#include "batch/cuda.h"
#include "batch/machine.h"
#include "files/fingerprint.h"

namespace tappet {

namespace {

// The code for a GPU of this architecture, from the cache or compiled now.
std::string binary_for(const Nvrtc& nvrtc, const BatchCode& code, const std::string& architecture) {
  const std::filesystem::path file =
      cache_folder() / (fingerprint(code.text + architecture + nvrtc.version()) + ".cubin");
  if (std::ifstream known(file, std::ios::binary); known)
    return {std::istreambuf_iterator<char>(known), std::istreambuf_iterator<char>()};
  const std::string binary = nvrtc.compile(code.text, architecture);
  const std::filesystem::path own = file.string() + fmt::format(".{}", reinterpret_cast<std::uintptr_t>(&code));
  write_file(own, binary);
  std::filesystem::rename(own, file);
  return binary;
}

// All GPUs of this machine. Each of them takes a part of the instances.
class GraphicsProcessor final : public BatchMachine {
 public:
  explicit GraphicsProcessor(const BatchCode& code) : code_(code) {
    const Nvrtc nvrtc;
    for (int i = 0; i < driver_.devices(); ++i) {
      const std::string architecture = driver_.architecture(i);
      kernels_.push_back(driver_.load(i, binary_for(nvrtc, code, architecture)));
    }
  }
  ~GraphicsProcessor() override {
    for (CudaKernel& kernel : kernels_) driver_.unload(kernel);
  }

  std::string name() const override {
    std::string text = driver_.name(0);
    if (driver_.devices() > 1) text = fmt::format("{} × {}", driver_.devices(), text);
    return fmt::format("{}, driver {}, {} registers, {} bytes of local memory", text, driver_.version(),
                       kernels_[0].registers, kernels_[0].local_bytes);
  }
  // As many as the device with the least free memory takes, but no more than are worth a call.
  long instances_at_a_time(const BatchSettings& settings) const override {
    const std::size_t each = sizeof(double) * (code_.inputs + static_cast<std::size_t>(numbers_of(code_, settings)));
    long most = 1L << 20;
    for (const CudaKernel& kernel : kernels_)
      most = std::min(most, static_cast<long>(driver_.free_memory(kernel) / 2 / each));
    return std::max(1L, most) * driver_.devices();
  }

  double run(const BatchSettings& settings, const double* values, double* out, long count,
             const std::atomic<bool>* stop) override {
    const long devices = driver_.devices(), part = (count + devices - 1) / devices;
    std::vector<CudaJob> jobs;
    for (long i = 0; i < devices && i * part < count; ++i)
      jobs.push_back(driver_.start(kernels_[i], settings, gathered(values, code_.inputs, count, i * part, part),
                                   static_cast<int>(numbers_of(code_, settings)), std::min(part, count - i * part)));
    long first = 0;
    double seconds = 0.0;
    for (CudaJob& job : jobs) {
      const std::vector<double> found = driver_.finish(job, stop);
      for (long k = 0; k < numbers_of(code_, settings); ++k)
        std::copy_n(found.data() + k * job.count, job.count, out + k * count + first);
      first += job.count;
      seconds = std::max(seconds, job.seconds);
    }
    return seconds;
  }

 private:
  static std::vector<double> gathered(const double* values, int inputs, long count, long first, long part) {
    const long own = std::min(part, count - first);
    std::vector<double> list;
    for (int i = 0; i < inputs; ++i)
      list.insert(list.end(), values + i * count + first, values + i * count + first + own);
    return list;
  }

  const BatchCode code_;
  CudaDriver driver_;
  std::vector<CudaKernel> kernels_;  // one per device
};

}  // namespace

std::unique_ptr<BatchMachine> graphics_processor(const BatchCode& code) {
  return std::make_unique<GraphicsProcessor>(code);
}

std::string compile_for_gpu(const BatchCode& code, const std::string& architecture) {
  return Nvrtc().compile(code.text, architecture);
}

}  // namespace tappet
