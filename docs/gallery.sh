#!/usr/bin/env bash
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
# Runs every model that ships and writes docs/gallery.md with a picture of each:  docs/gallery.sh build/tappet
set -euo pipefail
program=$(realpath "${1:-build/tappet}")
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p docs/gallery
{
  echo "# The models that ship"
  echo
  echo "One picture of each, taken of its report page. \`tappet run NAME\` writes the page; \`docs/gallery.sh\` wrote this one."
  echo
  echo "| | |"
  echo "|---|---|"
} >docs/gallery.md
cells=()
for model in models/*.yaml models/*/*.yaml; do
  name=$(basename "$model" .yaml)
  "$program" run "$model" --out "$scratch/$name" --thumbnail --quiet || true
  [[ -f $scratch/$name/thumbnail.png ]] || { echo "no picture of $name" >&2; continue; }
  cp "$scratch/$name/thumbnail.png" "docs/gallery/$name.png"
  title=$(sed -n 's/^title: *//p' "$model" | head -1 | tr -d '"|')
  cells+=("![$name](gallery/$name.png)<br>\`$name\` $title")
done
for ((i = 0; i < ${#cells[@]}; i += 2)); do echo "| ${cells[i]} | ${cells[i + 1]:-} |" >>docs/gallery.md; done
