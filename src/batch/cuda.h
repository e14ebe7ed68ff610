// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "batch/device/settings.h"

namespace tappet {

// The parts of CUDA that a batch needs, opened while the program runs: Tappet is built without CUDA, and runs without
// it. Every function throws a UsageError if the machine lacks something, and a std::runtime_error if CUDA reports an
// error.

// A library that is opened while the program runs.
class OpenedLibrary {
 public:
  // The first of these names that can be opened. `missing` is the message if there is none.
  OpenedLibrary(const std::vector<std::string>& names, const std::string& missing);
  ~OpenedLibrary();
  OpenedLibrary(const OpenedLibrary&) = delete;
  OpenedLibrary& operator=(const OpenedLibrary&) = delete;
  template <class Function>
  Function find(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;
  void* library_ = nullptr;
};

// The compiler that is a library.
class Nvrtc {
 public:
  Nvrtc();
  std::string version() const;
  std::string compile(const std::string& code, const std::string& architecture) const;  // such as "sm_90"

 private:
  OpenedLibrary library_;
};

struct CudaKernel {
  int device = 0;
  void *context = nullptr, *module = nullptr, *function = nullptr;
  int registers = 0, local_bytes = 0;
};

// A kernel that is running.
struct CudaJob {
  CudaKernel* kernel = nullptr;
  unsigned long long values = 0, out = 0;  // on the device
  long count = 0;
  int outputs = 0;
  std::chrono::steady_clock::time_point started;
  double seconds = 0;  // of the kernel, when it is finished
};

class CudaDriver {
 public:
  CudaDriver();
  int devices() const { return devices_; }
  std::string name(int device) const;
  std::string version() const;                 // of CUDA that the driver has
  std::string architecture(int device) const;  // such as "sm_90"
  int multiprocessors(int device) const;
  std::size_t free_memory(const CudaKernel& kernel) const;  // of its device, in bytes

  CudaKernel load(int device, const std::string& binary) const;
  void unload(CudaKernel& kernel) const;
  CudaJob start(CudaKernel& kernel, const BatchSettings& settings, const std::vector<double>& values, int outputs,
                long count) const;
  std::vector<double> finish(CudaJob& job) const;

 private:
  void check(int status, const std::string& what) const;

  OpenedLibrary library_;
  int devices_ = 0;
};

}  // namespace tappet
