#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
# Batches on a machine with a GPU: rates, and equality with single runs.
#   bench/gpu.sh [build/tappet] [folder]        with ON=cpu the same on the processor, with COUNT other numbers of instances
set -uo pipefail
tappet=$(realpath "${1:-build/tappet}")
out=${2:-$(mktemp -d)}
on=${ON:-gpu}
count=${COUNT:-1048576}
mkdir -p "$out"

every_number=(--vary l1=0.1484:0.1576 --vary l2=0.2968:0.3152 --vary a=0.0485:0.0515 --vary b=0.02425:0.02575
  --vary c=5e-4:15e-4 --vary m1=0.0369:0.0391 --vary m2=0.0369:0.0391 --vary m3=0.0737:0.0783 --vary J1=7.18e-5:7.62e-5
  --vary J2=5.72e-4:6.08e-4 --vary J3=2.62e-6:2.78e-6 --vary g=9.5:10.1 --vary e_N=0.38:0.42 --vary e_F=0:0.1
  --vary mu=0:0.02 --vary omega1=145:155 --vary omega2=-77:-73 --vary omega3=-1:1)

if [[ $on == gpu ]]; then
  nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null || echo "nvidia-smi was not found"
fi

# rate TITLE MODEL ARGUMENTS…: the line of the batch with its rate
rate() {
  local title=$1
  shift
  echo "== $title"
  "$tappet" batch "$@" --on "$on" --count "$count" --out "$out/rate" 2>&1 | grep -E 'steps/s|engine itself|tappet:|failed'
}

# equal TITLE MODEL ARGUMENTS…: the largest difference of every column between a batch of 64 and single runs
equal() {
  local title=$1
  shift
  echo "== $title"
  rm -rf "$out/batch" "$out/runs"
  "$tappet" batch "$@" --on "$on" --count 64 --out "$out/batch" 2>&1 | grep -E 'steps/s|engine itself|tappet:'
  "$tappet" study "$out/batch/study.yaml" --out "$out/runs" --fresh --quiet || return
  paste -d, "$out/batch/study.csv" "$out/runs/study.csv" | awk -F, '
    NR == 1 { n = NF / 2; for (i = 1; i <= n; ++i) name[i] = $i; next }
    { for (i = 1; i <= n; ++i) { d = $i - $(i + n); if (d < 0) d = -d; if (d > worst[i]) worst[i] = d } }
    END { for (i = 1; i <= n; ++i) if (worst[i] > 0) printf "   %s %.1e", name[i], worst[i]; print "" }'
}

steps=(--dt 1e-5 --end 0.02)  # 2000
rate "slider_crank, moreau-midpoint, friction, all parameters different" \
  slider_crank --scheme moreau-midpoint "${steps[@]}" "${every_number[@]}"
rate "slider_crank, moreau-explicit" slider_crank --scheme moreau-explicit "${steps[@]}" "${every_number[@]}"
rate "slider_crank, half-explicit-velocity" slider_crank --scheme half-explicit-velocity "${steps[@]}" "${every_number[@]}"
rate "slider_crank_bodies" slider_crank_bodies --scheme moreau-midpoint "${steps[@]}" --vary c=5e-4:15e-4
rate "slider_crank_bodies, ggl-unified" slider_crank_bodies --scheme ggl-unified "${steps[@]}" --vary c=5e-4:15e-4
rate "tippe_top, Contensou friction in space" tippe_top --scheme moreau-midpoint --dt 1e-4 --end 0.2 --vary mu=0.2:0.4
for scheme in moreau-midpoint moreau-explicit half-explicit-velocity explicit-velocity; do
  equal "64 instances of slider_crank beside single runs, $scheme, 2000 steps" \
    slider_crank --scheme $scheme "${steps[@]}" "${every_number[@]}"
done
equal "woodpecker: three contacts that stick" \
  woodpecker --scheme moreau-midpoint --dt 1e-5 --end 0.16 --vary mu=0.295:0.315 --vary w_S=16.5:18
equal "rocking block: two contacts at once, dependent rows" \
  rocking_block --scheme moreau-midpoint --dt 1e-3 --end 4 --vary mu=0:0.8 --vary theta0=0.05:0.2 --vary e=0:0.3
equal "bouncing ball to rest" bouncing_ball --scheme moreau-midpoint --dt 1e-3 --end 4 --vary e=0.1:0.5
