# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""load(), simulate() and what a run holds."""
import json
import math
import pickle
import subprocess

import numpy as np
import pytest

import tappet as tp
from conftest import BALL, ROOT

CRANK = ROOT / "models" / "schindler2014" / "slider_crank.yaml"


def test_the_lines_of_the_documentation():
    model = tp.load(CRANK, mu=0.05)
    run = tp.simulate(model, scheme="half-explicit-velocity", dt=1e-5, end=0.01)
    assert model.parameters["mu"] == 0.05
    assert run.t.dtype == run.q["theta1"].dtype == run.contacts["corner1"].P_N.dtype == np.float64
    assert len(run.t) == len(run.q["theta1"]) == len(run.contacts["corner1"].P_N) == 1001
    assert run.t[-1] == 0.01
    assert run.summary.status == run.status == "done"
    assert run.summary["steps"] == 1000


def test_a_ball_falls_and_rebounds_as_the_closed_form_says(ball):
    run = tp.simulate(ball, dt=1e-5)
    g, impact = 9.81, math.sqrt(2 / 9.81)
    falling = run.t < impact - 1e-4
    assert np.allclose(run.q["y"][falling], 1 - g * run.t[falling] ** 2 / 2, atol=1e-4)
    after = run.t > impact + 1e-4
    since = run.t[after] - impact
    assert np.allclose(run.q["y"][after], 0.5 * g * impact * since - g * since**2 / 2, atol=2e-4)
    # the impulse of the impact is m (1 + e) v
    assert run.contacts["floor"].P_N.sum() == pytest.approx(2 * 1.5 * g * impact, rel=1e-3)
    assert run.contacts["floor"].gap == pytest.approx(run.q["y"])
    assert run.energy.total[0] == pytest.approx(2 * 9.81)
    assert [event.kind for event in run.events] == ["impact"]
    assert run.events[0].t == pytest.approx(impact, abs=1e-4)
    assert run.events[0].contact == "floor" and not run.events[0].located


def test_events_are_exact_if_the_scheme_locates_them(ball):
    run = tp.simulate(ball, scheme="event-driven")
    impacts = [event for event in run.events if event.kind == "impact"]
    assert impacts[0].t == pytest.approx(math.sqrt(2 / 9.81), abs=1e-8)
    assert impacts[0].located


def test_the_same_bits_as_the_program(program, tmp_path):
    subprocess.run(
        [program, "run", str(CRANK), "--end", "0.02", "--quiet", "--no-report", "--out", str(tmp_path)], check=True
    )
    run = tp.simulate(tp.load(CRANK), end=0.02)
    stored = tp.open(tmp_path)
    assert np.array_equal(run.t, stored.t)
    assert np.array_equal(run.q.array, stored.q.array) and np.array_equal(run.u.array, stored.u.array)
    for name in run.contacts:
        for quantity in tp.Contact.quantities:
            assert np.array_equal(
                getattr(run.contacts[name], quantity), getattr(stored.contacts[name], quantity)
            ), quantity
    assert run.energy.total == pytest.approx(stored.energy.total, rel=1e-15)


def test_models_from_dicts_texts_and_files_are_the_same(ball, tmp_path):
    as_dict = {
        "parameters": {"m": np.float64(2), "g": 9.81, "e": 0.5},
        "coordinates": {"y": {"position": 1, "velocity": np.int64(0)}},
        "lagrangian": {"kinetic": "m*y'^2/2", "potential": "m*g*y"},
        "contacts": {"floor": {"gap": "y", "e_N": "e"}},
        "run": {"scheme": "moreau-midpoint", "dt": 1e-3, "end": 0.7},
    }
    (tmp_path / "ball.yaml").write_text(BALL)
    expected = tp.simulate(ball).q.array
    assert np.array_equal(tp.simulate(tp.Model(as_dict)).q.array, expected)
    assert np.array_equal(tp.simulate(tmp_path / "ball.yaml").q.array, expected)


