// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a batch tells the generated code. The program and the generated code share these types.
struct BatchSettings {
  double dt, last_dt, end;  // the last step may be shorter; end is its time
  double tolerance;         // of the contact solver
  double steps;             // a whole number
  long long record_every;
  long long series;  // the most values that a measure with many values has
};

// The numbers that come back for each instance, before its measures.
enum BatchNumber {
  batch_finite,       // 1 if all numbers of the state are below 1e150 at the end, otherwise 0
  batch_unconverged,  // the number of steps whose contact problem was not solved to the tolerance
  batch_iterations,   // of the contact solver, all steps together
  batch_residual,     // the largest of all steps
  batch_numbers
};
