#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
# Installs the Debian packages that are missing and names them. It does nothing if all are installed. With the word
# `test` it also installs packages that only tests use, with `python` those of the Python package, with `bench` the
# instruction counter, with `peers` that and the other engines, and with `fuzz` clang and its libraries.
set -euo pipefail

packages=(
  g++ cmake make
  libeigen3-dev libfmt-dev libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libhdf5-dev zlib1g-dev libtbb-dev libsundials-dev
  libqhull-dev libassimp-dev libtinyxml2-dev libnlopt-dev libcpp-httplib-dev
)
case ${1:-} in
  test) packages+=(libgtest-dev libgmock-dev) ;;
  python) packages+=(python3-dev python3-numpy pybind11-dev) ;;
  bench | peers) packages+=(libbenchmark-dev) ;;
  fuzz) packages+=(libgtest-dev libgmock-dev clang libclang-rt-14-dev) ;;
esac

if ! command -v dpkg-query >/dev/null; then
  echo "dependencies: not a Debian system; these must be there under their local names: ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
# Node bundles the report page, and Chromium tests it. Without them everything else is built and tested.
wanted=()
command -v node >/dev/null && command -v npm >/dev/null || wanted+=(nodejs npm)
if [[ ${1:-} == test ]]; then
  command -v chromium >/dev/null || command -v google-chrome >/dev/null || wanted+=(chromium)
  # A study is tested on a real Slurm cluster, if the tests may start one.
  if [[ $(id -u) == 0 ]]; then command -v slurmctld >/dev/null || wanted+=(munge slurmctld slurmd slurm-client); fi
fi
optional=()
# What the tests and notebooks of the Python package use. It works without them.
if [[ ${1:-} == python ]]; then
  optional+=(python3-pytest python3-matplotlib python3-pandas python3-nbclient python3-ipykernel mypy)
fi
if [[ ${1:-} == bench || ${1:-} == peers ]]; then optional+=(valgrind); fi
if [[ ${1:-} == peers ]]; then
  optional+=(pkg-config libsiconos-kernel-dev libsiconos-numerics-dev libmujoco-dev libbullet-dev libode-dev libfcl-dev)
fi
for package in "${optional[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || wanted+=("$package")
done
((${#missing[@]} + ${#wanted[@]})) || exit 0

echo "dependencies: installing ${missing[*]} ${wanted[*]}"
as_root=()
if [[ $(id -u) != 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "dependencies: run as root, or install sudo" >&2
    ((${#missing[@]} == 0)) && exit 0 || exit 1
  fi
  as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
fetch() { "${as_root[@]}" apt-get update -qq && "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$@"; }
((${#missing[@]} == 0)) || fetch "${missing[@]}"
((${#wanted[@]} == 0)) || fetch "${wanted[@]}" || echo "dependencies: going on without ${wanted[*]}" >&2
