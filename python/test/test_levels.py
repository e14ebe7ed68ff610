# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""System, Evaluator, Stepper, contact problems."""
import math

import numpy as np
import pytest

import tappet as tp
from conftest import ROOT


def test_a_loop_of_steps_is_the_run(crank):
    system = tp.System(crank)
    stepper, state = tp.Stepper(system), system.initial()
    run = tp.simulate(system, end=0.02)
    for k in range(1, 201):
        report = stepper.step(state, 1e-4)
        state.t = run.t[k]
        assert report.converged
        assert np.array_equal(state.q, run.q.array[k]) and np.array_equal(state.u, run.u.array[k])
        assert stepper.impulse("corner1")[0] == run.contacts["corner1"].P_N[k]


def test_the_equations_of_motion_of_a_pendulum():
    model = tp.Model(
        """
parameters: {m: 2, l: 0.5, g: 9.81}
coordinates: {phi: {position: 1, velocity: 3}}
lagrangian: {kinetic: m*l^2*phi'^2/2, potential: -m*g*l*cos(phi)}
contacts: {stop: {gap: phi, mu: 0}}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 1}
"""
    )
    evaluate = tp.Evaluator(tp.System(model))
    q, u = [0.7], [2.0]
    assert evaluate.mass(0, q) == pytest.approx(np.array([[0.5]]))
    assert evaluate.forces(0, q, u) == pytest.approx(-2 * 9.81 * 0.5 * math.sin(0.7))
    K, C = evaluate.force_derivatives(0, q, u)
    assert K[0, 0] == pytest.approx(-2 * 9.81 * 0.5 * math.cos(0.7)) and C[0, 0] == 0
    assert evaluate.gaps(0, q) == pytest.approx([0.7])
    W, chi = evaluate.directions(0, q)
    assert W == pytest.approx(np.array([[1.0]])) and chi == pytest.approx([0.0])
    assert evaluate.energy(0, q, u) == pytest.approx((1.0, -2 * 9.81 * 0.5 * math.cos(0.7)))
    assert evaluate.contact(0)["name"] == "stop"


def test_directions_are_the_derivatives_of_the_gaps(crank):
    system = tp.System(crank)
    evaluate = tp.Evaluator(system)
    q, step = np.array([0.3, -0.2, 0.05]), 1e-6
    W, _ = evaluate.directions(0, q)
    normal = [evaluate.contact(k)["row"] for k in range(evaluate.contacts)]
    for i in range(3):
        move = step * np.eye(3)[i]
        slope = (evaluate.gaps(0, q + move) - evaluate.gaps(0, q - move)) / (2 * step)
        assert W[i, normal] == pytest.approx(slope, abs=1e-8)


def test_applied_forces_act_on_every_scheme():
    # a mass without other forces under the force 3: x = 3 t^2 / (2 m)
    model = tp.Model(
        """
parameters: {m: 2}
coordinates: {x: {position: 0, velocity: 0}}
lagrangian: {kinetic: m*x'^2/2, potential: 0}
contacts: {wall: {gap: 1000 - x, e_N: 0}}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 1}
"""
    )
    system = tp.System(model)
    for scheme in tp.schemes():
        stepper, state = tp.Stepper(system, scheme["name"]), system.initial()
        stepper.apply([3.0])
        for _ in range(1000):
            stepper.step(state, 1e-3)
        # to one step of the force, because a two-step scheme gives the velocity of the step before
        assert state.u[0] == pytest.approx(1.5, abs=1.51e-3), scheme["name"]
        assert state.q[0] == pytest.approx(0.75, abs=1.6e-3), scheme["name"]
        stepper.apply(None)
        before = state.u[0]
        stepper.step(state, 1e-3)
        stepper.step(state, 1e-3)
        assert state.u[0] == pytest.approx(before, abs=4e-3), scheme["name"]


