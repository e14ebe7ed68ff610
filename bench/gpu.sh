#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
# Batches on a machine with a GPU: rates, and equality with single runs.
#   bench/gpu.sh [build/tappet] [folder]    ON=cpu: the same on the processor; COUNT=…: other numbers of instances
#   bench/gpu.sh --write FOLDER [build/tappet]    instead writes code, inputs and expected results of all rows for
#                                                 bench/gpu/run.sh, which needs a GPU and nvcc, but no Tappet
set -uo pipefail
write=
if [[ ${1:-} == --write ]]; then
  write=$2
  shift 2
fi
tappet=$(realpath "${1:-build/tappet}")
out=${2:-$(mktemp -d)}
on=${ON:-gpu}
count=${COUNT:-1048576}
mkdir -p "$out" ${write:+"$write"}

slider_crank=(slider_crank --dt 1e-5 --end 0.02 # 2000 steps, all 18 parameters different
  --vary l1=0.1484:0.1576 --vary l2=0.2968:0.3152 --vary a=0.0485:0.0515 --vary b=0.02425:0.02575
  --vary c=5e-4:15e-4 --vary m1=0.0369:0.0391 --vary m2=0.0369:0.0391 --vary m3=0.0737:0.0783 --vary J1=7.18e-5:7.62e-5
  --vary J2=5.72e-4:6.08e-4 --vary J3=2.62e-6:2.78e-6 --vary g=9.5:10.1 --vary e_N=0.38:0.42 --vary e_F=0:0.1
  --vary mu=0:0.02 --vary omega1=145:155 --vary omega2=-77:-73 --vary omega3=-1:1)
without_e_F=() # Poisson's law has no restitution of friction
for argument in "${slider_crank[@]}"; do
  if [[ $argument == e_F=* ]]; then
    unset 'without_e_F[-1]'
  else
    without_e_F+=("$argument")
  fi
done
bodies=(slider_crank_bodies --dt 1e-5 --end 0.02 --vary c=5e-4:15e-4 --vary mu=0.01:0.02)
joints=(slider_crank_bilateral_bodies --dt 1e-5 --end 0.02 --vary l1=0.15:0.156 --vary m2=0.03:0.04
  --vary omega1=140:160)
top=(tippe_top --dt 1e-4 --end 0.2 --vary mu=0.2:0.4 --vary Omega=150:200)

# rate TITLE ASKED MODEL ARGUMENTS…
rate() {
  local title=$1 asked=$2 line
  shift 2
  if [[ -n $write ]]; then
    local name
    name=$(tr -cd 'a-z0-9-' <<<"${title// /-}")
    "$tappet" batch "$@" --on cpu --count "${ROWS:-4096}" --code "$write/$name.cu" --inputs "$write/$name.in" \
      --out "$out/rate" --quiet --seed 7 >/dev/null || { echo "$title: failed"; return; }
    "$tappet" batch "$@" --on cpu --count 64 --out "$out/first" --quiet --seed 7 >/dev/null
    "$tappet" study "$out/first/study.yaml" --out "$out/runs" --fresh --quiet && cp "$out/runs/study.csv" "$write/$name.csv"
    return
  fi
  if [[ $on == gpu ]]; then # the first batch tries which kernel is the fastest
    "$tappet" batch "$@" --on gpu --count 262144 --out "$out/rate" --quiet >/dev/null 2>&1
  fi
  line=$("$tappet" batch "$@" --on "$on" --count "$count" --out "$out/rate" 2>&1)
  printf '%-62s %8s  %s\n' "$title" "$asked" "$(grep -oE '[0-9.e+]+ steps/s|[0-9]+ instances were carried out by the engine|tappet:.*' \
    <<<"$line" | paste -sd' ')"
}

# equal TITLE MODEL ARGUMENTS…: the largest differences of positions and of velocities between a batch of 64 and single
# runs
equal() {
  local title=$1
  shift
  [[ -n $write ]] && return
  rm -rf "$out/batch" "$out/runs"
  "$tappet" batch "$@" --on "$on" --count 64 --out "$out/batch" --quiet || return
  "$tappet" study "$out/batch/study.yaml" --out "$out/runs" --fresh --quiet || return
  printf '%-62s %8s  ' "$title" 1e-13,-11
  paste -d, "$out/batch/study.csv" "$out/runs/study.csv" | awk -F, '
    NR == 1 { n = NF / 2; for (i = 1; i <= n; ++i) name[i] = $i; next }
    { for (i = 1; i <= n; ++i) {
        if (name[i] ~ /^(status|steps|unconverged|iterations|message)$/) continue
        d = $i - $(i + n); if (d < 0) d = -d
        rate = name[i] ~ /_rate$|_[vw][xyz]$/
        if (d > worst[rate]) worst[rate] = d } }
    END { printf "positions %.1e, velocities %.1e\n", worst[0], worst[1] }'
}

if [[ $on == gpu && -z $write ]]; then
  nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null || echo "nvidia-smi was not found"
fi
[[ -z $write ]] && printf '%-62s %8s  %s\n' what asked measured
rate "slider_crank, moreau-midpoint" 2e10 "${slider_crank[@]}" --scheme moreau-midpoint
rate "slider_crank, moreau-explicit" - "${slider_crank[@]}" --scheme moreau-explicit
rate "slider_crank, half-explicit-velocity" - "${slider_crank[@]}" --scheme half-explicit-velocity
rate "slider_crank, explicit-velocity" - "${slider_crank[@]}" --scheme explicit-velocity
rate "slider_crank, moreau-jean" - "${slider_crank[@]}" --scheme moreau-jean
rate "slider_crank, lcp-euler" - "${without_e_F[@]}" --scheme lcp-euler
rate "slider_crank_bodies, moreau-midpoint" 8e9 "${bodies[@]}" --scheme moreau-midpoint
rate "slider_crank_bilateral_bodies, ggl-unified" 3e9 "${joints[@]}" --scheme ggl-unified
rate "slider_crank_bodies, ggl-unified, contacts" - "${bodies[@]}" --scheme ggl-unified
rate "tippe_top, moreau-midpoint, Contensou friction in space" stated "${top[@]}" --scheme moreau-midpoint
for scheme in moreau-midpoint moreau-explicit half-explicit-velocity explicit-velocity moreau-jean ggl-unified; do
  equal "64 of slider_crank beside single runs, $scheme" "${slider_crank[@]}" --scheme $scheme
done
equal "64 of slider_crank beside single runs, lcp-euler" "${without_e_F[@]}" --scheme lcp-euler
for scheme in moreau-midpoint half-explicit-velocity lcp-euler moreau-jean ggl-unified; do
  equal "64 of slider_crank_bodies, $scheme" "${bodies[@]}" --scheme $scheme
done
equal "64 of tippe_top, moreau-midpoint" "${top[@]}" --scheme moreau-midpoint
equal "woodpecker: three contacts that stick" \
  woodpecker --scheme moreau-midpoint --dt 1e-5 --end 0.16 --vary mu=0.295:0.315 --vary w_S=16.5:18
equal "rocking block: two contacts at once, dependent rows" \
  rocking_block --scheme moreau-midpoint --dt 1e-3 --end 4 --vary mu=0:0.8 --vary theta0=0.05:0.2 --vary e=0:0.3
equal "bouncing ball to rest" bouncing_ball --scheme moreau-midpoint --dt 1e-3 --end 4 --vary e=0.1:0.5
