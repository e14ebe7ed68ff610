// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// A result file: everything in it is read, as the report does.
#include "fuzz/fuzz.h"
#include "record/hdf5/result_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::MemoryFile bytes(data, size);
  try {
    const tappet::ResultFile file(bytes.path());
    for (const char* name : {"t", "q", "u", "energy/kinetic", "energy/potential", "steps/dt", "steps/residual"})
      if (file.has(name)) {
        file.names(name), file.units(name);
        if (file.samples() < 100'000 && file.width(name) > 0) file.column(name);
      }
    for (const char* parent : {"contacts", "joints"})
      for (const std::string& group : file.groups(parent)) file.has(std::string(parent) + "/" + group + "/gap");
    file.events(), file.text("model"), file.attribute("scheme"), file.number("dt");
  } catch (const std::runtime_error&) {
  }
  return 0;
}
