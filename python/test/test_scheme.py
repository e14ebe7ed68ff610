# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""The example of a scheme in Python: its length, its orders, and that it runs in simulate()."""
import ast
import importlib.util

import numpy as np
import pytest

import tappet as tp
from conftest import ROOT


@pytest.fixture(scope="module")
def example():
    file = ROOT / "examples" / "own_scheme_python" / "own_scheme.py"
    spec = importlib.util.spec_from_file_location("own_scheme", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _lines(example):
    tree = ast.parse(open(example.__file__, encoding="utf-8").read())
    (scheme,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return range(scheme.lineno, scheme.end_lineno + 1)


def test_it_has_at_most_forty_lines(example):
    assert len(_lines(example)) <= 40


def test_its_orders(example):
    smooth, rough = example.orders()
    assert smooth == pytest.approx(2.0, abs=0.05)
    assert rough == pytest.approx(1.0, abs=0.4)


def test_it_runs_models_with_friction_and_joints(example):
    crank = tp.example("slider_crank")
    mine = tp.simulate(crank, scheme=example.VerletMoreau, dt=1e-5, end=0.01)
    reference = tp.simulate(crank, scheme="half-explicit-velocity", dt=1e-5, end=0.01)
    assert mine.scheme == "verlet-moreau" and mine.summary.unconverged_steps == 0
    assert np.abs(mine.state.q - reference.state.q).max() < 2e-3
    assert mine.contacts["corner1"].P_N.max() > 0 or mine.contacts["corner3"].P_N.max() > 0


def test_it_is_refused_where_contacts_come_and_go(example):
    with pytest.raises(tp.UsageError, match="collider"):
        tp.simulate(tp.example("bouncing_sphere"), scheme=example.VerletMoreau)


def test_a_scheme_that_follows_found_contacts():
    class Falling:
        follows_found_contacts = True

        def __init__(self, evaluate):
            self.evaluate = evaluate

        def step(self, state, dt):
            M = self.evaluate.mass(state.t, state.q)
            state.u[:] += dt * np.linalg.solve(M, self.evaluate.forces(state.t, state.q, state.u))
            state.q[:] = self.evaluate.displace(state.q, dt * state.u)

    model = tp.example("bouncing_sphere")
    run = tp.simulate(model, scheme=Falling, end=0.1)
    assert run.status == "done" and run.scheme == "Falling"
    assert run.u.array[-1].min() == pytest.approx(-9.81 * 0.1, rel=1e-6)
