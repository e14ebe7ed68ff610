// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "problem/contact_problem.h"
#include "problem/free_motion.h"

namespace tappet {

// Contact problems of rigid bodies under their weight that are made to be hard. They are one step from rest, plus
// velocities of a hundredth of those in the step, chosen by the seed. One number sets the difficulty.
struct ProblemKind {
  std::string_view name, difficulty;  // difficulty: the meaning of the number
  double easy, hard;                  // a range that is worth trying
  int size;                           // the meaning of `size` 0
  std::string_view unit;
};

std::span<const ProblemKind> problem_kinds();

// Throws std::invalid_argument for an unknown kind or a difficulty or size out of range.
ContactProblem generate_problem(std::string_view kind, double difficulty, unsigned seed, int size = 0);
ContactProblem generate_problem(std::string_view kind, double difficulty, unsigned seed, int size, FreeMotion& motion);

}  // namespace tappet
