# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""Models and paths that several tests use."""
import os
import pathlib
import warnings

import pytest

import tappet as tp

ROOT = pathlib.Path(__file__).resolve().parents[2]

BALL = """
parameters: {m: 2, g: 9.81, e: 0.5}
coordinates: {y: {position: 1, velocity: 0}}
lagrangian: {kinetic: m*y'^2/2, potential: m*g*y}
contacts: {floor: {gap: y, e_N: e}}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.7}
"""


@pytest.fixture
def ball():
    return tp.Model(BALL, "ball.yaml")


@pytest.fixture
def crank():
    return tp.example("slider_crank")


@pytest.fixture
def program():
    """The program tappet of the same build."""
    path = pathlib.Path(os.environ.get("TAPPET_PROGRAM", ""))
    if not path.is_file():
        pytest.skip("the program was not built")
    return path


@pytest.fixture(autouse=True)
def quiet():
    """Remarks about a run are expected where a test asks for them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tp.RunWarning)
        yield
