#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
# kill.sh PROGRAM COUNT: kills runs COUNT times at random instants (SIGKILL) and resumes them. What is left behind must be readable at every
# instant, and the results must have the same bytes as those of a run that nobody disturbed.
set -euo pipefail
program=$1
count=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Model, scheme and settings, each about a second long.
runs=(
  "slider_crank moreau-midpoint --dt 1e-6 --end 0.4"
  "slider_crank_bodies half-explicit-velocity --dt 2e-6 --end 0.2"
  "bouncing_ball moreau-jean --dt 2e-5 --end 8"
  "woodpecker generalized-alpha --dt 1e-5 --end 0.5"
  "impact_oscillator event-driven --dt 1e-3 --end 300"
  "block_on_slope lcp-euler --dt 1e-5 --end 0.2"
  "spheres_in_box lcp-euler --end 0.5"
  "tippe_top generalized-alpha --dt 1e-4 --end 1"
  "chain_of_pendulums moreau-midpoint --dt 1e-4 --end 0.5"
  "ratchet combined-projection --dt 1e-4 --end 0.3"
)
RANDOM=${SEED:-7}

summary() { grep -v '"wall_s"\|"us_per_step"' "$1/summary.json"; }

# Kills the process after a part of the time that a whole run takes. Succeeds if it was still running.
kill_within() {
  local child=$1 milliseconds=$2
  sleep "$(printf '%d.%03d' $((milliseconds / 1000)) $((milliseconds % 1000)))"
  local alive=1
  kill -KILL "$child" 2>/dev/null && alive=0
  wait "$child" 2>/dev/null || true
  return $alive
}

killed=0
for ((k = 0; killed < count && k < 4 * count; ++k)); do
  read -r -a run <<<"${runs[k % ${#runs[@]}]}"
  name=$((k % ${#runs[@]}))
  settings=(--scheme "${run[1]}" "${run[@]:2}" --quiet --no-report --record 20 --checkpoint 0.02s)
  if [[ ! -e whole$name ]]; then
    begin=$(date +%s%N)
    "$program" run "${run[0]}" "${settings[@]}" --out "whole$name"
    duration[name]=$((($(date +%s%N) - begin) / 1000000 + 1))
  fi
  rm -rf killed
  "$program" run "${run[0]}" "${settings[@]}" --out killed &
  kill_within $! $((RANDOM % duration[name])) && killed=$((killed + 1))
  [[ -e killed/run.json || -e killed/summary.json ]] || continue # it had not begun
  for again in 1 2; do
    if [[ -e killed/result.h5 ]]; then "$program" report killed >/dev/null; fi
    "$program" run --resume killed --quiet --no-report &
    kill_within $! $((RANDOM % duration[name])) && killed=$((killed + 1))
  done
  "$program" run --resume killed --quiet --no-report
  cmp "whole$name/result.h5" killed/result.h5
  cmp <(summary "whole$name") <(summary killed)
  if [[ -e killed/checkpoint || -e killed/result.h5.part || -e killed/run.json ]]; then
    echo "${runs[name]}: what only serves to resume the run is still there: $(ls killed)" >&2
    exit 1
  fi
done
echo "killed $killed times"
((killed >= count))