def test_a_control_holds_a_pendulum_upright():
    model = tp.Model(
        """
parameters: {m: 1, l: 1, g: 9.81}
coordinates: {phi: {position: 0.1, velocity: 0}}
lagrangian: {kinetic: m*l^2*phi'^2/2, potential: m*g*l*cos(phi)}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 5}
"""
    )
    held = tp.simulate(model, control=lambda state: -30 * state.q - 8 * state.u)
    assert abs(held.q["phi"][-1]) < 1e-4
    assert np.abs(tp.simulate(model).q["phi"]).max() > 2  # without it the pendulum falls
    by_name = tp.simulate(model, control=lambda state: {"phi": -30 * state.q[0] - 8 * state.u[0]})
    assert np.array_equal(by_name.q.array, held.q.array)


def test_a_control_ends_a_run(ball):
    run = tp.simulate(ball, control=lambda state: state.q[0] > 0.5)
    assert run.status == "interrupted" and "control" in run.message
    assert run.q["y"][-1] <= 0.5 < run.q["y"][-2]


def test_colliders(tmp_path):
    system = tp.System(tp.example("bouncing_sphere"))
    stepper, state = tp.Stepper(system), system.initial()
    run = tp.simulate(system, end=0.5)
    dt = run.t[1]
    for k in range(1, len(run.t)):
        stepper.step(state, dt)
        state.t = run.t[k]
    assert np.array_equal(state.q, run.q.array[-1])


def test_a_sphere_that_is_pushed_on_a_plane():
    # one contact in space: M = 1, pushed down with speed 1, slides with speed 0.3 along F1
    stick = tp.solve_contact(np.eye(3), [-1.0, 0.3, 0.0], [0.5])
    assert stick.converged and stick.P == pytest.approx([1.0, -0.3, 0.0], abs=1e-9)
    slide = tp.solve_contact(np.eye(3), [-1.0, 0.9, 0.0], [0.5])
    assert slide.P == pytest.approx([1.0, -0.5, 0.0], abs=1e-9)
    assert slide.xi == pytest.approx([0.0, 0.4, 0.0], abs=1e-9)
    apart = tp.solve_contact(np.eye(3), [1.0, 0.9, 0.0], [0.5])
    assert apart.P == pytest.approx([0, 0, 0], abs=1e-9)
    joint = tp.solve_contact(np.eye(3), [2.0, -1.0, 0.9], [0.5], joint_rows=1)
    assert joint.P == pytest.approx([-2.0, 1.0, -0.5], abs=1e-9)
    two = tp.solve_contact(np.eye(4), [-1.0, 0.2, -1.0, 0.9], 0.5, rows_per_contact=2)
    assert two.P == pytest.approx([1.0, -0.2, 1.0, -0.5], abs=1e-9)


@pytest.mark.parametrize("solver", [solver["name"] for solver in tp.solvers()])
def test_fclib_files(solver, tmp_path):
    problem = tp.read_fclib(ROOT / "test" / "data" / "problems" / "Rover-4.hdf5")
    W, q, mu = problem.W, problem.q, problem.mu
    assert W.shape == (len(q), len(q)) and len(q) == 3 * len(mu) + problem.size - 3 * problem.contacts
    solution = problem.solve(solver, tolerance=1e-6)
    assert problem.residual(solution.P) == pytest.approx(solution.residual, rel=1e-6, abs=1e-12)
    if solver == "auto":
        assert solution.converged and np.allclose(solution.xi, W @ solution.P + q)
        problem.write_fclib(tmp_path / "again.hdf5", "again")
        again = tp.read_fclib(tmp_path / "again.hdf5")
        assert np.allclose(again.W, W) and np.allclose(again.q, q) and np.allclose(again.mu, mu)


def test_compare(ball):
    comparison = tp.compare(ball, schemes=["moreau-midpoint", "moreau-jean"], dt=[1e-3, 5e-4], threads=1)
    assert [(run["scheme"], run["dt"]) for run in comparison.runs] == [
        ("moreau-midpoint", 1e-3),
        ("moreau-midpoint", 5e-4),
        ("moreau-jean", 1e-3),
        ("moreau-jean", 5e-4),
    ]
    assert all(0 < run["q_L1"] < 1e-2 for run in comparison.runs)
    assert "moreau-jean" in str(comparison) and comparison.reference.startswith("event-driven")


def test_reproduce():
    names = [entry["name"] for entry in tp.reproductions() if entry["quick"] and not entry["missing"]]
    (found,) = tp.reproduce(names[0], threads=1)
    assert found.name == names[0] and found.verdict in ("passed", "differs")
