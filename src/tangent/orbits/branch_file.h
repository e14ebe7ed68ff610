// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "tangent/orbits/branch.h"

namespace tappet {

// Branches as a table with one line per point, and as HDF5 with one group per branch (docs/orbits.md). Both throw
// std::runtime_error if the file cannot be written.
void write_branches_csv(const std::filesystem::path& file, const std::vector<Branch>& branches, const System& system,
                        const std::string& parameter);
void write_branches_hdf5(const std::filesystem::path& file, const std::vector<Branch>& branches, const System& system,
                         const std::string& parameter);

}  // namespace tappet
