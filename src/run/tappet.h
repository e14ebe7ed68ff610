// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything that a program needs:
//   Model model = load("slider_crank.yaml");
//   Result result = simulate(model, {.scheme = "moreau-midpoint", .dt = 1e-4, .end = 0.2});
// If you write your own loop, scheme or solver, use the classes one level below: System, ContactList, Evaluator,
// Stepper (make_stepper) and ContactSolver (make_solver).
#include "model/model.h"
#include "record/version.h"
#include "run/make_stepper.h"
#include "run/models.h"
#include "run/simulate.h"
#include "solvers/make_solver.h"
#include "steppers/stepper.h"
#include "system/evaluator.h"
#include "system/system.h"
