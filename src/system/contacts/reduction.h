// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/model.h"

namespace tappet {

// The option `reduction: on` or `off` of a run. Convex solids touch at the corners of their common patch unless it is
// off. Since contacts belong to the model, `prepare` writes what the caller asks for into the model.
inline constexpr const char* reduction_key = "reduction";

// Throws a UsageError unless the text is on, off, true or false.
bool is_reduction_on(const std::string& text);

// Throws a ModelError if the model says something else.
bool reduces_contacts(const Model& model);

}  // namespace tappet
