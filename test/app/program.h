// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

// What a finished program left.
struct Finished {
  int code = -1;  // exit code; 128 + signal where a signal ended it
  std::string out, err;
};

// The program under test, started with its output caught in files of `folder`, which is also its working folder.
class Program {
 public:
  Program(const std::vector<std::string>& arguments, const std::string& folder);
  void signal(int number) const;
  Finished wait();

 private:
  pid_t pid_;
  std::string folder_;
};

Finished run_tappet(const std::vector<std::string>& arguments, const std::string& folder);
