// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/slurm/shell.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

extern char** environ;

namespace tappet {

namespace {

// A file without a name, which disappears when it is closed.
struct Scratch {
  std::FILE* file = std::tmpfile();
  ~Scratch() {
    if (file) std::fclose(file);
  }
  int descriptor() const { return fileno(file); }
  std::string text() const {
    std::string all;
    std::rewind(file);
    char part[4096];
    for (std::size_t got; (got = std::fread(part, 1, sizeof part, file)) > 0;) all.append(part, got);
    return all;
  }
};

}  // namespace

Finished run_program(const std::vector<std::string>& arguments, const std::string& input) {
  Scratch in, out, err;
  if (!in.file || !out.file || !err.file) return {-1, {}, std::strerror(errno)};
  std::fwrite(input.data(), 1, input.size(), in.file);
  std::fflush(in.file);
  ::lseek(in.descriptor(), 0, SEEK_SET);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), 0);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), 1);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), 2);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return {-1, {}, std::strerror(failed)};
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out.text(), err.text()};
}

}  // namespace tappet
