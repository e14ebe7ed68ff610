// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/kept.h"
#include "system/system.h"

namespace tappet {

// All numbers on which the motion of a model of bodies depends, in a fixed order: parameters, bodies and their start,
// coordinates of joints with limits and friction, joints, contacts and their laws, forces. In a batch those that differ
// between instances are inputs of the generated code. The others are written into it.
struct BodyNumbers {
  std::vector<double> values;
  std::vector<unsigned> forms;  // choices that the code depends on; they must be the same for all instances
};

// Throws a ModelError that names what a batch cannot do. `times` are the formulas of t that were read with the model.
BodyNumbers body_numbers(const System& system, const std::vector<KeptParameters::TimeFormula>& times);

// Refuses a part of a model. A batch cannot do it, but a study can.
[[noreturn]] void refuse(const Model& model, Place place, const std::string& key, const std::string& what);

}  // namespace tappet
