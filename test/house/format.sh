#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
#   test/house/format.sh columns ROOT    fails and names C++ lines of more than 120 characters
#   test/house/format.sh layout ROOT     fails if clang-format would lay out a C++ file differently
#
# Ends with 77, which CTest counts as skipped, if clang-format is not installed. Other versions of clang-format may see
# some lines differently: the tree follows version 14.
set -euo pipefail
task=$1 root=$2
cd "$root"
mapfile -t files < <(find include src app test bench examples python -name '*.h' -o -name '*.cpp' | sort)
if [ "${#files[@]}" -lt 300 ]; then
  echo "only ${#files[@]} C++ files were found in $root" >&2
  exit 1
fi
case $task in
  columns)
    if LC_ALL=C.UTF-8 grep -nP '^\X{121,}$' "${files[@]}"; then
      echo "lines of more than 120 characters" >&2
      exit 1
    fi
    ;;
  layout)
    program=$(command -v clang-format-14 || command -v clang-format || true)
    if [ -z "$program" ]; then
      echo "skipped: clang-format is not installed (Debian: clang-format-14)"
      exit 77
    fi
    case $("$program" --version) in
      *"version 14."*) ;;
      *)
        echo "skipped: clang-format 14 is not installed, but $("$program" --version)"
        exit 77
        ;;
    esac
    "$program" --dry-run --Werror "${files[@]}"
    ;;
  *)
    echo "expected columns or layout, got $task" >&2
    exit 2
    ;;
esac
