// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "tangent/orbits/branch.h"

namespace tappet {

// Writes the page of a bifurcation diagram: one HTML file without requests to the network. It holds the motion of up to
// `most_motions` of the orbits, which a click shows. Returns false, and writes nothing, if the program was built
// without pages. Throws std::runtime_error if the file cannot be written.
bool write_branch_page(const std::filesystem::path& file, const ModelSource& source, const std::string& parameter,
                       const std::vector<Branch>& branches, int most_motions = 120);

}  // namespace tappet
