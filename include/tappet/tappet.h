// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything a program needs. docs/library.md explains it.
//
//   tappet::Model model = tappet::load("slider_crank.yaml");
//   tappet::Result result = tappet::simulate(model, {.scheme = "moreau-midpoint", .dt = 1e-4, .end = 0.2});
//
//   error.h      the exceptions; the version            execution.h  threads and profile of a run
//   vec.h        vectors and dense matrices             matrix.h     mass and iteration matrices
//   dual.h       numbers with derivatives               delassus.h   directions W and G = Wᵀ M⁻¹ W
//   pose.h       vectors in space, rotations, poses     problem.h    contact problem, residual, solvers
//   describe.h   options of a scheme                    state.h      state, energy
//   keys.h       keys of an element                     stepper.h    base class of schemes, report of a step
//   element.h    element types of a program             recorder.h   samples, recorders, summary, result
//   model.h      model files                            simulate.h   whole runs
//   system.h     System, ContactList, Evaluator, schemes by name
//   archive.h    the state of a scheme as bytes, for runs that are resumed
#include <tappet/archive.h>
#include <tappet/delassus.h>
#include <tappet/describe.h>
#include <tappet/dual.h>
#include <tappet/element.h>
#include <tappet/error.h>
#include <tappet/execution.h>
#include <tappet/keys.h>
#include <tappet/matrix.h>
#include <tappet/model.h>
#include <tappet/pose.h>
#include <tappet/problem.h>
#include <tappet/recorder.h>
#include <tappet/simulate.h>
#include <tappet/state.h>
#include <tappet/stepper.h>
#include <tappet/system.h>
#include <tappet/vec.h>
