// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tappet {

// What a program printed, and how it ended.
struct Finished {
  int code = 0;        // exit code; −1 if the program could not be started or was killed
  std::string output;  // standard output
  std::string errors;  // standard error
};

// Runs a program, found in PATH, with these arguments, and gives it a text on standard input. No shell is involved, so
// the arguments may hold any characters.
Finished run_program(const std::vector<std::string>& arguments, const std::string& input = {});

}  // namespace tappet
