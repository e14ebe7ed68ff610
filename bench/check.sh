#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
#   bench/check.sh BASELINE.json COUNTS    COUNTS has one line "entry instructions" per entry
#
# Fails and names the entries that differ by more than 10 % in either direction, are missing or are not in the baseline.
set -euo pipefail
awk '
  FNR == NR {
    if (match($0, /"[^"]+": [0-9]+/)) {
      split(substr($0, RSTART, RLENGTH), pair, "\": ")
      stored[substr(pair[1], 2)] = pair[2]
    }
    next
  }
  !($1 in stored) {print $1 ": not in the baseline"; bad = 1; next}
  {
    seen[$1] = 1
    change = 100 * ($2 / stored[$1] - 1)
    if (change > 10 || change < -10) {printf "%s: %d instructions, baseline %d (%+.1f %%)\n", $1, $2, stored[$1], change; bad = 1}
  }
  END {
    for (name in stored) if (!(name in seen)) {print name ": in the baseline, not measured"; bad = 1}
    if (length(seen) == 0) bad = 1
    print bad ? "bench: instructions changed; where that is meant, make bench-store" : "bench: " length(seen) " entries within 10 % of the baseline"
    exit bad
  }' "$1" "$2"
