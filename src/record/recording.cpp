// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/recording.h"

#include <algorithm>

namespace tappet {

namespace {

constexpr size_t most_waiting = 4;
// Of a batch: enough to make handing it over cheap, little enough to stay in the cache of large models.
constexpr size_t most_steps = 256, most_numbers = 1 << 18;
constexpr std::chrono::milliseconds longest(200);  // that a step waits in a batch

using Clock = std::chrono::steady_clock;

}  // namespace

Recording::Recording(const System& system, std::vector<Recorder*> recorders, Where where)
    : recorders_(std::move(recorders)), sampler_(system) {
  const size_t numbers = static_cast<size_t>(system.q_size() + system.u_size() + 3 * system.rows()) + 1;
  batch_.steps.resize(std::clamp<size_t>(most_numbers / numbers, 1, most_steps));
  if (where == Where::beside && !recorders_.empty()) thread_ = std::thread([this] { work(); });
}

Recording::~Recording() { stop(); }

void Recording::record(const State& state, const StepReport& report, const Impulses& impulses) {
  if (!thread_.joinable()) return write(state, report, impulses);
  const auto now = Clock::now();
  if (batch_.used == 0) begun_ = now;
  Step& step = batch_.steps[batch_.used++];
  step.state = state, step.report = report, step.impulses = impulses;
  if (batch_.used == batch_.steps.size() || now - begun_ > longest) hand_over();
}

void Recording::event(const RecordedEvent& event) {
  if (thread_.joinable()) return batch_.events.push_back(event);
  for (Recorder* recorder : recorders_) recorder->event(event);
}

void Recording::close(const std::vector<ForceDerivative>& derivatives) {
  if (thread_.joinable()) hand_over();
  stop();
  if (failure_) std::rethrow_exception(failure_);
  for (Recorder* recorder : recorders_) {
    recorder->force_derivatives(derivatives);
    recorder->close();
  }
}

void Recording::write(const State& state, const StepReport& report, const Impulses& impulses) {
  const Sample& sample = sampler_.sample(state, report, impulses);
  for (Recorder* recorder : recorders_) recorder->record(sample);
}

void Recording::write(const Batch& batch) {
  for (size_t i = 0; i < batch.used; ++i) write(batch.steps[i].state, batch.steps[i].report, batch.steps[i].impulses);
  for (const RecordedEvent& event : batch.events)
    for (Recorder* recorder : recorders_) recorder->event(event);
}

void Recording::hand_over() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.size() < most_waiting || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  const size_t steps = batch_.steps.size();
  waiting_.push_back(std::move(batch_));
  batch_ = {};
  if (!spare_.empty()) {
    batch_ = std::move(spare_.back());
    spare_.pop_back();
    batch_.used = 0, batch_.events.clear();
  }
  batch_.steps.resize(steps);
  lock.unlock();
  changed_.notify_all();
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
    if (failure) {
      failure_ = failure;
      changed_.notify_all();
      return;
    }
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
