// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "record/recorder.h"
#include "record/sampler.h"

namespace tappet {

// Samples and writes the results of a run while the run continues. Steps are handed over in batches to a second thread,
// which evaluates energies, gaps and velocities of contacts and writes them. The number of waiting batches is bounded
// (one step for a large model), so if the disk is slower than the run, the run waits for it. An error in the second
// thread is thrown by the next call here.
class Recording {
 public:
  enum class Where { beside, within };  // on a separate thread, or on the caller's
  Recording(const System& system, std::vector<Recorder*> recorders, Where where);
  ~Recording();

  // `known` belongs to this state; it is not evaluated again on the thread of the caller.
  void record(const State& state, const StepReport& report, const Impulses& impulses, const FoundSample& found = {},
              const ConstraintPositions* known = nullptr);
  void event(const RecordedEvent& event);
  // Recorder::archive of all recorders, after everything so far has been written.
  bool archive(Archive& a);
  void close(const std::vector<ForceDerivative>& derivatives = {});  // the derivatives of the whole run

 private:
  struct Step {
    State state;
    StepReport report;
    Impulses impulses;  // of joints and the contacts of the file
    FoundSample found;
  };
  struct Batch {
    std::vector<Step> steps;  // only the first `used` of them count; the memory is used again
    size_t used = 0;
    std::vector<RecordedEvent> events;
  };

  void write(const State& state, const StepReport& report, const Impulses& impulses, const FoundSample& found,
             const ConstraintPositions* known = nullptr);
  void write(const Batch& batch);
  void wait_for_room();
  void hand_over();
  void wait_until_written();
  bool failed();
  void start_thread();
  void work();
  void stop();

  std::vector<Recorder*> recorders_;
  const int named_rows_;
  Sampler sampler_;
  size_t most_waiting_;                          // the number of batches that may be handed over and not yet be written
  size_t in_work_ = 0;                           // the number of batches that wait or are being written
  size_t steps_;                                 // the number of steps in a batch
  Batch batch_;                                  // the batch that is being filled
  std::chrono::steady_clock::time_point begun_;  // when filling it began
  std::deque<Batch> waiting_;
  std::vector<Batch> spare_;
  bool done_ = false;
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

}  // namespace tappet
