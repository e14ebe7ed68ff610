// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace fuzz {

MemoryFile::MemoryFile(const uint8_t* data, size_t size) : descriptor_(memfd_create("input", 0)) {
  if (descriptor_ < 0 || write(descriptor_, data, size) != static_cast<ssize_t>(size)) wrong("no file in memory");
}
MemoryFile::~MemoryFile() { close(descriptor_); }
std::filesystem::path MemoryFile::path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

void wrong(const std::string& why) {
  fmt::print(stderr, "wrong: {}\n", why);
  std::abort();
}

}  // namespace fuzz
