#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
#   bench/run.sh BUILD table [PART]    instructions and time of each entry (with PART in its name), beside the baseline
#   bench/run.sh BUILD check           fails if instructions differ from bench/baseline.json by more than 10 %
#   bench/run.sh BUILD store           writes bench/baseline.json
#
# Callgrind counts only the instructions of the measured parts. They hardly depend on the load of the machine, but they
# do depend on the compiler and its libraries, which the baseline names.
set -euo pipefail
build=$1 task=${2:-table} part=${3:-}
here=$(dirname "$0")
program=$build/bench/bench_tappet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

command -v valgrind >/dev/null || { echo "bench: valgrind counts the instructions; it is not installed" >&2; exit 1; }
valgrind --tool=callgrind --callgrind-out-file="$work/cg" --toggle-collect='*bench::counted*' \
  --dump-after='*bench::end_of_entry*' "$program" --count "$part" >"$work/names" 2>"$work/log" ||
  { tail -20 "$work/log" >&2; exit 1; }
for file in $(ls -v "$work"/cg.*); do awk '/^totals:/ {print $2; exit}' "$file"; done >"$work/totals"
paste -d' ' "$work/names" "$work/totals" | awk '{printf "%s %d\n", $1, $3 / $2 + 0.5}' >"$work/counts"

case $task in
  store)
    awk -v by="$(c++ --version | head -1)" 'BEGIN {printf "{\n  \"compiler\": \"%s\",\n  \"instructions\": {", by}
      {printf "%s\n    \"%s\": %d", (NR > 1) ? "," : "", $1, $2} END {print "\n  }\n}"}' "$work/counts" >"$work/baseline"
    cp "$work/baseline" "$here/baseline.json"
    echo "bench: $(wc -l <"$work/counts") entries stored in $here/baseline.json"
    ;;
  check)
    "$here/check.sh" "$here/baseline.json" "$work/counts"
    # Tests the check itself: it must notice an eighth more in one entry.
    awk 'NR == 1 {$2 = int($2 * 1.125) + 1} {print}' "$work/counts" >"$work/planted"
    if "$here/check.sh" "$here/baseline.json" "$work/planted" >/dev/null; then
      echo "bench: the check did not see a planted change" >&2
      exit 1
    fi
    ;;
  table)
    "$program" --benchmark_filter="$part" --benchmark_format=csv 2>/dev/null |
      awk -F, '/^"/ {gsub(/"/, "", $1); sub(/\/min_time.*/, "", $1); print $1, $4}' >"$work/times"
    awk -v baseline="$here/baseline.json" '
      BEGIN {while ((getline line < baseline) > 0) if (match(line, /"[^"]+": [0-9]+/)) {
               split(substr(line, RSTART, RLENGTH), pair, "\": "); stored[substr(pair[1], 2)] = pair[2]}
             print "entry\tinstructions\tagainst the baseline\tus"}
      FNR == NR {us[$1] = $2 / 1000; next}
      {printf "%s\t%d\t%s\t%.4g\n", $1, $2, ($1 in stored) ? sprintf("%+.1f %%", 100 * ($2 / stored[$1] - 1)) : "new", us[$1]}' \
      "$work/times" "$work/counts" | column -t -s$'\t'
    ;;
  *)
    echo "bench: expected table, check or store, got $task" >&2
    exit 2
    ;;
esac
