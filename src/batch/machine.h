// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "batch/device/settings.h"
#include "batch/generate.h"

namespace tappet {

// The numbers that come back for each instance.
inline long numbers_of(const BatchCode& code, const BatchSettings& settings) {
  return code.outputs + code.series * static_cast<long>(settings.series);
}

// Carries out generated code: this processor or a GPU.
class BatchMachine {
 public:
  virtual ~BatchMachine() = default;
  virtual std::string name() const = 0;
  virtual long instances_at_a_time(const BatchSettings& settings) const = 0;  // so many are worth a call
  // `values` holds the numbers of all instances, first the first number of each of them, and `out` their results in the
  // same way. Returns early if `stop` becomes true; the results are then incomplete.
  // Returns the seconds of the computation, without those in which numbers are copied to the machine and back.
  virtual double run(const BatchSettings& settings, const double* values, double* out, long count,
                     const std::atomic<bool>* stop) = 0;
};

// Compiles the code with the C++ compiler of this machine. Compiled code is kept in a folder of the user and is used
// again for the same code. Throws a UsageError if there is no compiler.
std::unique_ptr<BatchMachine> processor(const BatchCode& code, int threads);

// Compiles the code with NVRTC for the GPUs of this machine. Throws a UsageError that says what is missing.
std::unique_ptr<BatchMachine> graphics_processor(const BatchCode& code);
// Only compiles it, for an architecture such as "sm_90". No GPU is needed for that.
std::string compile_for_gpu(const BatchCode& code, const std::string& architecture);

}  // namespace tappet
