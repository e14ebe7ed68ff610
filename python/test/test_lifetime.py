# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""Objects may be deleted in any order. Run under the address sanitizer (make test PRESET=asan) this also shows that
nothing is used after it was freed."""
import gc
import itertools

import numpy as np
import pytest

import tappet as tp
from conftest import BALL


def everything():
    """One of each, all made from each other."""
    model = tp.Model(BALL, "ball.yaml")
    system = tp.System(model)
    stepper = tp.Stepper(system)
    evaluator = stepper.evaluator
    state = system.initial()
    q = state.q
    return {"model": model, "system": system, "stepper": stepper, "evaluator": evaluator, "state": state, "q": q}


def use(objects):
    if "model" in objects:
        assert objects["model"].parameters["m"] == 2
    if "system" in objects:
        assert objects["system"].q_names == ["y"]
    if "stepper" in objects:
        if "state" in objects:
            objects["stepper"].step(objects["state"], 1e-3)
        assert len(objects["stepper"].P) == 1
    if "evaluator" in objects:
        assert objects["evaluator"].gaps(0, [0.3]) == pytest.approx([0.3])
        assert objects["evaluator"].system.u_size == 1
    if "q" in objects:
        assert np.isfinite(objects["q"]).all()


@pytest.mark.parametrize("order", itertools.permutations(["model", "system", "stepper", "evaluator", "state", "q"]))
def test_any_order(order):
    objects = everything()
    use(objects)
    for name in order:
        del objects[name]
        gc.collect(0)
        use(objects)


@pytest.mark.parametrize("order", itertools.permutations(["run", "q", "column", "contact", "P", "energy"]))
def test_any_order_of_what_a_run_holds(order):
    run = tp.simulate(tp.Model(BALL, "ball.yaml"), end=0.02)
    objects = {
        "run": run,
        "q": run.q,
        "column": run.q["y"],
        "contact": run.contacts["floor"],
        "P": run.contacts["floor"].P_N,
        "energy": run.energy,
    }
    expected, first = run.q["y"].copy(), run.energy.total[0]
    del run
    for name in order:
        del objects[name]
        gc.collect(0)
        if "q" in objects:
            assert np.array_equal(objects["q"].array[:, 0], expected)
        if "column" in objects:
            assert np.array_equal(objects["column"], expected)
        if "contact" in objects:
            assert np.array_equal(objects["contact"].gap, expected)
        if "P" in objects:
            assert not objects["P"].any()
        if "energy" in objects:
            assert objects["energy"].total[0] == first


def test_the_evaluator_of_a_scheme_that_is_kept_after_its_run(ball):
    kept = []

    class Keeping:
        def __init__(self, evaluator):
            kept.append(evaluator)

        def step(self, state, dt):
            kept.append(state)
            state.t += dt

    tp.simulate(ball, scheme=Keeping, end=0.01)
    with pytest.raises(RuntimeError, match="the run is over"):
        kept[0].gaps(0, [1.0])
    assert kept[1].q == pytest.approx([1.0])  # a state is its own memory


def test_the_evaluator_of_a_scheme_that_fails(ball):
    kept = []

    def failing(evaluator):
        kept.append(evaluator)
        raise LookupError("no such scheme")

    with pytest.raises(LookupError, match="no such scheme"):
        tp.simulate(ball, scheme=failing)
    with pytest.raises(RuntimeError, match="the run is over"):
        kept[0].gaps(0, [1.0])


def test_the_state_of_a_control_that_is_kept(ball):
    kept = []
    tp.simulate(ball, end=0.1, control=lambda state: kept.append(state))
    gc.collect()
    assert len(kept) == 100 and np.isfinite(kept[-1].q).all()


def test_solutions_and_problems():
    problem = tp.ContactProblem(np.eye(3), [-1.0, 0.3, 0.0], [0.5])
    solution = problem.solve()
    P, W = solution.P, problem.W
    del problem, solution
    gc.collect()
    assert P[0] == pytest.approx(1.0) and W[2, 2] == 1.0
