// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The run of one instance per lane, and the function that the program calls.

// As in a run of the engine: squares of larger numbers, such as energies, are no longer finite.
TAPPET_FUNCTION Mask in_range(Real x) { return (x < real(1e150)) & (x > real(-1e150)); }

// What changes while an instance runs.
struct Instance {
  Real q[position_space], u[velocity_space];
  Scheme scheme;
  StepResult result;
  Measures measures;
  Real unconverged, iterations, residual;
  double number;  // of the next step
  int until_sample;

  TAPPET_MEMBER void start(const Parameters& p, const BatchSettings& settings, const Series& series) {
    ::start(p, q, u);
    scheme.start();
    no_impulses(result);
    measures.start(p, series);
    measures.see(p, Time{0.0, 0.0, slack(settings)}, q, u, result);
    unconverged = iterations = residual = real(0.0);
    number = 0.0, until_sample = static_cast<int>(settings.record_every);
  }

  TAPPET_MEMBER bool runs(const BatchSettings& settings) const { return number < settings.steps; }

  template <Effort effort>
  TAPPET_MEMBER bool step(const Parameters& p, const BatchSettings& settings) {
    const bool last = number + 1.0 >= settings.steps;
    const double dt = last ? settings.last_dt : settings.dt;
    if (!scheme.template step<effort>(p, Time{number * settings.dt, dt, slack(settings)}, settings.tolerance, q, u,
                                      result))
      return false;
    unconverged += zero_or_one(!result.converged);
    iterations += result.iterations;
    residual = larger(residual, result.residual);
    number += 1.0;
    if (--until_sample == 0 || last) {
      until_sample = static_cast<int>(settings.record_every);
      measures.see(p, Time{last ? settings.end : number * settings.dt, dt, slack(settings)}, q, u, result);
    }
    return true;
  }

  TAPPET_MEMBER void finish(const Parameters& p, const BatchSettings& settings, Real* out) const {
    Mask finite = all_true();
    TAPPET_UNROLL
    for (int i = 0; i < positions; ++i) finite = finite & in_range(q[i]);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) finite = finite & in_range(u[i]);
    out[batch_finite] = zero_or_one(finite);
    out[batch_unconverged] = unconverged;
    out[batch_iterations] = iterations;
    out[batch_residual] = residual;
    measures.values(p, Time{settings.end, settings.last_dt, slack(settings)}, q, u, result, out + batch_numbers);
  }

  TAPPET_MEMBER static double slack(const BatchSettings& settings) { return 1e-12 * settings.end; }
};

constexpr int outputs = batch_numbers + measure_count;

// Numbers of all instances stand one after the other: first the first number of every instance, then the second.
#ifdef __CUDACC__

// A step that needs more registers than there are works on a copy in memory.
TAPPET_RARE void step_in_memory(const Parameters& p, const BatchSettings& settings, Instance& instance) {
  instance.step<Effort::all>(p, settings);
}

constexpr int threads = 128;
#ifndef TAPPET_BLOCKS
#define TAPPET_BLOCKS 1  // at least so many are on a multiprocessor at the same time
#endif

extern "C" __global__ void __launch_bounds__(threads, TAPPET_BLOCKS)
    tappet_batch(BatchSettings settings, const double* values, double* out, long long count) {
  const long long instance = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (instance >= count) return;
  Real own[no_less_than_one(inputs)], found[outputs];
  TAPPET_UNROLL
  for (int i = 0; i < inputs; ++i) own[i] = values[i * count + instance];
  Parameters p;
  Instance one;
  parameters(own, p);
  one.start(p, settings, Series{out + outputs * count + instance, count, settings.series, 1});
  while (one.runs(settings))
    if (!one.step<Effort::direct>(p, settings)) {
      no_impulses(one.result);  // they are not needed any more, and so need no registers in other steps
      const Parameters same = p;
      Instance copy = one;
      step_in_memory(same, settings, copy);
      one = copy;
    }
  one.finish(p, settings, found);
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
    Parameters p;
    Instance several;
    parameters(own, p);
    several.start(p, *settings, Series{out + outputs * count + group, count, settings->series, end - group});
    while (several.runs(*settings)) several.step<Effort::all>(p, *settings);
    several.finish(p, *settings, found);
    for (int l = 0; l < TAPPET_LANES && group + l < end; ++l)
      for (int i = 0; i < outputs; ++i) out[i * count + group + l] = found[i][l];
  }
}

#endif
