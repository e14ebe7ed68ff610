// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/reading/values.h"

namespace tappet {

// Replaces `.(i+1)`, and within a repetition `{i+1}`, in the text of a scalar by their value. What was written is kept
// in `written`, from which formulas are read, so that errors in them point to the right column. What names an index
// that is not known here, as within sum(), is left as it is.
void expand_text(const Item& item, const Values& values, Yaml& scalar);

}  // namespace tappet
