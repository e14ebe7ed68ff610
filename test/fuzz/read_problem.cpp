// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// A file with a contact problem (FCLIB).
#include <tappet/problem.h>

#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::MemoryFile file(data, size);
  try {
    tappet::read_fclib(file.path().string());
  } catch (const std::runtime_error&) {
  }
  return 0;
}
