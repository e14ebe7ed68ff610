#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
# Installs the Debian packages that are missing, and says which. Does nothing when all are there.
set -euo pipefail

packages=(
  g++ cmake make
  libeigen3-dev libfmt-dev libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libhdf5-dev libtbb-dev libsundials-dev
  libgtest-dev libbenchmark-dev
)

if ! command -v dpkg-query >/dev/null; then
  echo "dependencies: not a Debian system; these must be there under their local names: ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

echo "dependencies: installing ${missing[*]}"
as_root=()
if [[ $(id -u) != 0 ]]; then
  command -v sudo >/dev/null || { echo "dependencies: run as root, or install sudo" >&2; exit 1; }
  as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
