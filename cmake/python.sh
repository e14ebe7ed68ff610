#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
#   cmake/python.sh               the arguments with which CMake builds the Python package; says on stderr if it is left out
#   cmake/python.sh --say BUILD   how the package that was built is used
#
# The interpreter is $PYTHON3 if that is set. Otherwise it is the first of python3 and /usr/bin/python3 that has NumPy and
# the headers.
set -euo pipefail

fits() {
  "$1" - 2>/dev/null <<'END'
import os, sys, sysconfig
import numpy
sys.exit(0 if os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")) else 1)
END
}
has_pybind11() { [[ -d /usr/include/pybind11 ]] || "$1" -c 'import pybind11' 2>/dev/null; }

python=
for candidate in ${PYTHON3:-python3 /usr/bin/python3}; do
  if command -v "$candidate" >/dev/null && fits "$candidate" && has_pybind11 "$candidate"; then
    python=$(command -v "$candidate")
    break
  fi
done

if [[ ${1:-} == --say ]]; then
  echo "The package is in $2/python. To use it: PYTHONPATH=$PWD/$2/python $python"
elif [[ -z $python ]]; then
  echo "The Python package is left out: no python3 with headers, NumPy and pybind11 was found (make python)" >&2
  echo "-DTAPPET_PYTHON=OFF"
else
  echo "-DTAPPET_PYTHON=ON -DPython3_EXECUTABLE=$python"
fi
