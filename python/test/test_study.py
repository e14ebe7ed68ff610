# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""Many runs of one model."""
import math

import numpy as np
import pytest

import tappet as tp

DROP = """
parameters: {h: 1, e: 0.5, g: 10}
coordinates: {y: {position: h, velocity: 0}}
lagrangian: {kinetic: y'^2/2, potential: g*y}
contacts: {floor: {gap: y, e_N: e}}
run: {scheme: event-driven, dt: 1e-2, end: 1, accumulate: close}
"""


@pytest.fixture
def drop():
    return tp.Model(DROP, "drop.yaml")


def test_measures_are_those_of_the_closed_form(drop):
    study = tp.study(drop, vary={"h": np.array([0.2, 0.45, 0.8]), "e": [0.5, 0.7]}, measure={"hit": {"event": "impact"}})
    assert len(study) == 6 and list(study.status) == ["done"] * 6
    assert study.parameters["h"].dtype == np.float64
    np.testing.assert_allclose(study["hit"], np.sqrt(2 * study["h"] / 10), rtol=1e-12)


def test_parameters_of_the_model_and_of_the_study_hold(drop):
    moon = tp.Model(DROP, "drop.yaml", g=1.6)
    study = tp.study(moon, vary={"e": [0.5]}, measure={"hit": {"event": "impact"}}, set={"h": 0.2}, end=2)
    np.testing.assert_allclose(study["hit"], math.sqrt(2 * 0.2 / 1.6), rtol=1e-12)


def test_many_values_are_a_list_of_arrays(drop):
    study = tp.study(
        drop, vary={"h": [0.5, 1.0]}, measure={"y": {"at": "every", "period": 0.05, "to": 0.3, "of": "y"}}, dt=1e-3
    )
    for h, y in zip(study["h"], study.series["y"]):
        t = 0.05 * np.arange(len(y))
        np.testing.assert_allclose(y, h - 5 * t**2, atol=1e-12)
    x, y = study.points("y", over="h")
    assert x.shape == y.shape == (14,)


def test_a_run_that_is_refused_is_an_entry(drop):
    study = tp.study(drop, vary={"h": [1.0, -1.0]}, measure={"hit": {"event": "impact"}})
    assert list(study.status) == ["done", "refused"]
    assert "gap" in study.messages[1] and math.isnan(study["hit"][1])


def test_a_search_tells_what_it_found(drop):
    study = tp.study(
        drop,
        vary={"h": {"uniform": [0.1, 2]}},
        measure={"hit": {"event": "impact"}},
        threshold={"of": "hit", "level": 0.4, "tolerance": 1e-9},
    )
    (found,) = study.found["thresholds"]
    assert abs(0.5 * (found["low"] + found["high"]) - 0.8) < 1e-6  # h = g t²/2


def test_the_file_of_a_study(drop, tmp_path):
    (tmp_path / "drop.yaml").write_text(DROP)
    file = tmp_path / "study.yaml"
    file.write_text("model: drop.yaml\nvary: {h: [0.2, 0.8]}\nmeasure: {hit: {event: impact}}\n")
    np.testing.assert_allclose(tp.study(file)["hit"], [0.2, 0.4], rtol=1e-12)


def test_any_number_of_threads_gives_the_same_bits(crank):
    asked = {"vary": {"mu": np.linspace(0, 0.3, 7)}, "measure": {"deepest": {"max": "violation"}}, "end": 0.02}
    one, two = (tp.study(crank, **asked, threads=n)["deepest"] for n in (1, 2))
    assert one.tobytes() == two.tobytes()


def test_wrong_studies_are_refused_with_their_place(drop):
    with pytest.raises(tp.ModelError, match="unknown|no parameter|expected one of"):
        tp.study(drop, vary={"nothing": [1, 2]}, measure={"hit": {"event": "impact"}})
    with pytest.raises(tp.ModelError):
        tp.study(drop, vary={"h": [1, 2]}, measure={"x": {"max": "nothing"}})
    with pytest.raises(ValueError, match="finite"):
        tp.study(drop, vary={"h": [1, math.nan]}, measure={"hit": {"event": "impact"}})
    with pytest.raises(tp.ModelError):
        tp.study(drop, vary={"h": []}, measure={"hit": {"event": "impact"}})
    with pytest.raises(TypeError, match="Model"):
        tp.study("study.yaml", vary={"h": [1]})
    with pytest.raises(TypeError, match="expected a Model or a file"):
        tp.study(3)
    with pytest.raises(FileNotFoundError):
        tp.study("nowhere.yaml")


def test_progress_is_reported_and_may_end_the_study(drop):
    class Enough(Exception):
        pass

    def stop(done, all):
        raise Enough

    asked = {"vary": {"h": np.linspace(0.1, 1, 20000)}, "measure": {"hit": {"event": "impact"}}, "dt": 1e-3}
    with pytest.raises(Enough):
        tp.study(drop, **asked, progress=stop)
