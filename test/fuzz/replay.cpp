// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The main program of a fuzz target without a fuzzer: `fuzz_read_model FILE_OR_FOLDER...` runs it on these files. A
// program with libFuzzer understands the same arguments.
#include <fmt/format.h>

#include <fstream>
#include <vector>

#include "fuzz/fuzz.h"

namespace fs = std::filesystem;

int main(int count, char** arguments) {
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i) {
    if (!fs::is_directory(arguments[i]))
      files.emplace_back(arguments[i]);
    else
      for (const auto& entry : fs::recursive_directory_iterator(arguments[i]))
        if (entry.is_regular_file()) files.push_back(entry.path());
  }
  for (const fs::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) return fmt::print(stderr, "{}: cannot be read\n", file.string()), 1;
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
  fmt::print("{} inputs\n", files.size());
  return files.empty() ? 1 : 0;
}
