// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// A model file, up to the compiled system. It may only be refused with the place of the error.
#include <tappet/error.h>

#include "fuzz/fuzz.h"
#include "model/reading/file_beside.h"
#include "system/system.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const bool kept = (tappet::keep_files_beside_models(), true);
  (void)kept;
  try {
    const tappet::System system(tappet::parse_model(fuzz::text(data, size), "/nowhere/model.yaml"));
  } catch (const tappet::ModelError& error) {
    if (error.message.empty()) fuzz::wrong("an error without a message");
  }
  return 0;
}
