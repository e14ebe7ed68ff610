# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""simulate()"""
from __future__ import annotations

import json
import math
import pathlib
import warnings
from typing import Any, Callable, Mapping, Sequence, Union

from . import _core, _progress
from ._core import Model, State, System
from ._errors import RunWarning, UsageError, nearest
from ._models import PathLike, Value, load
from ._memory import Memory
from ._records import Summary
from ._run import Run

Record = Union[bool, int, str, Sequence[str], None]


def simulate(
    model: Model | System | PathLike,
    *,
    scheme: Any = None,
    dt: float | None = None,
    end: float | None = None,
    parameters: Mapping[str, Value] | None = None,
    options: Mapping[str, Any] | None = None,
    record: Record = True,
    record_every: int | None = None,
    record_found: bool = False,
    start: Run | State | PathLike | None = None,
    project_start: bool | float = False,
    out: PathLike | None = None,
    csv: PathLike | None = None,
    threads: int = 1,
    profile: bool = False,
    control: Callable[[State], Any] | None = None,
    progress: bool | Callable[[int, int, float], Any] | None = None,
    on_interrupt: str = "return",
    **more: Any,
) -> Run:
    """Simulates a model and returns the Run.

    model          a Model, a compiled System, or a model file
    scheme         a name (``tappet.schemes()`` lists them), or a scheme in Python: a class or function that is called
                   with an Evaluator and returns an object with step(state, dt). Without it the model decides.
    dt, end        step and end [s]; without them those of the model
    parameters     other values of parameters of the model
    options        options of the scheme and of its contact solver
    record         True: everything. False: nothing. A number n: every n-th step. Names: only these ("q", "u", "energy",
                   "contacts", "joints", or single contacts and joints)
    record_every   every n-th step, if ``record`` has names
    record_found   also each contact between colliders, one by one (in files)
    start          a Run, its folder, or a State to start from in place of the start of the model
    project_start  moves the start onto joints and contacts, each coordinate by at most this (True: 1e-3)
    out            a folder for result.h5, summary.json and report.html; without it nothing is written
    csv            a file for a table of the recorded steps
    threads        the number of threads of this run, for models with many bodies; results do not depend on it
    control        called with the State before each step. It returns generalised forces for this step (an array, one
                   per velocity, or a dict from names of velocities), None to keep those of the step before, or False
                   to end the run
    progress       True or False: whether there is a bar. A function: called with step, steps, t about a hundred times
                   per second; the run ends if it returns False
    on_interrupt   what Ctrl-C does: "return" ends the run and returns what was computed, with the status "interrupted";
                   "raise" raises KeyboardInterrupt, whose attribute ``run`` is the same Run

    Further keywords are options of the scheme or parameters of the model: ``simulate(model, theta=0.6, mu=0.1)``.

    Raises ModelError and UsageError if something is wrong before the first step, and whatever ``control`` or a scheme
    in Python raise. A computation that fails has the status "failed" and a message, and a RunWarning is given.
    """
    if on_interrupt not in ("return", "raise"):
        raise UsageError(f"on_interrupt is {on_interrupt!r}; expected 'return' or 'raise'")
    if not isinstance(model, (Model, System)):
        model = load(model)
    stepper, scheme_name = _scheme(scheme)
    as_model = model.model if isinstance(model, System) else model
    chosen, changed = _sorted(
        more, as_model, scheme_name, stepper is not None, dict(options or {}), dict(parameters or {})
    )
    if changed:
        if isinstance(model, System):
            raise UsageError(
                f"parameter {next(iter(changed))}: a System is compiled with its parameters; expected a Model"
            )
        model = as_model = model.replace(parameters=changed)
    every, only = _recorded(record, record_every)
    began = _start(start, as_model)
    if isinstance(model, System) and (began is not None or project_start or record_found):
        model = as_model  # these belong to the model, which is compiled again
    bar = _bar(progress, as_model.name)
    asked = {
        "scheme": scheme_name,
        "dt": _seconds("dt", dt),
        "end": _seconds("end", end),
        "record_every": every,
        "only": only,
        "record_found": bool(record_found),
        "project_start": _limit(project_start),
        "start": began,
        "options": chosen,
        "out": str(out or ""),
        "csv": str(csv or ""),
        "threads": _threads(threads),
        "profile": bool(profile),
        "keep": every >= 0,
        "stepper": stepper,
        "control": _callable("control", control),
        "progress": bar,
    }
    try:
        result = _core.run(model, asked)
    finally:
        if isinstance(bar, _progress.Bar):
            bar.close()
    return _finished(result, pathlib.Path(out) if out else None, on_interrupt)


