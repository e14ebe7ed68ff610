# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
.PHONY: run build test bench format clean dependencies
build:
	@cmake -B build -G Ninja && cmake --build build
