# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""Tappet simulates mechanisms whose parts touch: impacts, rebound, friction, sticking, resting, jamming.

    import tappet as tp
    model = tp.example("slider_crank", mu=0.05)
    run = tp.simulate(model, scheme="half-explicit-velocity", dt=1e-5, end=0.1)
    run.t, run.q["theta1"], run.contacts["corner1"].P_N

docs/python.md explains the package level by level.
"""
import os as _os
import pathlib as _pathlib

try:
    import numpy as _numpy  # noqa: F401
except ImportError as _error:  # pragma: no cover
    raise ImportError("tappet needs NumPy (Debian: python3-numpy; otherwise: pip install numpy)") from _error

# A package that was installed with pip brings its own examples and published results.
for _variable, _folder in (("TAPPET_MODELS", "models"), ("TAPPET_REPRODUCTIONS", "reproductions")):
    _path = _pathlib.Path(__file__).parent / "share" / _folder
    if _path.is_dir():
        _os.environ.setdefault(_variable, str(_path))

from ._core import (  # noqa: E402
    ContactProblem,
    Evaluator,
    Model,
    SchemeReport,
    Solution,
    State,
    StepReport,
    Stepper,
    System,
    __version__,
    read_fclib,
)
from ._errors import FileError, ModelError, RunWarning, TappetError, UsageError  # noqa: E402
from ._judge import Comparison, Reproduced, compare, reproduce, reproductions  # noqa: E402
from ._models import example, examples, load, schemes, solvers  # noqa: E402
from ._problem import solve_contact  # noqa: E402
from ._records import Columns, Contact, Event, Joint, Summary  # noqa: E402
from ._run import Run  # noqa: E402
from ._simulate import simulate  # noqa: E402
from ._stored import open  # noqa: E402, A001
from ._study import Study, study  # noqa: E402

__all__ = [
    "Columns",
    "Comparison",
    "Contact",
    "ContactProblem",
    "Evaluator",
    "Event",
    "FileError",
    "Joint",
    "Model",
    "ModelError",
    "Reproduced",
    "Run",
    "RunWarning",
    "SchemeReport",
    "Solution",
    "State",
    "StepReport",
    "Stepper",
    "Study",
    "Summary",
    "System",
    "TappetError",
    "UsageError",
    "__version__",
    "compare",
    "example",
    "examples",
    "load",
    "open",
    "read_fclib",
    "reproduce",
    "reproductions",
    "schemes",
    "simulate",
    "solve_contact",
    "solvers",
    "study",
]
