// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/import_urdf.h"
#include "import/step/step_part.h"

namespace tappet {

// A model file from a STEP part. With a section it has profiles, one for each outer curve of the section, and a planar
// body with the mass of the part; otherwise it has rigid bodies, one for each solid, with convex pieces. Throws a
// UsageError.
ImportedModel import_step(const StepRequest& request, double density);

}  // namespace tappet
