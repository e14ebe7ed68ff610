// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/worker.h"

#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "model/reading/file_beside.h"
#include "studio/jobs.h"

namespace tappet::studio {

namespace {

void obey(const Limits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // no worker outlives the server
  signal(SIGINT, SIG_IGN);           // Ctrl-C in the terminal is for the server
  signal(SIGXFSZ, SIG_IGN);          // a result that is too long is an error, not a crash
  const rlimit memory{limits.megabytes << 20, limits.megabytes << 20}, no_core{0, 0};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_FSIZE, &memory);
  setrlimit(RLIMIT_CORE, &no_core);
  // The next run needs the memory of the last one again. Its pages are given back only if they are many.
  mallopt(M_MMAP_THRESHOLD, 16 << 20);
  mallopt(M_TRIM_THRESHOLD, 32 << 20);
  keep_files_beside_models();
}

// The request that waits or is being answered. There is never more than one, because the server waits for the answer.
class Inbox {
 public:
  void receive() {
    while (auto frame = read_frame(STDIN_FILENO)) {
      const std::lock_guard lock(mutex_);
      Json json = json_of(*frame);
      if (const auto stopped = json.find("stop"); stopped != json.end()) {
        if (*stopped == id_) stop = true;
        continue;
      }
      id_ = json.value("id", Json());
      stop = false;
      waiting_ = std::move(json);
      changed_.notify_one();
    }
    _exit(0);
  }
  Json next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.has_value(); });
    Json request = std::move(*waiting_);
    waiting_.reset();
    return request;
  }
  std::atomic<bool> stop = false;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Json> waiting_;
  Json id_;
};

}  // namespace

int work(const std::filesystem::path& folder, const Limits& limits) {
  obey(limits);
  Inbox inbox;
  std::thread([&inbox] { inbox.receive(); }).detach();
  Jobs jobs(folder, limits, inbox.stop, [](Frame frame) {
    frame.interim = true;
    write_frame(STDOUT_FILENO, frame);
  });
  for (;;)
    if (!write_frame(STDOUT_FILENO, jobs.answer(inbox.next()))) return 0;
}

}  // namespace tappet::studio
