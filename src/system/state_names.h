// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace tappet {

// The names of the positions and of the velocities of a model, in the order of its system.
std::vector<std::string> q_names(const Model& model);
std::vector<std::string> u_names(const Model& model);

}  // namespace tappet
