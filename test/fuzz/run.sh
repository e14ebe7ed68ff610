#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
#   test/fuzz/run.sh BUILD SECONDS [TARGET...]    lets libFuzzer look for inputs that break a target, one target after the other
#
# What it learns is kept in BUILD/corpus/TARGET. An input that breaks the target is kept in BUILD/found/TARGET; copy it to
# test/fuzz/found/TARGET together with the repair, so that the tests run it from then on. The exit code is 1 if there is one.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
build=$(realpath "$1") seconds=$2
shift 2
targets=("$@")
((${#targets[@]})) || targets=(read_model read_formula read_problem read_result short_run)

declare -A seeds=(
  [read_model]="$source/models $source/test/data/broken $source/test/data/elements"
  [read_formula]="$here/seeds/read_formula"
  [read_problem]="$source/test/data/problems"
  [read_result]="$here/seeds/read_result"
  [short_run]="$source/test/data/elements $source/models"
)
declare -A lengths=([read_problem]=400000 [read_result]=400000)  # bytes at most
declare -A dictionaries=([read_model]=model [short_run]=model [read_formula]=formula)
failed=0
for target in "${targets[@]}"; do
  corpus=$build/corpus/$target found=$build/found/$target
  mkdir -p "$corpus" "$found"
  options=(-max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len="${lengths[$target]:-20000}" -print_final_stats=1 -verbosity=0
    -artifact_prefix="$found/")
  [[ -z ${dictionaries[$target]:-} ]] || options+=(-dict="$here/dictionaries/${dictionaries[$target]}.dict")
  # shellcheck disable=SC2086  # several folders
  "$build/test/fuzz/fuzz_$target" "${options[@]}" "$corpus" ${seeds[$target]} >"$build/$target.log" 2>&1 || failed=1
  runs=$(sed -n 's/stat::number_of_executed_units: *//p' "$build/$target.log")
  echo "$target: ${runs:-0} executions, $(find "$found" -type f | wc -l) findings, log in $build/$target.log"
done
exit $failed
