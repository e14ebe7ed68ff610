#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
#   test/house/function_length.sh FOLDER [MOST]    the lengths of the functions in the .cpp files of a folder, in lines
#
# Prints the 50th and the 90th percentile and the longest ones. Fails if the 90th percentile exceeds MOST. It relies on
# the layout of clang-format: a function begins in the first column and ends with a brace there.
set -euo pipefail
folder=$1 most=${2:-0}
find "$folder" -name '*.cpp' -print0 | sort -z | xargs -0 awk '
  FNR == 1 {start = 0}
  /^(namespace|struct|class|enum|union|using|extern|#|\/\/|template)/ && !/\) (const )?(noexcept )?\{$/ {start = 0; next}
  /^[A-Za-z_]/ && !start {start = FNR; name = $0}
  /^[^ \/#}].*;$/ {start = 0}
  /^[^ ].*\}$/ && start && !/^\}/ {print 1, FILENAME ":" FNR, name; start = 0}
  /^\}/ && start {print FNR - start + 1, FILENAME ":" start, name; start = 0}' | sort -n >"${TMPDIR:-/tmp}/lengths.$$"
trap 'rm -f "${TMPDIR:-/tmp}/lengths.$$"' EXIT
awk -v most="$most" -v folder="$folder" '
  {length_[NR] = $1; line[NR] = $0}
  END {
    if (NR == 0) {print folder ": no functions found"; exit 1}
    p50 = length_[int((NR + 1) * 0.5)]; p90 = length_[int((NR + 1) * 0.9)]
    printf "%s: %d functions, p50 %d, p90 %d, longest %d\n", folder, NR, p50, p90, length_[NR]
    for (i = NR; i > NR - 12 && i > 0; --i) print "  " line[i]
    if (most > 0 && p90 > most) {printf "p90 is %d lines, expected at most %d\n", p90, most; exit 1}
  }' "${TMPDIR:-/tmp}/lengths.$$"