def test_parameters_and_options_as_keywords(ball):
    replaced = tp.simulate(ball.replace(e=0.9)).q.array
    assert np.array_equal(tp.simulate(ball, e=0.9).q.array, replaced)
    assert np.array_equal(tp.simulate(ball, parameters={"e": "9/10"}).q.array, replaced)
    assert not np.array_equal(tp.simulate(ball).q.array, replaced)
    theta = [
        tp.simulate(ball, scheme="moreau-jean", **options).q["y"][-1]
        for options in (
            {},
            {"theta": 1.0},
        )
    ]
    assert theta[0] != theta[1]
    assert tp.simulate(ball, scheme="moreau-jean", options={"theta": 1.0}).q["y"][-1] == theta[1]


def test_what_is_recorded(crank):
    nothing = tp.simulate(crank, record=False)
    assert len(nothing) == 0 and len(nothing.t) == 0 and nothing.summary.steps == 2000
    assert len(tp.simulate(crank, record=10)) == 201
    some = tp.simulate(crank, record=["q", "corner2"], record_every=100)
    assert len(some) == 21 and list(some.contacts) == ["corner2"] and len(some.u) == 0
    everything = tp.simulate(crank, record_every=100)
    assert np.array_equal(some.contacts["corner2"].P_F, everything.contacts["corner2"].P_F)
    assert np.array_equal(some.contacts["corner2"].gap, everything.contacts["corner2"].gap)
    assert not len(some.energy.kinetic)


def test_a_run_continues_another_one(ball, tmp_path):
    whole = tp.simulate(ball, end=0.6)
    first = tp.simulate(ball, end=0.3, out=tmp_path / "first")
    for start in (first, tmp_path / "first", first.state):
        second = tp.simulate(ball, end=0.6, start=start)
        assert second.t[0] == 0.3
        assert second.q["y"][-1] == pytest.approx(whole.q["y"][-1], abs=1e-9)


def test_a_saved_run_is_what_the_program_writes(crank, program, tmp_path):
    run = tp.simulate(crank, end=0.02)
    run.save(tmp_path / "saved")
    stored = tp.open(tmp_path / "saved")
    assert np.array_equal(stored.q.array, run.q.array)
    assert np.array_equal(stored.contacts["corner3"].slip_velocity, run.contacts["corner3"].slip_velocity)
    assert stored.summary == json.loads(json.dumps(run.summary))
    assert "tappet" in (tmp_path / "saved" / "report.html").read_text().lower()
    subprocess.run([program, "report", str(tmp_path / "saved")], check=True)  # the program reads it


def test_a_notebook_shows_the_page(ball):
    run = tp.simulate(ball)
    assert run._repr_html_().startswith("<iframe srcdoc=")
    assert "tappet-run" in run.page or "report page" in run.page


def test_tables_of_other_packages(crank):
    run = tp.simulate(crank, record=10)
    pandas = pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and np.array_equal(frame["theta1"], run.q["theta1"])
    assert np.array_equal(frame["corner1:P_N"], run.contacts["corner1"].P_N)
    pytest.importorskip("xarray")
    assert np.array_equal(run.to_xarray()["theta2"], run.q["theta2"])


def test_models_and_errors_can_be_pickled(ball):
    again = pickle.loads(pickle.dumps(ball.replace(e=0.9)))
    assert again.parameters["e"] == 0.9 and np.array_equal(tp.simulate(again).q.array, tp.simulate(ball, e=0.9).q.array)
    with pytest.raises(tp.ModelError) as caught:
        tp.Model("coordinates: 3")
    assert pickle.loads(pickle.dumps(caught.value)).key == caught.value.key


def test_lists_of_what_there_is():
    assert "slider_crank" in tp.examples()
    assert "moreau-midpoint" in [scheme["name"] for scheme in tp.schemes()]
    assert tp.solvers()[0]["name"] == "auto"
