// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "formula/mechanics.h"
#include "model/model.h"

namespace tappet {

// The mechanics that the formulas of a model describe. The friction of contacts has as many rows as their laws say.
FormulaSystem formula_system(Formulas& formulas);

}  // namespace tappet
