# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""Arrays: no copies, little memory, views that outlive the run."""
import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import tappet as tp


def owner(array):
    while isinstance(array, np.ndarray) and array.base is not None:
        array = array.base
    return array


def test_arrays_are_views_of_the_memory_of_the_run(crank):
    run = tp.simulate(crank)
    for name in ("theta1", "theta3"):
        assert np.shares_memory(run.q[name], run.q.array) and np.shares_memory(run.u[name], run.u.array)
    assert np.shares_memory(run.q.array, tp.Run.q.fget(run).array)  # asked twice: the same memory
    assert np.shares_memory(np.asarray(run.q), run.q.array)
    assert type(owner(run.q["theta1"])).__name__ == "PyCapsule"
    assert np.shares_memory(run.contacts["corner1"].P_N, run.contacts["corner1"].P_N)
    assert not run.q.array.flags.writeable
    assert run.q.array.strides == (24, 8) and run.t.strides == (8,)


def test_arrays_outlive_the_run(crank):
    run = tp.simulate(crank)
    expected = run.q["theta2"].copy()
    column = run.q["theta2"]
    del run
    gc.collect()
    assert np.array_equal(column, expected)


MEASURE = """
import resource, sys
import numpy as np
import tappet as tp
model = tp.example("slider_crank")
tp.simulate(model, end=1e-3)
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
before = resident()
run = tp.simulate(model, dt=1e-6, end=1.0, progress=False)
used = resident() - before
tables = run._source._recorded
data = sum(tables.table(name).nbytes for name in ("t", "q", "u", "energy", "gap", "gap_velocity", "P_N", "lambda_N",
           "Lambda_N", "slip_velocity", "P_F", "lambda_F", "Lambda_F", "steps"))
assert len(run) == 1000001
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
print(used / data, peak / data)
"""


@pytest.mark.skipif("TAPPET_SANITIZED" in os.environ, reason="the sanitizer needs memory of its own")
def test_a_million_steps_take_little_more_memory_than_their_numbers():
    found = subprocess.run([sys.executable, "-c", MEASURE], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    after, peak = map(float, found.stdout.split())
    print(f"memory over data: {after:.3f} after the run, {peak:.3f} at most")
    assert after <= 1.1
    assert peak <= 1.1
