# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""Wrong input: every case raises an exception that says what was expected, and the process goes on."""
import math
import re

import numpy as np
import pytest

import tappet as tp
from conftest import BALL

NAN = float("nan")


def system():
    return tp.System(tp.Model(BALL, "ball.yaml"))


def ball(**more):
    return tp.Model(BALL, "ball.yaml", **more)


def step(q=(1.0,), u=(0.0,), dt=1e-3):
    state = system().initial()
    state.q, state.u = q, u
    tp.Stepper(system()).step(state, dt)


def damaged_state():
    state = system().initial()
    state.q[0] = NAN
    tp.Stepper(system()).step(state, 1e-3)


class NoStep:
    def __init__(self, evaluator):
        pass


class WrongReport:
    def __init__(self, evaluator):
        pass

    def step(self, state, dt):
        return 3


class WrongImpulses:
    def __init__(self, evaluator):
        pass

    def step(self, state, dt):
        return tp.SchemeReport(P=[1.0, 2.0, 3.0], contacts=[0])


class NotFinite:
    def __init__(self, evaluator):
        pass

    def step(self, state, dt):
        state.u[:] = NAN


I2, Z2 = np.eye(2), np.zeros(2)

CASES = {
    # models
    "a key that does not exist": (lambda: tp.Model(BALL.replace("gap:", "gab:"), "ball.yaml"), tp.ModelError, "gap"),
    "a formula with an unknown name": (lambda: tp.Model(BALL.replace("m*g*y}", "m*gg*y}")), tp.ModelError, "gg"),
    "broken YAML": (lambda: tp.Model("coordinates: {y: ["), tp.ModelError, "model.yaml"),
    "an empty model": (lambda: tp.Model(""), tp.ModelError, "expected"),
    "a parameter that does not exist": (lambda: ball(mu=0.1), tp.TappetError, "mu"),
    "a parameter that is not finite": (lambda: ball(e=NAN), ValueError, "e is nan; expected a finite number"),
    "a parameter of a wrong type": (lambda: ball(e=[1]), TypeError, "expected a number"),
    "a parameter that is a bool": (lambda: ball(e=True), TypeError, "expected a number"),
    "a model of a wrong type": (lambda: tp.Model(3), TypeError, "expected a text or a dict"),
    "a dict with NaN": (lambda: tp.Model({"parameters": {"m": NAN}}), ValueError, "parameters.m is nan"),
    "a dict with an object": (lambda: tp.Model({"parameters": {"m": object()}}), TypeError, "parameters.m"),
    "a file that is not there": (lambda: tp.load("no_such_file.yaml"), FileNotFoundError, "no model file"),
    "an example in place of a file": (lambda: tp.load("slider_crank.yaml"), FileNotFoundError, "tappet.example"),
    "a folder in place of a file": (lambda: tp.load("/tmp"), IsADirectoryError, "model file"),
    "an example that does not exist": (lambda: tp.example("slider_krank"), tp.UsageError, "slider_crank"),
    # runs
    "a scheme that does not exist": (
        lambda: tp.simulate(ball(), scheme="moreau-midpiont"),
        tp.UsageError,
        "moreau-midpoint",
    ),
    "a keyword that does not exist": (lambda: tp.simulate(ball(), dtt=1), TypeError, "did you mean 'dt'"),
    "an option that does not exist": (lambda: tp.simulate(ball(), options={"thata": 1}), tp.UsageError, "thata"),
    "an option out of range": (lambda: tp.simulate(ball(), scheme="moreau-jean", theta=7), tp.UsageError, "theta"),
    "an option that is not finite": (lambda: tp.simulate(ball(), tolerance=NAN), ValueError, "tolerance"),
    "a negative step": (lambda: tp.simulate(ball(), dt=-1), tp.UsageError, "positive"),
    "a step that is not finite": (lambda: tp.simulate(ball(), dt=NAN), tp.UsageError, "positive"),
    "an end of infinity": (lambda: tp.simulate(ball(), end=math.inf), tp.UsageError, "positive"),
    "recording a negative number": (lambda: tp.simulate(ball(), record=-3), tp.UsageError, "record"),
    "recording what does not exist": (lambda: tp.simulate(ball(), record=["flor"]), tp.UsageError, "floor"),
    "a start of another size": (
        lambda: tp.simulate(ball(), start=tp.State(0, [1, 2], [0, 0])),
        tp.UsageError,
        "positions",
    ),
    "a start in a folder that is not there": (lambda: tp.simulate(ball(), start="nowhere"), tp.UsageError, "nowhere"),
    "threads": (lambda: tp.simulate(ball(), threads=0), tp.UsageError, "1 to 1024"),
    "a control that is no function": (lambda: tp.simulate(ball(), control=3), TypeError, "function"),
    "forces of another size": (
        lambda: tp.simulate(ball(), control=lambda s: [1, 2]),
        ValueError,
        r"shape \(2,\); expected \(1,\)",
    ),
    "forces that are not finite": (lambda: tp.simulate(ball(), control=lambda s: [NAN]), ValueError, "finite"),
    "forces of an unknown velocity": (lambda: tp.simulate(ball(), control=lambda s: {"z": 1}), KeyError, "z"),
    "an exception in a control": (lambda: tp.simulate(ball(), control=lambda s: 1 / 0), ZeroDivisionError, "division"),
    "an exception in progress": (lambda: tp.simulate(ball(), progress=lambda *a: 1 / 0), ZeroDivisionError, "division"),
    "a scheme without step": (lambda: tp.simulate(ball(), scheme=NoStep), TypeError, "step"),
    "a scheme with a wrong answer": (lambda: tp.simulate(ball(), scheme=WrongReport), TypeError, "SchemeReport"),
    "a scheme with wrong impulses": (lambda: tp.simulate(ball(), scheme=WrongImpulses), ValueError, "shape"),
    "a scheme that gives NaN": (lambda: tp.simulate(ball(), scheme=NotFinite), ValueError, "finite"),
    "a wrong word": (lambda: tp.simulate(ball(), on_interrupt="stop"), tp.UsageError, "on_interrupt"),
    # what a run holds
    "a coordinate that does not exist": (lambda: tp.simulate(ball()).q["yy"], KeyError, "y"),
    "a contact that does not exist": (lambda: tp.simulate(ball()).contacts["flor"], KeyError, "floor"),
    "a quantity that does not exist": (lambda: tp.simulate(ball()).contacts["floor"].P_M, AttributeError, "P_N"),
    "plots of nothing": (lambda: tp.simulate(ball(), record=False).plot(), tp.UsageError, "recorded"),
    "saving nothing": (lambda: tp.simulate(ball(), record=False).save("/tmp/x"), tp.UsageError, "recorded"),
    "opening what is not there": (lambda: tp.open("nowhere"), FileNotFoundError, "folder of a run"),
    # levels
    "a state of a wrong size": (lambda: step(q=[1.0, 2.0]), ValueError, r"q: shape \(2,\); expected \(1,\)"),
    "a state with NaN": (lambda: step(u=[NAN]), ValueError, r"u\[0\] is nan"),
    "a state that was damaged": (damaged_state, ValueError, r"q\[0\] is nan"),
    "a step of zero": (lambda: step(dt=0.0), ValueError, "positive"),
    "a step of NaN": (lambda: step(dt=NAN), ValueError, "positive"),
    "texts for numbers": (lambda: step(q=["a"]), (TypeError, ValueError), "number|float"),
    "an evaluator with a matrix": (lambda: tp.Evaluator(system()).gaps(0.0, [[1.0]]), ValueError, r"shape \(1, 1\)"),
    "an evaluator with NaN": (lambda: tp.Evaluator(system()).mass(0.0, [NAN]), ValueError, "finite"),
    "a contact by a wrong number": (lambda: tp.Evaluator(system()).directions(0.0, [1.0], [3]), IndexError, "0 to 0"),
    "contacts twice": (lambda: tp.Evaluator(system()).rows([0, 0]), ValueError, "ascending"),
    "a stepper with a wrong scheme": (lambda: tp.Stepper(system(), "euler"), tp.UsageError, "euler"),
    "a stepper with a wrong option": (lambda: tp.Stepper(system(), theta=1), tp.UsageError, "theta"),
    "forces for a stepper": (lambda: tp.Stepper(system()).apply([1, 2]), ValueError, "shape"),
    "a system of a wrong type": (lambda: tp.System("ball"), TypeError, "incompatible"),
    # contact problems
    "W that is not square": (lambda: tp.solve_contact(np.ones((2, 3)), Z2, 0.5), ValueError, "square"),
    "W with NaN": (lambda: tp.solve_contact(I2 * NAN, Z2, [0.5]), ValueError, r"W\[0, 0\]"),
    "q of another size": (lambda: tp.solve_contact(I2, np.zeros(3), [0.5]), ValueError, r"expected \(2,\)"),
    "mu of a wrong size": (lambda: tp.solve_contact(I2, Z2, [1, 1, 1]), ValueError, "one number per contact"),
    "a negative mu": (lambda: tp.solve_contact(I2, Z2, [-1]), ValueError, "at least 0"),
    "a solver that does not exist": (lambda: tp.solve_contact(I2, Z2, [1], solver="newtn"), ValueError, "newtn"),
    "an option of solvers": (lambda: tp.solve_contact(I2, Z2, [1], tol=1), TypeError, "tolerance"),
    "a problem file that is none": (lambda: tp.read_fclib(__file__), tp.FileError, "test_errors"),
    "comparing nothing": (lambda: tp.compare("ball"), TypeError, "expected a Model"),
    "comparing with a wrong scheme": (lambda: tp.compare(ball(), schemes=["eulr"]), tp.UsageError, "eulr"),
    "reproducing nothing": (lambda: tp.reproduce(), tp.UsageError, "expected names"),
    "reproducing what does not exist": (lambda: tp.reproduce("no_such_paper"), tp.UsageError, "no_such_paper"),
}


