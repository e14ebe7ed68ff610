# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""study(): many runs of one model"""
from __future__ import annotations

import json
import pathlib
from typing import Any, Callable, Mapping, Union

import numpy as np
import numpy.typing as npt

from . import _core, _progress
from ._core import Model
from ._models import PathLike, _plain
from ._records import escaped


class Study:
    """What a study gave. Arrays have one entry for each run, in the order of the runs."""

    def __init__(self, found: dict[str, Any]):
        self.parameters: dict[str, npt.NDArray[np.float64]] = found["parameters"]
        #: measures with one value for each run; NaN if there is none
        self.measures: dict[str, npt.NDArray[np.float64]] = found["measures"]
        #: measures with many values: a list with an array for each run
        self.series: dict[str, list[npt.NDArray[np.float64]]] = found["series"]
        self.status: npt.NDArray[np.str_] = np.array(found["status"], dtype=str)  #: "done", "failed" or "refused"
        self.messages: list[str] = found["messages"]  #: why a run failed or was refused
        self.steps: npt.NDArray[np.int64] = np.array(found["steps"], dtype=np.int64)
        #: what a search (``threshold``, ``until``, ``fit``, ``minimise``, ``maximise``) found, as in `tappet study --json`; otherwise empty
        self.found: dict[str, Any] = json.loads(found["found"]) if found["found"] else {}

    def __len__(self) -> int:
        return len(self.status)

    def __getitem__(self, name: str) -> Any:
        """The values of a parameter or of a measure."""
        tables: list[dict[str, Any]] = [self.parameters, self.measures, self.series]
        for table in tables:
            if name in table:
                return table[name]
        names = ", ".join([*self.parameters, *self.measures, *self.series])
        raise KeyError(f"the study has no '{name}'; expected one of: {names}")

    def points(self, measure: str, over: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """A measure with many values as x and y of points, x being a parameter: a bifurcation diagram."""
        series = self.series[measure]
        x = np.repeat(self.parameters[over], [len(values) for values in series])
        return x, np.concatenate(series) if series else np.empty(0)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row for each run."""
        import pandas

        columns: dict[str, Any] = {**self.parameters, **self.measures, **self.series}
        return pandas.DataFrame({**columns, "status": self.status, "steps": self.steps, "message": self.messages})

    def __repr__(self) -> str:
        done = int(np.sum(self.status == "done"))
        names = ", ".join([*self.measures, *self.series])
        return f"<tappet.Study: {len(self)} runs, {done} done, measures {names}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escaped(repr(self))}</pre>"


def study(
    model: Union[Model, PathLike],
    vary: Mapping[str, Any] | None = None,
    measure: Mapping[str, Any] | None = None,
    *,
    threads: int = 0,
    progress: Union[bool, Callable[[int, int], None], None] = None,
    **more: Any,
) -> Study:
    """Runs a model many times with different parameters, and measures something in each run.

    ``tp.study(model, vary={"mu": numpy.linspace(0, 0.3, 31)}, measure={"deepest": {"max": "violation"}})``

    ``vary``, ``measure`` and further keywords (``scheme``, ``dt``, ``end``, ``set``, ``options``, ``record``, ``samples``,
    ``sampling``, ``seed``, ``table``, ``threshold``, ``until``, ``fit``, ``minimise``, ``maximise``) are those of the file
    of a study (docs/studies.md), as dicts, lists, numbers and formulas. Arrays of NumPy are lists. Instead of a model and these, the
    path of such a file may be given.

    With ``threads=0`` there are as many runs at once as there are cores. ``progress`` is True, False, or a function of
    the number of runs that are done and of all. A run that fails is an entry of ``status``. Ctrl-C ends the study.
    """
    if isinstance(model, Model):
        asked = {"vary": vary, "measure": measure, **more}
        text = json.dumps(_plain({key: value for key, value in asked.items() if value is not None}, ""), indent=1)
        given: Model = model
        return _run(lambda listener: _core.study_of_model(given, text, int(threads), listener), given.name, progress)
    if not isinstance(model, (str, pathlib.PurePath)) and not hasattr(model, "__fspath__"):
        raise TypeError(f"study: the first argument is of type {type(model).__name__}; expected a Model or a file")
    if vary is not None or measure is not None or more:
        raise TypeError("study: a file says itself what varies; expected a Model beside vary= and measure=")
    path = pathlib.Path(model)
    if not path.is_file():
        raise FileNotFoundError(2, "no such study", str(path))
    return _run(lambda listener: _core.study_of_file(path, int(threads), listener), path.stem, progress)


def _run(start: Callable[[Any], dict[str, Any]], name: str, progress: Any) -> Study:
    if callable(progress):
        return Study(start(progress))
    if progress is False or (progress is None and not _progress.wanted()):
        return Study(start(None))
    bar = _progress.Bar(name)
    try:
        return Study(start(bar.runs))
    finally:
        bar.close()
