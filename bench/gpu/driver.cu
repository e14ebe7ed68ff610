// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// Runs code that `tappet batch --code CODE --inputs INPUTS` wrote, on a machine that has a GPU and nvcc but no Tappet:
//   nvcc -arch=native -std=c++17 -DCODE='"CODE"' -o driver driver.cu
//   ./driver INPUTS COUNT RESULTS
// COUNT instances are made of those in the file, in turn. It prints the rate, and writes the numbers of the first
// instances of the file into RESULTS, one line each.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include CODE

static void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "usage: driver INPUTS COUNT RESULTS\n"), 2;
  BatchSettings settings{};
  long long own = 0, given = 0, numbers = 0;
  std::FILE* file = std::fopen(argv[1], "rb");
  if (!file ||
      std::fscanf(file, "%lld %lld %lld %lf %lf %lf %lf %lf %lld %lld", &own, &given, &numbers, &settings.dt,
                  &settings.last_dt, &settings.end, &settings.tolerance, &settings.steps, &settings.record_every,
                  &settings.series) != 10)
    return std::fprintf(stderr, "%s cannot be read\n", argv[1]), 1;
  std::fgetc(file);
  std::vector<double> values(own * given);
  if (std::fread(values.data(), sizeof(double), values.size(), file) != values.size())
    return std::fprintf(stderr, "%s is too short\n", argv[1]), 1;
  std::fclose(file);
  const long long count = std::atoll(argv[2]);
  std::vector<double> all(own * count), out(numbers * count);
  for (long long a = 0; a < own; ++a)
    for (long long i = 0; i < count; ++i) all[a * count + i] = values[a * given + i % given];

  cudaFuncAttributes attributes;
  check(cudaFuncGetAttributes(&attributes, tappet_batch), "attributes");
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tappet_batch, 128, 0), "occupancy");
  double *device_values, *device_out;
  check(cudaMalloc(&device_values, std::max<size_t>(8, all.size() * sizeof(double))), "memory");
  check(cudaMalloc(&device_out, out.size() * sizeof(double)), "memory");
  check(cudaMemcpy(device_values, all.data(), all.size() * sizeof(double), cudaMemcpyHostToDevice), "copying");
  check(cudaMemset(device_out, 0xff, out.size() * sizeof(double)), "poisoning");
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  float best = 1e30f;
  for (int run = 0; run < 4; ++run) {
    cudaEventRecord(begin);
    tappet_batch<<<static_cast<unsigned>((count + 127) / 128), 128>>>(settings, device_values, device_out, count);
    cudaEventRecord(end);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "kernel");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    if (run > 0) best = std::min(best, milliseconds);
  }
  check(cudaMemcpy(out.data(), device_out, out.size() * sizeof(double), cudaMemcpyDeviceToHost), "copying");
  long long done = 0;
  double iterations = 0, residual = 0;
  for (long long i = 0; i < count; ++i) {
    const bool good = out[batch_finite * count + i] == 1.0 && out[batch_unconverged * count + i] == 0.0;
    done += good;
    iterations += out[batch_iterations * count + i];
    if (good) residual = std::max(residual, out[batch_residual * count + i]);
  }
  std::printf("%3d registers, %5zu B local, %2d warps/SM: %8.2f ms, %.3e steps/s; done %lld of %lld, %.3f iterations/step, "
              "residual %.1e\n",
              attributes.numRegs, attributes.localSizeBytes, 4 * blocks, best,
              static_cast<double>(count) * settings.steps / best * 1e3, done, count,
              iterations / static_cast<double>(count) / settings.steps, residual);
  std::FILE* results = std::fopen(argv[3], "w");
  for (long long i = 0; i < std::min<long long>({64, count, given}); ++i) {
    for (long long k = 0; k < numbers; ++k) std::fprintf(results, "%s%.17g", k ? "," : "", out[k * count + i]);
    std::fprintf(results, "\n");
  }
  std::fclose(results);
}