@pytest.mark.parametrize("case", CASES)
def test_wrong_input(case):
    wrong, kind, expected = CASES[case]
    with pytest.raises(kind) as caught:
        wrong()
    text = str(caught.value) + str(getattr(caught.value, "filename", ""))
    assert re.search(expected, text), text
    assert tp.simulate(ball(), end=0.01).status == "done"  # everything still works


def test_there_are_at_least_thirty_cases():
    assert len(CASES) >= 30


def test_errors_of_models_carry_their_place():
    with pytest.raises(tp.ModelError) as caught:
        tp.Model(BALL.replace("position: 1", "position: 1 +"), "mine.yaml")
    error = caught.value
    assert (error.file, error.line) == ("mine.yaml", 3)
    assert error.column > 0 and "position" in error.key
    assert str(error).startswith(f"mine.yaml:3:{error.column}: {error.key}")
    assert error.message in str(error)
    assert isinstance(error, ValueError)


def test_a_run_that_fails_keeps_what_was_computed(ball):
    # The spring is far too stiff for an explicit step: the run ends and says so.
    model = tp.Model(
        """
coordinates: {x: {position: 1, velocity: 0}}
lagrangian: {kinetic: x'^2/2, potential: 1e12*x^4}
run: {scheme: moreau-explicit, dt: 1, end: 1000}
"""
    )
    with pytest.warns(tp.RunWarning, match="the computation failed"):
        run = tp.simulate(model)
    assert run.status == "failed" and "unstable" in run.message
    assert np.all(np.isfinite(run.q["x"])) and len(run.t) > 1
