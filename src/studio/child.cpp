// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <vector>

extern char** environ;

namespace tappet::studio {

namespace fs = std::filesystem;

namespace {

fs::path new_folder() {
  for (const fs::path& parent : {fs::path("/dev/shm"), fs::temp_directory_path()}) {
    std::string name = (parent / "tappet-studio-XXXXXX").string();
    if (mkdtemp(name.data())) return name;
  }
  throw std::runtime_error(
      "no folder for the results of the studio: neither /dev/shm nor the folder for temporary "
      "files can be written");
}

Json failure(const std::string& message) {
  return {{"errors", {{{"line", 0}, {"column", 0}, {"key", ""}, {"message", message}}}}};
}

const Frame cancelled = frame_of({{"cancelled", true}});

}  // namespace

Child::Child(const Limits& limits) : limits_(limits), folder_(new_folder()) {}

Child::~Child() {
  std::unique_lock lock(mutex_);
  if (process_ > 0) kill(process_, SIGKILL);
  free_.wait(lock, [&] { return !busy_; });
  end();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Child::start() {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0) throw std::runtime_error("no pipe for a worker of the studio");
  if (pipe2(from, O_CLOEXEC) != 0) {
    close(to[0]), close(to[1]);
    throw std::runtime_error("no pipe for a worker of the studio");
  }
  std::vector<std::string> words = {"tappet",         "studio",
                                    "--worker",       folder_.string(),
                                    "--most-steps",   std::to_string(limits_.steps),
                                    "--most-seconds", fmt::format("{:.17g}", limits_.seconds),
                                    "--most-memory",  std::to_string(limits_.megabytes)};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  const int failed = posix_spawn(&process_, "/proc/self/exe", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(to[0]), close(from[1]);
  to_ = to[1], from_ = from[0];
  fcntl(from_, F_SETPIPE_SZ, 1 << 20);  // a whole answer, so that neither side waits for the other
  if (failed == 0) return;
  process_ = -1;
  end();
  throw std::runtime_error("a worker of the studio cannot be started");
}

// Closes the pipes, at which the worker ends if it still runs.
void Child::end() {
  if (to_ >= 0) close(to_), close(from_);
  to_ = from_ = -1;
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  process_ = -1;
}

bool Child::busy() const {
  const std::lock_guard lock(mutex_);
  return busy_;
}
pid_t Child::process() const {
  const std::lock_guard lock(mutex_);
  return process_;
}

Frame Child::progress(long seen) const {
  const std::lock_guard lock(mutex_);
  if (so_far_.text.empty() || told_ <= seen) return frame_of({{"progress", progress_}});
  const Json mine = {{"progress", progress_}, {"seen", told_}};
  std::string text = mine.dump();
  text.back() = ',';  // the members of both objects in one
  return {text + so_far_.text.substr(1), so_far_.bytes};
}

Frame Child::ask(Json request, Turn turn) {
  std::unique_lock lock(mutex_);
  if (!turn.load.empty() && turn.load == turn_.load && turn.number < turn_.number) return cancelled;
  turn_ = std::move(turn);
  const long id = ++newest_;
  const auto is_free = [&] { return !busy_; };
  if (busy_) {
    write_frame(to_, frame_of({{"stop", current_}}));
    if (!free_.wait_for(lock, std::chrono::milliseconds(Limits::cancel_ms), is_free)) {
      const pid_t slow = process_;
      if (slow > 0) kill(slow, SIGKILL);
      free_.wait(lock, is_free);
      if (slow > 0 && process_ == slow) end();  // it had answered just before it was killed
    }
  }
  if (id != newest_) return cancelled;
  if (process_ < 0) start();
  busy_ = true;
  current_ = id;
  request["id"] = id;
  const bool sent = write_frame(to_, frame_of(request));  // with the lock, so that no {"stop"} comes between
  lock.unlock();
  Frame answer = converse(sent);
  lock.lock();
  busy_ = false;
  progress_ = nullptr;
  so_far_ = {};
  free_.notify_all();
  return answer;
}

// Waits for the answer. Called without the lock, by the one thread whose request is current.
Frame Child::converse(bool sent) {
  const int patience_ms = static_cast<int>(1000 * limits_.seconds) + 30'000;
  while (auto frame = sent ? read_frame(from_, patience_ms) : std::nullopt) {
    if (!frame->interim) return std::move(*frame);
    const std::lock_guard lock(mutex_);
    if (frame->bytes.empty())
      progress_ = json_of(*frame);
    else
      so_far_ = std::move(*frame), ++told_;
  }
  const std::lock_guard lock(mutex_);
  end();
  if (newest_ != current_) return cancelled;
  return frame_of(failure("the computation crashed or was killed; change the model and it starts again"));
}

}  // namespace tappet::studio
