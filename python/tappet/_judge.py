# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""compare() and reproduce()"""
from __future__ import annotations

import json
from typing import Any, Mapping, Sequence, Union

from . import _core
from ._core import Model
from ._errors import UsageError
from ._records import escaped
from ._simulate import _seconds


class Comparison:
    """Schemes on one model, compared with a reference. ``runs`` has a dict for each scheme and step size."""

    def __init__(self, found: dict[str, Any]):
        self.model: str = found["model"]
        self.reference: str = found["reference"]
        self.end: float = found["end"]
        self.doubts: list[str] = found["doubts"]  #: what is wrong with the reference, in sentences
        self.runs: list[dict[str, Any]] = found["runs"]
        self.table: str = found["table"]  #: as `tappet compare` prints it

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row for each run."""
        import pandas

        return pandas.DataFrame(self.runs)

    def plot(self, error: str = "q_L1", over: str = "dt") -> Any:
        """The error of each scheme over its step size, or over another number such as "seconds". Needs Matplotlib."""
        from matplotlib import pyplot

        figure, axes = pyplot.subplots()
        for scheme in dict.fromkeys(run["scheme"] for run in self.runs):
            own = [run for run in self.runs if run["scheme"] == scheme and not run["trouble"]]
            if own:
                axes.loglog([run[over] for run in own], [run[error] for run in own], "o-", label=scheme)
        axes.set_xlabel(over), axes.set_ylabel(error)
        axes.legend()
        return figure

    def __str__(self) -> str:
        return self.table

    def __repr__(self) -> str:
        return f"<tappet.Comparison {self.model}: {len(self.runs)} runs, compared with {self.reference}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escaped(self.table)}</pre>"


def compare(
    model: Model,
    *,
    schemes: Sequence[str] | str = (),
    dt: Union[Sequence[float], float] = (),
    end: float | None = None,
    reference: str = "",
    options: Mapping[str, Any] | None = None,
    limit: float = 60.0,
    threads: int = 0,
) -> Comparison:
    """Compares schemes with a reference: error, order, violation, cost.

    Without ``schemes`` all of them are compared. ``reference`` is "" (event-driven, or the finest run), "finest",
    a scheme, "SCHEME@DT", or a case file. A run that takes longer than ``limit`` seconds is
    stopped and listed as such. With ``threads=0`` there are as many runs at once as there are cores.
    """
    if not isinstance(model, Model):
        raise TypeError(f"model is of type {type(model).__name__}; expected a Model")
    steps = [dt] if isinstance(dt, (int, float)) else list(dt)
    return Comparison(
        _core.compare(
            model,
            {
                "schemes": [schemes] if isinstance(schemes, str) else list(schemes),
                "dt": [_seconds("dt", step) for step in steps],
                "end": _seconds("end", end),
                "reference": reference,
                "options": dict(options or {}),
                "limit": _seconds("limit", limit),
                "threads": int(threads),
            },
        )
    )


class Reproduced(dict):  # type: ignore[type-arg]
    """A published table or figure that was computed again: name, title, source, verdict, and its checks."""

    @property
    def name(self) -> str:
        return str(self["name"])

    @property
    def verdict(self) -> str:
        """ "passed", "differs", "missing" or "failed"."""
        return str(self["verdict"])

    def __repr__(self) -> str:
        return f"<tappet.Reproduced {self.name}: {self.verdict}>"


def reproduce(*names: str, quick: bool = False, threads: int = 0) -> list[Reproduced]:
    """Computes published tables and figures again, by their names, or all that take little time."""
    if not names and not quick:
        raise UsageError("reproduce: expected names (tappet.reproductions() lists them) or quick=True")
    found = json.loads(_core.reproduce(list(names), quick, int(threads)))
    entries = found["reproductions"] if isinstance(found, dict) else found
    return [Reproduced(entry) for entry in entries]


def reproductions() -> list[dict[str, Any]]:
    """The published results that Tappet can compute again: name, title, source."""
    return _core.reproductions()
