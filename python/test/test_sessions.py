# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, progress, and several threads."""
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tappet as tp


def press_ctrl_c_after(seconds):
    """The signal that a terminal or a notebook sends to the process."""
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_ctrl_c_ends_a_run_and_keeps_what_was_computed(crank):
    timer = press_ctrl_c_after(0.5)
    with pytest.warns(tp.RunWarning, match="interrupted at t ="):
        run = tp.simulate(crank, dt=1e-6, end=1000.0, record=1000)
    timer.join()
    assert run.status == "interrupted" and 0 < run.summary.time < 1000
    assert len(run.t) > 1 and run.t[-1] == run.summary.time
    assert np.array_equal(run.q.array[-1], run.state.q)
    again = tp.simulate(crank, dt=1e-6, end=run.summary.time, record=1000)  # the session goes on, with the same numbers
    assert np.array_equal(again.q.array, run.q.array)


def test_ctrl_c_may_raise(crank):
    timer = press_ctrl_c_after(0.3)
    with pytest.raises(KeyboardInterrupt) as caught:
        tp.simulate(crank, dt=1e-6, end=1000.0, record=1000, on_interrupt="raise")
    timer.join()
    assert caught.value.run.status == "interrupted" and len(caught.value.run.t) > 1


def test_ctrl_c_in_a_control_and_in_a_scheme(ball):
    def control(state):
        if state.t > 0.01:
            raise KeyboardInterrupt
        return None

    run = tp.simulate(ball, control=control)
    assert run.status == "interrupted" and 0.01 <= run.summary.time <= 0.012


def test_ctrl_c_ends_a_comparison(crank):
    timer = press_ctrl_c_after(0.5)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        tp.compare(crank, schemes=["moreau-midpoint"], dt=[1e-7], end=10.0, reference="moreau-jean@1e-7")
    timer.join()
    assert time.monotonic() - start < 60


def test_ctrl_c_in_a_session_of_its_own(tmp_path):
    """The process is that of a user; the signal comes from outside, as from a terminal."""
    script = tmp_path / "session.py"
    script.write_text(
        textwrap.dedent(
            """
        import sys, tappet as tp
        model = tp.example("slider_crank")
        print("ready", flush=True)
        run = tp.simulate(model, dt=1e-6, end=1000.0, record=1000, progress=False)
        print(run.status, len(run.t) > 1, run.q["theta1"].shape == run.t.shape, flush=True)
        again = tp.simulate(model, end=0.01)
        print(again.status, flush=True)
    """
        )
    )
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert out == "interrupted True True\ndone\n", (out, err)


def test_progress_is_reported_and_ends_a_run(crank):
    seen = []
    run = tp.simulate(crank, dt=1e-6, end=1.0, record=False, progress=lambda *at: seen.append(at) or len(seen) < 5)
    assert run.status == "interrupted" and len(seen) == 5
    assert all(steps == 1000000 and 0 < step <= steps for step, steps, _ in seen)


def test_a_bar_in_a_terminal(crank, capsys):
    from tappet._progress import Bar

    bar = Bar("crank", wait=0.0)
    bar(1, 4, 0.25)
    bar.close()
    text = capsys.readouterr().err
    assert "25 %" in text and "crank" in text and text.endswith("\r\033[K")


def test_the_lock_is_released_while_a_run_computes(crank):
    count, done = 0, threading.Event()

    def run():
        tp.simulate(crank, dt=1e-6, end=0.5, record=False)
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not done.is_set():
        count += 1
        time.sleep(0.001)
    thread.join()
    assert count > 20  # this thread went on meanwhile


def test_threads_share_a_system_and_get_the_same_numbers(crank):
    system = tp.System(crank)
    expected = tp.simulate(system).q.array
    with ThreadPoolExecutor(4) as pool:
        for run in pool.map(lambda k: tp.simulate(system), range(8)):
            assert np.array_equal(run.q.array, expected)


def test_threads_that_write_files(crank, tmp_path):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda k: tp.simulate(crank, end=0.02, out=tmp_path / str(k)), range(6)))
    first = tp.open(tmp_path / "0").q.array
    assert all(np.array_equal(tp.open(tmp_path / str(k)).q.array, first) for k in range(6))


def test_a_stepper_refuses_two_threads_at_once():
    model = tp.example("sphere_pile")
    system = tp.System(model)
    stepper = tp.Stepper(system)
    refused = []

    def work():
        state = system.initial()
        for _ in range(30):
            try:
                stepper.step(state, model.dt)
            except RuntimeError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused and all("another thread" in text for text in refused)


def test_steppers_in_threads(crank):
    system = tp.System(crank)

    def work(_):
        stepper, state = tp.Stepper(system), system.initial()
        for _ in range(2000):
            stepper.step(state, 1e-4)
        return state.q.copy()

    with ThreadPoolExecutor(3) as pool:
        first, *others = pool.map(work, range(3))
    assert all(np.array_equal(first, other) for other in others)


def test_controls_in_threads(ball):
    def work(k):
        return tp.simulate(ball, control=lambda state: [2 * 9.81 + k]).q["y"][-1]

    with ThreadPoolExecutor(3) as pool:
        heights = list(pool.map(work, range(3)))
    # the force carries the weight and accelerates upwards by k / m
    assert heights == pytest.approx([1 + k / 2 * 0.7**2 / 2 for k in range(3)], rel=1e-6)
