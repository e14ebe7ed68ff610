// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/recorder.h>

#include "record/sample.h"
#include "steppers/stepper.h"

namespace tappet {

// Throws std::invalid_argument that suggests the nearest name.
void check_names_to_record(const std::vector<std::string>& only, const Layout& layout);

void archive_events(Archive& archive, std::vector<RecordedEvent>& events);

// A name as one component of an HDF5 path: '/', '%' and names of dots alone become %XX.
std::string hdf5_name(const std::string& name);

}  // namespace tappet