def _finished(result: _core.Result, folder: pathlib.Path | None, on_interrupt: str) -> Run:
    run = Run(Memory(result, folder), Summary(json.loads(result.summary_json)))
    if folder is not None and (folder / "result.h5").exists():
        _core.write_report(folder)
    if result.by_ctrl_c and on_interrupt == "raise":
        interrupt = KeyboardInterrupt("the run was interrupted; the attribute run has what was computed")
        interrupt.run = run  # type: ignore[attr-defined]
        raise interrupt
    for text in _remarks(run, result.by_ctrl_c):
        warnings.warn(text, RunWarning, stacklevel=3)
    return run


def _remarks(run: Run, by_ctrl_c: bool) -> list[str]:
    texts = [str(text) for text in run.summary.get("warnings", [])]
    if run.status == "failed":
        texts.append(f"the computation failed: {run.message}")
    if by_ctrl_c:
        texts.append(f"interrupted at t = {run.summary['time']:.6g} s; what was computed is kept")
    if run.summary["unconverged_steps"] > 0:
        texts.append(f"{run.summary['unconverged_steps']} of {run.summary['steps']} steps did not converge")
    return texts


def _scheme(scheme: Any) -> tuple[Any, str]:
    """A scheme in Python and its name in results, or the name of a scheme of the library."""
    if scheme is None:
        return None, ""
    if isinstance(scheme, str):
        return None, scheme
    if not callable(scheme):
        raise TypeError(f"scheme is of type {type(scheme).__name__}; expected a name, or a class with step(state, dt)")
    return scheme, str(getattr(scheme, "name", None) or getattr(scheme, "__name__", type(scheme).__name__))


def _sorted(
    more: dict[str, Any], model: Model, scheme: str, own: bool, options: dict[str, Any], parameters: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Tells the options of the scheme from the parameters of the model."""
    if not more:
        return options, parameters
    known = {option["name"] for option in _core.solver_options()} | {"sleeping", "reduction"}
    name = scheme or model.scheme
    for entry in _core.schemes():
        if not own and entry["name"] == name:
            known |= {option["name"] for option in entry["options"]}
    of_model = set(model.parameters)
    for key, value in more.items():
        if key in known and key in of_model:
            raise UsageError(
                f"{key} is an option of {name} and a parameter of {model.name}; expected it in the dict "
                "options or in the dict parameters"
            )
        if key in known:
            options[key] = value
        elif key in of_model:
            parameters[key] = value
        else:
            words = list(_KEYWORDS) + sorted(known) + sorted(of_model)
            raise TypeError(
                f"simulate() has no keyword {key!r}{nearest(key, words)}; expected one of its own, an option "
                f"of {name or 'the scheme'} or a parameter of {model.name}"
            )
    return options, parameters


_KEYWORDS = [name for name in simulate.__annotations__ if name not in ("model", "more", "return")]


def _recorded(record: Record, every: int | None) -> tuple[int, list[str]]:
    if every is not None and (isinstance(every, bool) or not isinstance(every, int) or every < 1):
        raise UsageError(f"record_every is {every!r}; expected a whole number of steps, at least 1")
    if isinstance(record, str):
        record = [record]
    if record is None or record is False:
        return -1, []
    if record is True:
        return every or 0, []
    if isinstance(record, int):
        if record < 0:
            raise UsageError(f"record is {record}; expected True, False, a number of steps, or names")
        return (record or -1), []
    names = list(record)
    if not names or not all(isinstance(name, str) for name in names):
        raise UsageError(f"record is {record!r}; expected True, False, a number of steps, or names")
    return every or 0, names


def _seconds(name: str, value: float | None) -> float:
    if value is None:
        return 0.0
    number = float(value)
    if not (math.isfinite(number) and number > 0):
        raise UsageError(f"{name} is {value}; expected a positive number of seconds")
    return number


def _limit(value: bool | float) -> float:
    if value is True:
        return 1e-3
    number = float(value)
    if not (math.isfinite(number) and number >= 0):
        raise UsageError(f"project_start is {value}; expected True, False or a positive number")
    return number


def _threads(value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 1024:
        raise UsageError(f"threads is {value!r}; expected a whole number from 1 to 1024")
    return value


def _callable(name: str, value: Any) -> Any:
    if value is not None and not callable(value):
        raise TypeError(f"{name} is of type {type(value).__name__}; expected a function")
    return value


def _bar(progress: Any, title: str) -> Any:
    if progress is None:
        progress = _progress.wanted()
    if progress is True:
        return _progress.Bar(title)
    return _callable("progress", progress or None)


def _start(start: Any, model: Model) -> Any:
    """A start as (t, q, u, violation of joints, penetration)."""
    if start is None:
        return None
    if isinstance(start, State):
        return start.t, list(start.q), list(start.u), 0.0, 0.0
    if isinstance(start, Run):
        state = start.state
        return (
            state.t,
            list(state.q),
            list(state.u),
            start.summary["joint_violation"]["max"],
            start.summary["violation"]["max"],
        )
    return _core.end_of(pathlib.Path(start), model)
