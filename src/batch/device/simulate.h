// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The run of one instance per lane, and the function that the program calls.
// As in a run of the engine: squares of larger numbers, such as energies, are no longer finite.
TAPPET_FUNCTION Mask in_range(Real x) { return (x < real(1e150)) & (x > real(-1e150)); }

TAPPET_FUNCTION void simulate(const BatchSettings& settings, const Real* values, Real* out) {
  Parameters p;
  Real q[position_space], u[velocity_space];
  parameters(values, p);
  start(p, q, u);
  Scheme scheme;
  scheme.start(p, 0.0, q);
  StepResult result;
  no_impulses(result);
  Measures measures;
  measures.start(p);
  const double slack = 1e-12 * settings.end;
  measures.see(p, Time{0.0, 0.0, slack}, q, u, result);
  Real unconverged = real(0.0), iterations = real(0.0), residual = real(0.0);
  for (long long k = 0; k < settings.steps; ++k) {
    const bool last = k + 1 == settings.steps;
    const double dt = last ? settings.last_dt : settings.dt;
    scheme.step(p, Time{static_cast<double>(k) * settings.dt, dt, slack}, settings.tolerance, q, u, result);
    unconverged += zero_or_one(!result.converged);
    iterations += result.iterations;
    residual = larger(residual, result.residual);
    if (last || (k + 1) % settings.record_every == 0)
      measures.see(p, Time{last ? settings.end : static_cast<double>(k + 1) * settings.dt, dt, slack}, q, u, result);
  }
  Mask finite = all_true();
  TAPPET_UNROLL
  for (int i = 0; i < positions; ++i) finite = finite & in_range(q[i]);
  TAPPET_UNROLL
  for (int i = 0; i < velocities; ++i) finite = finite & in_range(u[i]);
  out[batch_finite] = zero_or_one(finite);
  out[batch_unconverged] = unconverged;
  out[batch_iterations] = iterations;
  out[batch_residual] = residual;
  measures.values(out + batch_numbers);
}

constexpr int outputs = batch_numbers + measure_count;

// Numbers of all instances stand one after the other: first the first number of every instance, then the second.
#ifdef __CUDACC__

extern "C" __global__ void __launch_bounds__(128)
    tappet_batch(BatchSettings settings, const double* values, double* out, long long count) {
  const long long instance = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (instance >= count) return;
  Real own[no_less_than_one(inputs)], found[outputs];
  TAPPET_UNROLL
  for (int i = 0; i < inputs; ++i) own[i] = values[i * count + instance];
  simulate(settings, own, found);
  TAPPET_UNROLL
  for (int i = 0; i < outputs; ++i) out[i * count + instance] = found[i];
}

#else

extern "C" void tappet_batch(const BatchSettings* settings, const double* values, double* out, long long count,
                             long long first, long long end) {
  for (long long group = first; group < end; group += TAPPET_LANES) {
    Real own[no_less_than_one(inputs)], found[outputs];
    for (int l = 0; l < TAPPET_LANES; ++l)  // lanes beyond the end repeat the last instance
      for (int i = 0; i < inputs; ++i) own[i][l] = values[i * count + (group + l < end ? group + l : end - 1)];
    simulate(*settings, own, found);
    for (int l = 0; l < TAPPET_LANES && group + l < end; ++l)
      for (int i = 0; i < outputs; ++i) out[i * count + group + l] = found[i][l];
  }
}

#endif
