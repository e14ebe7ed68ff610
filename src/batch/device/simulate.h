// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The run of one instance per lane, and the function that the program calls.

// As in a run of the engine: squares of larger numbers, such as energies, are no longer finite.
TAPPET_FUNCTION Mask in_range(Real x) { return (x < real(1e150)) & (x > real(-1e150)); }

struct Instance {
  Parameters p;
  Real q[position_space], u[velocity_space];
  Scheme scheme;
  StepResult result;
  Measures measures;
  Real unconverged, iterations, residual;
  double slack, number;  // of the next step
  long long left, until_sample;

  TAPPET_MEMBER void start(const BatchSettings& settings, const Real* values, const Series& series) {
    parameters(values, p);
    ::start(p, q, u);
    scheme.start();
    no_impulses(result);
    measures.start(p, series);
    slack = 1e-12 * settings.end;
    measures.see(p, Time{0.0, 0.0, slack}, q, u, result);
    unconverged = iterations = residual = real(0.0);
    number = 0.0, left = settings.steps, until_sample = settings.record_every;
  }

  template <Effort effort>
  TAPPET_MEMBER bool step(const BatchSettings& settings) {
    const bool last = left == 1;
    const double dt = last ? settings.last_dt : settings.dt;
    if (!scheme.template step<effort>(p, Time{number * settings.dt, dt, slack}, settings.tolerance, q, u, result))
      return false;
    unconverged += zero_or_one(!result.converged);
    iterations += result.iterations;
    residual = larger(residual, result.residual);
    number += 1.0, --left;
    if (--until_sample == 0 || last) {
      until_sample = settings.record_every;
      measures.see(p, Time{last ? settings.end : number * settings.dt, dt, slack}, q, u, result);
    }
    return true;
  }

  TAPPET_MEMBER void finish(const BatchSettings& settings, Real* out) const {
    Mask finite = all_true();
    TAPPET_UNROLL
    for (int i = 0; i < positions; ++i) finite = finite & in_range(q[i]);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) finite = finite & in_range(u[i]);
    out[batch_finite] = zero_or_one(finite);
    out[batch_unconverged] = unconverged;
    out[batch_iterations] = iterations;
    out[batch_residual] = residual;
    measures.values(p, Time{settings.end, settings.last_dt, slack}, q, u, result, out + batch_numbers);
  }
};

constexpr int outputs = batch_numbers + measure_count;

// Numbers of all instances stand one after the other: first the first number of every instance, then the second.
#ifdef __CUDACC__

// A step that needs more registers than there are works on a copy in memory.
TAPPET_RARE void step_in_memory(const BatchSettings& settings, Instance& instance) {
  instance.step<Effort::all>(settings);
}

#ifndef TAPPET_BLOCKS
#define TAPPET_BLOCKS 1  // of 128 threads, at least, on a multiprocessor at the same time
#endif

extern "C" __global__ void __launch_bounds__(128, TAPPET_BLOCKS)
    tappet_batch(BatchSettings settings, const double* values, double* out, long long count) {
  const long long instance = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (instance >= count) return;
  Real own[no_less_than_one(inputs)], found[outputs];
  TAPPET_UNROLL
  for (int i = 0; i < inputs; ++i) own[i] = values[i * count + instance];
  Instance one;
  one.start(settings, own, Series{out + outputs * count + instance, count, settings.series, 1});
  while (one.left > 0)
    if (!one.step<Effort::direct>(settings)) {
      Instance copy = one;
      step_in_memory(settings, copy);
      one = copy;
    }
  one.finish(settings, found);
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
    Instance several;
    several.start(*settings, own, Series{out + outputs * count + group, count, settings->series, end - group});
    while (several.left > 0) several.step<Effort::all>(*settings);
    several.finish(*settings, found);
    for (int l = 0; l < TAPPET_LANES && group + l < end; ++l)
      for (int i = 0; i < outputs; ++i) out[i * count + group + l] = found[i][l];
  }
}

#endif
