#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
#   bench/peers/run.sh BUILD [CASE…]     one table: the same cases with Tappet and the other engines
#
# One process and one thread at a time. Times are processor time per step; instructions per step are counted by
# callgrind around the steps alone, for small cases where valgrind is installed.
set -euo pipefail
build=$1
shift
cases=("$@")
((${#cases[@]})) || cases=(bouncing_ball slider_crank elastic_bar_100 elastic_bar_1000 ball_bounce block_on_slope
  sphere_sliding slider_crank_ideal chain_100 spheres_in_box pyramid_210)
engines=(tappet siconos_kernel siconos_spheres siconos_pile bullet ode mujoco)
counted=" bouncing_ball slider_crank elastic_bar_100 ball_bounce slider_crank_ideal "
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
rows=$(mktemp)
trap 'rm -f "$rows" "$rows".*' EXIT

# The same case with fewer steps under callgrind, one file of counts per row: what timed_step costs, over its calls.
instructions() {
  valgrind --tool=callgrind --callgrind-out-file="$rows.cg" --toggle-collect='*timed_step*' --dump-after='*end_of_row*' \
    "$1" "$2" 1000 >/dev/null 2>&1 || return 0
  local file
  for file in $(ls -v "$rows".cg.[0-9]* 2>/dev/null); do
    awk '/^summary:|^totals:/ {print int($2 / 1000 + 0.5); exit}' "$file"
  done
  rm -f "$rows".cg*
}

for case in "${cases[@]}"; do
  for engine in "${engines[@]}"; do
    program=$build/bench/peers/peer_$engine
    [[ -x $program ]] || continue
    # Engines print warnings of their own between the rows.
    "$program" "$case" 2>/dev/null | grep -P '(\t.*){5}' >"$rows.new" || ((PIPESTATUS[0] == 0)) || echo -e "$case\t$engine\t\t\t\t\tfailed" >>"$rows.new"
    if [[ $counted == *" $case "* ]] && command -v valgrind >/dev/null; then
      instructions "$program" "$case" >"$rows.counts"
    else
      : >"$rows.counts"
    fi
    paste "$rows.new" "$rows.counts" >>"$rows"
  done
done

version() { dpkg-query -W -f='${Version}' "$1" 2>/dev/null || echo none; }
echo "Processor: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1); one thread; processor time"
echo "Ours: $("$build/tappet" --version | head -1), $(c++ --version | head -1), -O2 -DNDEBUG -ffp-contract=off"
echo "Siconos $(version libsiconos-kernel-dev) (Debian builds its kernel with assertions on), Bullet $(version libbullet-dev)" \
  "(single precision), ODE $(version libode-dev), MuJoCo $(version libmujoco-dev): as Debian builds them (-O2)"
echo
sort -s -t$'\t' -k1,1 "$rows" | awk -F'\t' '
  BEGIN {print "case\tengine\tsetting\tus a step\tinstructions\tdeepest um\terror"}
  {printf "%s\t%s\t%s\t%.4g\t%s\t%s\t%s\n", $1, $2, $3, $5, $8 == "" ? "-" : $8, $6 == "" ? "-" : sprintf("%.3g", $6), $7 == "" ? "-" : $7}' |
  column -t -s$'\t'
