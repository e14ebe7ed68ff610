#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
# kill.sh PROGRAM COUNT: kills a study COUNT times at random instants (SIGKILL) and resumes it each time. The results must have the same
# bytes as those of a study that nobody disturbed.
set -euo pipefail
program=$1
count=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >study.yaml <<'YAML'
model: slider_crank
end: 0.05
vary:
  mu: {from: 0, to: 0.3, count: 120}
  e_N: {uniform: [0.1, 0.6]}
samples: 4
sampling: latin-hypercube
measure:
  deepest: {max: violation}
  strobe: {at: every, period: 0.01, of: theta1}
YAML
"$program" study study.yaml --out whole --quiet
RANDOM=7
killed=0
for ((k = 0; killed < count && k < 5 * count; ++k)); do
  "$program" study study.yaml --out killed --quiet --resume &
  child=$!
  sleep "0.$(printf '%03d' $((RANDOM % 250)))"
  if kill -KILL "$child" 2>/dev/null; then killed=$((killed + 1)); fi
  wait "$child" 2>/dev/null || true
  if [[ ! -e killed/study.journal && -e killed/study.h5 ]]; then rm -rf killed; fi # it was faster: begin again
done
echo "killed $killed times"
"$program" study study.yaml --out killed --quiet --resume
for file in study.h5 study.csv study.strobe.csv study.yaml; do cmp "whole/$file" "killed/$file"; done
[[ ! -e killed/study.journal ]]
((killed == count))
