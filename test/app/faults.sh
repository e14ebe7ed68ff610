#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
# faults.sh PROGRAM COUNT: runs that find a full disk, too little memory, a folder that disappears, or one in which nothing can be
# written. Exit code and message must be right, what was computed before must be readable, and a run that can go on must give the same
# bytes as one that nobody disturbed.
set -euo pipefail
program=$1
count=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
RANDOM=${SEED:-11}
settings=(slider_crank --dt 1e-5 --end 0.3 --quiet --no-report --checkpoint 0.05s)
"$program" run "${settings[@]}" --out whole
size=$(($(stat -c %s whole/result.h5) / 1024))

fail() {
  echo "$1" >&2
  [[ -e log ]] && cat log >&2
  exit 1
}

# Runs with a limit of the shell, and expects exit code 1 with a message of these words.
expect_failure() {
  local limit=$1 words=$2 code=0
  shift 2
  (
    eval "ulimit $limit"
    exec "$program" "$@"
  ) 2>log || code=$?
  [[ $code -eq 1 ]] || fail "$limit: exit code $code instead of 1"
  grep -q "$words" log || fail "$limit: no message about: $words"
}

# The limit of the size of a file stands for the size of the disk.
for ((k = 0; k < count; ++k)); do
  rm -rf full
  limit=$((RANDOM * 32768 % (size - 16) + (RANDOM % (size - 16))))
  limit=$((limit % (size - 16) + 1))
  expect_failure "-f $limit" "cannot write" run "${settings[@]}" --out full
  if [[ -e full/result.h5 ]]; then "$program" report full >/dev/null || fail "-f $limit: the result cannot be read"; fi
  if [[ -e full/run.json ]]; then
    "$program" run --resume full --quiet --no-report || fail "-f $limit: cannot be resumed"
    cmp whole/result.h5 full/result.h5 || fail "-f $limit: other results"
  fi
done

# Between what the program needs to start at all and what the run needs.
for ((k = 0; k < count; ++k)); do
  rm -rf small
  limit=$((20000 + RANDOM * 8))
  code=0
  (
    ulimit -v $limit
    exec "$program" run "${settings[@]}" --out small
  ) >log 2>&1 || code=$?
  [[ $code -eq 0 || $code -eq 1 || $code -eq 127 ]] || fail "-v $limit: exit code $code" # 127: the loader had no memory
  if [[ $code -eq 1 ]]; then grep -q -i "memory" log || fail "-v $limit: no message about memory"; fi
  if [[ -e small/result.h5 ]]; then "$program" report small >/dev/null || fail "-v $limit: the result cannot be read"; fi
done

# The folder disappears during the run.
"$program" run "${settings[@]/0.3/60}" --out gone 2>log &
child=$!
sleep 1
until rm -rf gone 2>/dev/null; do :; done # the run may write a file meanwhile
code=0
wait $child || code=$?
[[ $code -eq 1 ]] || fail "folder removed: exit code $code instead of 1"
grep -q "cannot write" log || fail "folder removed: no message"

# Nothing can be written: a file is where the folder should be.
code=0
"$program" run "${settings[@]}" --out "$program/out" 2>log || code=$?
[[ $code -eq 2 ]] || fail "read-only: exit code $code instead of 2"
grep -q "cannot create folder" log || fail "read-only: no message"

# Two runs into one folder.
"$program" run "${settings[@]/0.3/60}" --out shared 2>/dev/null &
child=$!
sleep 0.5
code=0
"$program" run "${settings[@]}" --out shared 2>log || code=$?
kill -KILL $child
wait $child 2>/dev/null || true
[[ $code -eq 2 ]] || fail "two runs: exit code $code instead of 2"
grep -q "another run writes into" log || fail "two runs: no message"
"$program" run "${settings[@]}" --out shared || fail "the lock outlived the program that was killed"
echo "$count full disks and $count limits of memory"
