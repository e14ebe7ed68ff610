// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

// A fuzz target is a function that must survive any bytes: it may refuse them with the errors that its callers expect,
// and nothing else. libFuzzer looks for bytes that break it (`make fuzz`). The tests run it on its seeds and on the
// inputs that broke it before.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace fuzz {

inline std::string text(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

// Some readers want a file. It is in memory, and it is gone when the object is.
class MemoryFile {
 public:
  MemoryFile(const uint8_t* data, size_t size);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  std::filesystem::path path() const;

 private:
  int descriptor_;
};

// Ends the program, as a sanitizer does, so that the input is kept.
[[noreturn]] void wrong(const std::string& why);

}  // namespace fuzz
