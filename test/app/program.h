// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

// The result of a finished program.
struct Finished {
  int code = -1;  // exit code, or 128 + signal if a signal ended it
  std::string out, err;
};

// Runs the program under test. Its output goes to files in `folder`, which is also its working folder.
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
