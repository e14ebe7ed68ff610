// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/recording.h"

#include <algorithm>
#include <system_error>

namespace tappet {

namespace {

// The limits of a batch. It has enough steps to make handing it over cheap, and few enough to stay in the cache. One
// step of a large model has more numbers than this limit. It is then a batch by itself, and the next step is not copied
// before this one is written.
constexpr size_t most_batches = 5, most_steps = 256, most_numbers = 1 << 18;
constexpr std::chrono::milliseconds longest(200);  // the longest time that a step waits in a batch

using Clock = std::chrono::steady_clock;

// Copies the first rows of `from`, as far as it has any.
void copy_rows(const Vec& from, int rows, Vec& to) {
  to.resize(std::min(rows, from.size()));
  std::copy_n(from.begin(), to.size(), to.begin());
}

SampleParts parts_for(const std::vector<Recorder*>& recorders) {
  SampleParts parts = SampleParts::none();
  for (const Recorder* recorder : recorders) parts |= recorder->needs();
  return parts;
}

}  // namespace

Recording::Recording(const System& system, std::vector<Recorder*> recorders, Where where)
    : recorders_(std::move(recorders)), named_rows_(system.named_rows()), sampler_(system, parts_for(recorders_)) {
  const size_t numbers = static_cast<size_t>(system.q_size() + system.u_size() + 3 * system.named_rows()) + 1;
  steps_ = std::clamp<size_t>(most_numbers / numbers, 1, most_steps);
  most_waiting_ = numbers > most_numbers ? 1 : most_batches;
  if (where == Where::beside && !recorders_.empty()) start_thread();
}

// If there is not enough memory for another thread, the run writes its results itself.
void Recording::start_thread() try {
  thread_ = std::thread([this] { work(); });
} catch (const std::system_error&) {
}

Recording::~Recording() { stop(); }

void Recording::record(const State& state, const StepReport& report, const Impulses& impulses, const FoundSample& found,
                       const ConstraintPositions* known) {
  if (!thread_.joinable()) return write(state, report, impulses, found, known);
  const auto now = Clock::now();
  if (batch_.used == 0) begun_ = now, wait_for_room();
  Step& step = batch_.steps[batch_.used++];
  step.state = state, step.report = report, step.found = found;
  copy_rows(impulses.P, named_rows_, step.impulses.P);
  copy_rows(impulses.lambda, named_rows_, step.impulses.lambda);
  copy_rows(impulses.Lambda, named_rows_, step.impulses.Lambda);
  if (batch_.used == steps_ || now - begun_ > longest) hand_over();
}

void Recording::event(const RecordedEvent& event) {
  if (thread_.joinable()) return batch_.events.push_back(event);
  for (Recorder* recorder : recorders_) recorder->event(event);
}

bool Recording::archive(Archive& a) {
  if (thread_.joinable() && !a.reads()) wait_until_written();
  bool all = true;
  for (Recorder* recorder : recorders_) all = recorder->archive(a) && all;
  return all;
}

// A recorder that fails does not keep the others from closing.
void Recording::close(const std::vector<ForceDerivative>& derivatives) {
  if (thread_.joinable() && !failed()) hand_over();
  stop();
  for (Recorder* recorder : recorders_) {
    try {
      recorder->force_derivatives(derivatives);
      recorder->close();
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
  }
  if (failure_) std::rethrow_exception(failure_);
}

bool Recording::failed() {
  const std::lock_guard lock(mutex_);
  return failure_ != nullptr;
}

void Recording::write(const State& state, const StepReport& report, const Impulses& impulses, const FoundSample& found,
                      const ConstraintPositions* known) {
  const Sample& sample = sampler_.sample(state, report, impulses, found, known);
  for (Recorder* recorder : recorders_) recorder->record(sample);
}

void Recording::write(const Batch& batch) {
  for (size_t i = 0; i < batch.used; ++i) {
    const Step& step = batch.steps[i];
    write(step.state, step.report, step.impulses, step.found);
  }
  for (const RecordedEvent& event : batch.events)
    for (Recorder* recorder : recorders_) recorder->event(event);
}

// Waits, before a batch is filled, until few enough other batches are handed over. The memory of a written batch is
// used again.
void Recording::wait_for_room() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return in_work_ < most_waiting_ || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  if (spare_.empty()) return batch_.steps.resize(steps_);
  batch_.steps = std::move(spare_.back().steps);
  spare_.pop_back();
}

void Recording::wait_until_written() {
  if (batch_.used > 0 || !batch_.events.empty()) hand_over();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return in_work_ == 0 || failure_; });
  if (failure_) std::rethrow_exception(failure_);
}

void Recording::hand_over() {
  {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    waiting_.push_back(std::move(batch_));
    ++in_work_;
  }
  changed_.notify_all();
  batch_ = {};
}

void Recording::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !waiting_.empty() || done_; });
    if (waiting_.empty()) return;
    Batch batch = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    changed_.notify_all();
    std::exception_ptr failure;
    try {
      write(batch);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    spare_.push_back(std::move(batch));
    --in_work_;
    changed_.notify_all();
    if (!failure) continue;
    failure_ = failure;
    return;
  }
}

void Recording::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

}  // namespace tappet
