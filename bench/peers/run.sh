#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
#   bench/peers/run.sh BUILD [CASE…]     one table: the same cases with Tappet and the other engines
#
# First it measures the processor time of the steps alone, with one process and one thread at a time. Then, for small
# cases and if valgrind is installed, callgrind counts the instructions per step, again only those of the steps. They do
# not depend on the load of the machine, so several processes run at once. If an engine fails or takes too long, its row
# says so. The table is also written to BUILD/peers.md, as docs/performance.md shows it.
set -uo pipefail
build=$1
shift
cases=("$@")
((${#cases[@]})) || cases=(bouncing_ball slider_crank elastic_bar_100 elastic_bar_1000 ball_bounce block_on_slope
  sphere_sliding slider_crank_ideal chain_100 spheres_in_box pyramid_210 rocks_200)
engines=(tappet siconos_kernel siconos_bodies siconos_spheres siconos_pile bullet ode mujoco)
counted=" bouncing_ball slider_crank elastic_bar_100 ball_bounce slider_crank_ideal "
limit=240 # s of processor time, for one engine in one case
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
row='^[^\t]+(\t[^\t]*){6}$' # engines also print warnings between the rows

program() { echo "$build/bench/peers/peer_$1"; }

time_of() { # CASE ENGINE NUMBER
  (ulimit -t "$limit" && exec "$(program "$2")" "$1") 2>/dev/null | grep -aP "$row" >"$work/new"
  local status=${PIPESTATUS[0]} why
  sed "s/^/$3\t/" "$work/new" >>"$work/rows"
  ((status)) || return 0
  why="failed, status $status"
  ((status != 137 && status != 152)) || why="not done after $limit s"
  printf '%d\t%s\t%s\t\t\t\t\t%s\n' "$3" "$1" "$2" "$why" >>"$work/rows"
}

# The same rows with fewer steps: what timed_step costs, over its calls. One file of counts a row, in their order.
count() { # CASE ENGINE
  local name=$work/$1.$2 steps=1000 file
  [[ $1 != elastic_bar_100 ]] || steps=100
  (ulimit -t "$limit" && exec valgrind --tool=callgrind --callgrind-out-file="$name.cg" --toggle-collect='*timed_step*' \
    --dump-after='*end_of_row*' "$(program "$2")" "$1" "$steps") 2>/dev/null | grep -aP "$row" | cut -f1,2,3 >"$name.names"
  for file in $(ls -v "$name".cg.[0-9]* 2>/dev/null); do
    awk -v steps=$steps '/^summary:|^totals:/ {print int($2 / steps + 0.5); exit}' "$file"
  done >"$name.totals"
  paste "$name.names" "$name.totals" >"$name.counts"
}

: >"$work/rows"
number=0
for case in "${cases[@]}"; do
  for engine in "${engines[@]}"; do
    [[ -x $(program "$engine") ]] || continue
    time_of "$case" "$engine" "$number"
  done
  echo "bench-peers: $case timed after $SECONDS s" >&2
  ((number += 1))
done

if command -v valgrind >/dev/null; then
  running=0
  for case in "${cases[@]}"; do
    [[ $counted == *" $case "* ]] || continue
    for engine in "${engines[@]}"; do
      [[ -x $(program "$engine") ]] || continue
      ((running < $(nproc))) || { wait -n && ((running -= 1)); }
      count "$case" "$engine" &
      ((running += 1))
    done
  done
  wait
  echo "bench-peers: instructions counted after $SECONDS s" >&2
fi
cat "$work"/*.counts >"$work/all_counts" 2>/dev/null

version() { dpkg-query -W -f='${Version}' "$1" 2>/dev/null || echo none; }
cat <<END
Processor: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1); one thread; processor time of the steps alone
Ours: $("$build/tappet" --version | head -1), $(c++ --version | head -1), -O2 -DNDEBUG -ffp-contract=off
Siconos $(version libsiconos-kernel-dev) (Debian builds its kernel with assertions on), Bullet $(version libbullet-dev) \
(single precision), ODE $(version libode-dev), MuJoCo $(version libmujoco-dev): as Debian builds them (-O2)

END
sort -s -t$'\t' -k1,1n -k2,2 "$work/rows" | awk -F'\t' -v counts="$work/all_counts" '
  function digits(x) {  # three of them, without an exponent where that is readable
    if (x == "") return "–"
    if (x + 0 == 0) return "0"
    if (x < 1000) return x < 1e-5 ? sprintf("%.1e", x) : sprintf("%.3g", x)
    scale = 10 ^ (int(log(x) / log(10)) - 2)
    return sprintf("%d", int(x / scale + 0.5) * scale)
  }
  BEGIN {
    while ((getline line < counts) > 0) if (split(line, part, "\t") == 4) instructions[part[1], part[2], part[3]] = part[4]
    print "| case | engine | setting | µs per step | instructions | deepest, µm | error |"
    print "|---|---|---|---|---|---|---|"
  }
  {
    n = (($2, $3, $4) in instructions) ? instructions[$2, $3, $4] : "–"
    gsub(/ um/, " µm", $8); gsub(/<=/, "≤", $8)
    printf "| %s | %s | %s | %s | %s | %s | %s |\n", $2 == before ? "" : $2, $3, $4 == "" ? "–" : $4, digits($6), n, digits($7), $8 == "" ? "–" : $8
    before = $2
  }' | tee "$build/peers.md"
echo
echo "In all $SECONDS s; the table stands in $build/peers.md"
grep -q $'\ttappet\t\t' "$work/rows" && exit 1 || exit 0
