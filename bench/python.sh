#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
#   bench/python.sh BUILD    what Python costs: a million steps over the program, a step from a loop, a control, two threads
#
# Processor times are compared, alternately. The speed-up of two threads is that of the clock, so it needs two free cores;
# the load of the machine is printed first.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/.."
python=${PYTHON:-$(sed -n 's/^_*Python3_EXECUTABLE:[^=]*=//p' "$build/CMakeCache.txt" | head -1)}  # that of the build
echo "load: $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) cores"
PYTHONPATH=$build/python TAPPET_PROGRAM=$build/tappet MPLBACKEND=Agg PYTHONDONTWRITEBYTECODE=1 \
  "$python" -m pytest -s -q -p no:cacheprovider python/test/test_speed.py | grep -E ':|passed|failed'
