// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/reading/values.h"

namespace tappet {

// Replaces `.(i+1)`, and within a repetition also `{i+1}`, in the text of a scalar by their value. The original text is
// kept in `written`. Formulas are read from there, so errors in them point to the right column. If a part names an
// index that is not known here, as within sum(), it is not replaced.
void expand_text(const Item& item, const Values& values, Yaml& scalar);

}  // namespace tappet
