#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
# slurm.sh PROGRAM KILLS: a study on a real Slurm cluster with three nodes on this machine. One node is lost in the middle of the study, and
# the program that submitted it is killed KILLS times. The results must have the same bytes as those of a local study. Exit code 77:
# skipped, because there is no Slurm.
set -euo pipefail
program=$(realpath "$1")
kills=$2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/cluster.sh"
if ! cluster_available; then
  echo "skipped: Slurm is not installed, or this is not root (Debian: munge slurmctld slurmd slurm-client)"
  exit 77
fi
folder=$(mktemp -d)
chmod 755 "$folder"
trap 'cluster_stop; rm -rf "$folder"' EXIT
cd "$folder"
cluster_start "$folder/cluster" || { cat "$folder"/cluster/*.out; echo "the cluster did not start"; exit 1; }

cat >study.yaml <<'YAML'
model: slider_crank
dt: 1e-5
end: 0.1
vary: {mu: {from: 0, to: 0.3, count: 150}, e_N: [0.1, 0.4]}
measure: {deepest: {max: violation}, strobe: {at: every, period: 0.01, of: theta1}}
YAML
"$program" study study.yaml --out local --quiet
same() { for file in study.h5 study.csv study.strobe.csv; do cmp "local/$file" "$1/$file"; done; }

echo "undisturbed"
"$program" study study.yaml --out whole --on slurm --task-seconds 2 --json >summary.json
same whole

echo "a node is lost"
"$program" study study.yaml --out lost --on slurm --task-seconds 2 --json >summary.json &
study=$!
cluster_wait 60 bash -c 'squeue -h -t RUNNING -w n2 | grep -q .'
cluster_kill_node n2
wait "$study"
same lost
cluster_begin n2 slurmd -D -c -N n2
cluster_wait 60 cluster_nodes_are_idle

echo "tasks are cancelled"
"$program" study study.yaml --out cancelled --on slurm --task-seconds 2 --json >summary.json &
study=$!
cluster_wait 60 bash -c 'squeue -h -t RUNNING | grep -q .'
scancel -p test
wait "$study"
same cancelled

echo "the submitter is killed"
RANDOM=3
for ((k = 0; k < kills; ++k)); do
  "$program" study study.yaml --out killed --on slurm --task-seconds 2 --resume --quiet &
  study=$!
  sleep "$((RANDOM % 3)).$((RANDOM % 10))"
  kill -KILL "$study" 2>/dev/null || true
  wait "$study" 2>/dev/null || true
done
"$program" study study.yaml --out killed --on slurm --task-seconds 2 --resume --json >summary.json
same killed
[[ ! -e killed/parts && ! -e killed/study.journal ]]
echo "all studies have the same results"
