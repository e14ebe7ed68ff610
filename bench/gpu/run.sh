#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
# The rows that `bench/gpu.sh --write FOLDER` wrote, on a machine that has a GPU and nvcc:
#   bench/gpu/run.sh FOLDER [RESULTS]
# Rates of 2^20 instances; the differences of 64 of them from the runs of the engine follow from RESULTS by compare.py.
set -uo pipefail
here=$(dirname "$(realpath "$0")")
folder=$(realpath "$1")
results=${2:-$folder}
count=${COUNT:-1048576}
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
nvcc --version | tail -1
build() {
  nvcc -arch=native -std=c++17 -w ${FLAGS:-} -DCODE="\"$folder/$1.cu\"" -o "/tmp/$1" "$here/driver.cu"
}
for code in "$folder"/*.cu; do
  build "$(basename "$code" .cu)" &
done
wait
for code in "$folder"/*.cu; do
  name=$(basename "$code" .cu)
  printf '%-58s' "$name"
  timeout 60 "/tmp/$name" "$folder/$name.in" "$count" "$results/$name.out" || echo "failed"
  [[ -f $folder/$name.csv ]] && python3 "$here/compare.py" "$folder/$name.csv" "$results/$name.out"
done
