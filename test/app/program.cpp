// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace {

std::string content(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

[[noreturn]] void become(std::vector<char*> arguments, const std::string& folder, const std::string& out,
                         const std::string& err) {
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  if (chdir(folder.c_str()) == 0 && dup2(open(out.c_str(), flags, 0600), 1) >= 0 &&
      dup2(open(err.c_str(), flags, 0600), 2) >= 0)
    execv(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

Program::Program(const std::vector<std::string>& arguments, const std::string& folder) : folder_(folder) {
  std::vector<std::string> words = {TAPPET_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string out = folder + "/.out", err = folder + "/.err";
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ == 0) become(pointers, folder, out, err);
}

void Program::signal(int number) const { kill(pid_, number); }

Finished Program::wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, content(folder_ + "/.out"), content(folder_ + "/.err")};
}

Finished run_tappet(const std::vector<std::string>& arguments, const std::string& folder) {
  return Program(arguments, folder).wait();
}
