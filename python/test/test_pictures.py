# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""Plots and animations, and result folders."""
import numpy as np
import pytest

import tappet as tp


@pytest.fixture
def run(crank):
    return tp.simulate(crank, end=0.05)


def test_plots(run):
    pytest.importorskip("matplotlib")
    figure = run.plot()
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels == ["position", "velocity", "gap", "P_N"]
    assert np.array_equal(figure.axes[0].lines[0].get_ydata(), run.q["theta1"])
    single = run.plot("theta2", "corner1.P_F", "energy")
    assert [axes.get_ylabel() for axes in single.axes] == ["theta2", "corner1.P_F", "energy [J]"]
    with pytest.raises(tp.UsageError, match="did you mean 'theta1'"):
        run.plot("theta11")


def test_the_animation_shows_the_mechanism(run):
    pytest.importorskip("matplotlib")
    if "tappet-arrays" not in run.page:
        pytest.skip("built without the page")
    from tappet._animate import Scene

    scene = Scene(run.page)
    crank = next(item for item in scene.items if item["label"] == "crank")
    # the end of the crank, from its angle
    angle = np.interp(scene.t, run.t, run.q["theta1"])
    expected = 0.153 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    assert crank["points"][:, 1, :2] == pytest.approx(expected, abs=1e-5)
    animation = run.animate(fps=10, seconds=0.5)
    animation._draw_frame(2)
    slider = next(item for item in scene.items if item["label"] == "slider")
    assert slider["points"].shape == (len(scene.t), 1, 3)


@pytest.mark.parametrize("name", ["first_model", "bouncing_sphere", "elastic_bar", "rotor", "slider_crank_bodies"])
def test_animations_of_other_models(name):
    pytest.importorskip("matplotlib")
    model = tp.example(name)
    run = tp.simulate(model, end=20 * model.dt)
    if "tappet-arrays" not in run.page:
        pytest.skip("built without the page")
    animation = run.animate(fps=4, seconds=1)
    for frame in range(4):
        animation._draw_frame(frame)


def test_a_folder_is_read_when_it_is_asked_for(crank, tmp_path):
    run = tp.simulate(crank, end=0.05, out=tmp_path)
    stored = tp.open(tmp_path)
    assert not stored._source._arrays  # nothing was read yet
    assert np.array_equal(stored.read("q", 100, 103), run.q.array[100:103])
    assert np.array_equal(stored.read("contacts/corner1/P_N", 5, 50), run.contacts["corner1"].P_N[5:50])
    assert not stored._source._arrays
    assert np.array_equal(stored.q["theta1"], run.q["theta1"])
    assert list(stored._source._arrays) == ["q"]
    assert list(stored.contacts) == ["corner1", "corner2", "corner3", "corner4"]
    assert stored.summary.status == "done" and len(stored) == len(run)
    assert np.array_equal(stored.state.q, run.state.q)
    assert [event[:3] for event in stored.events] == [event[:3] for event in run.events]
    assert stored.page == run.page
    assert stored.q.units == run.q.units


def test_a_folder_of_a_run_that_was_killed(crank, tmp_path):
    tp.simulate(crank, end=0.02, out=tmp_path)
    (tmp_path / "summary.json").unlink()
    stored = tp.open(tmp_path)
    assert stored.status == "interrupted" and "summary.json" in stored.message
    (tmp_path / "summary.json").write_text("{")
    with pytest.raises(tp.FileError, match="summary"):
        tp.open(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    (other / "result.h5").write_bytes(b"no HDF5")
    with pytest.raises(tp.FileError, match="not a result file"):
        tp.open(other)


def test_joints():
    run = tp.simulate(tp.example("slider_crank_bodies"), end=0.001)
    name = next(iter(run.joints))
    joint = run.joints[name]
    assert joint.impulse.shape == joint.residual.shape and len(joint.impulse) == len(run.t)
    assert np.abs(joint.residual).max() < 1e-3 and joint.impulse.any()
