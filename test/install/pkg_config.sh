#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
#   test/install/pkg_config.sh PREFIX LIBDIR CXX SOURCE    builds and runs a program with the flags of pkg-config alone
set -euo pipefail
prefix=$1 libdir=$2 compiler=$3 source=$4
export PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
flags=$(pkg-config --cflags --libs tappet)
# shellcheck disable=SC2086 # the flags are several words
"$compiler" -std=c++20 "$source" $flags -o "$prefix/../by_pkg_config"
"$prefix/../by_pkg_config" "$prefix/share/tappet/models/first_model.yaml"
