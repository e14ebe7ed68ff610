# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""compare.py RUNS.csv RESULTS.out: the largest differences of positions and velocities between a study and a batch."""
import csv
import re
import sys

before_measures = 4  # numbers of an instance (src/batch/device/settings.h)
after_measures = 5  # columns of a study: status, steps, unconverged, iterations, message

with open(sys.argv[1]) as file:
    names, *runs = list(csv.reader(file))
with open(sys.argv[2]) as file:
    instances = [[float(x) for x in line.split(",")][before_measures:] for line in file]
first = len(names) - after_measures - len(instances[0])
worst = {"positions": 0.0, "velocities": 0.0}
for run, measured in zip(runs, instances):
    for name, expected, found in zip(names[first:], run[first:], measured):
        kind = "velocities" if re.search(r"_rate$|_[vw][xyz]$", name) else "positions"
        difference = abs(float(expected) - found)
        worst[kind] = difference if not difference <= worst[kind] else worst[kind]
compared = min(len(runs), len(instances))
print(f"    {compared} instances beside the engine: " + ", ".join(f"{kind} {d:.1e}" for kind, d in worst.items()))
