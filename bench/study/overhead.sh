#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
#   bench/study/overhead.sh BENCH_STUDY [STUDY.yaml]...    instructions of whole runs of a study, of bare runs, and of steps alone
#
# Counts instructions with callgrind, which does not depend on how busy the machine is. The difference between 12 and 2 runs is
# taken, so that the first reading of the model does not count. Without a study it is slider_crank with 2000 steps.
set -euo pipefail
bench=$(realpath "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count() {  # RUNS [STUDY]: prints the instructions of whole_run, bare_run and steps_alone
  valgrind --tool=callgrind --callgrind-out-file="$work/counts" "$bench" "$@" >"$work/out" 2>"$work/log"
  callgrind_annotate --inclusive=yes --threshold=100 "$work/counts" 2>>"$work/log" | tr -d , |
    awk '/::whole_run/ && !w {w = $1} /::bare_run/ && !b {b = $1} /::steps_alone/ && !s {s = $1} END {print w, b, s}'
}
measure() {
  local few many
  few=$(count 2 "$@") many=$(count 12 "$@")
  awk -v few="$few" -v many="$many" -v name="${1:-slider_crank}" -v out="$(cat "$work/out")" 'BEGIN {
    split(few, a); split(many, b)
    for (i = 1; i <= 3; ++i) each[i] = (b[i] - a[i]) / 10
    printf "%s: %.4g instructions per run, over a bare run %.4f, over its steps alone %.4f (%s)\n",
      name, each[1], each[1] / each[2], each[1] / each[3], out
  }'
}
if (($# == 0)); then measure; fi
for study in "$@"; do measure "$(realpath "$study")"; done
