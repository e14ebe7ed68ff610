# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""Plots with Matplotlib."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import UsageError, nearest

_MOST = 12  # curves in one plot


def plot(run: Any, what: tuple[str, ...], axes: Any = None) -> Any:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError(
            "plots need Matplotlib (Debian: python3-matplotlib; otherwise: pip install matplotlib)"
        ) from None
    if not len(run.t):
        raise UsageError("plot: nothing was recorded; expected a run with record=True")
    panels = [_panel(run, name) for name in what] if what else _usual(run)
    if axes is None:
        figure, grid = pyplot.subplots(
            len(panels), 1, sharex=True, squeeze=False, figsize=(8, 1 + 2 * len(panels)), constrained_layout=True
        )
        places = list(grid[:, 0])
    else:
        places = list(np.atleast_1d(axes).ravel())
        figure = places[0].figure
        if len(places) < len(panels):
            raise UsageError(f"plot: {len(places)} axes; expected {len(panels)}")
    for place, (label, curves) in zip(places, panels):
        for name, values in curves[:_MOST]:
            place.plot(run.t, values, label=name, linewidth=1)
        place.set_ylabel(label)
        if len(curves) > 1:
            place.legend(
                fontsize="small", ncol=2, title=f"first {_MOST} of {len(curves)}" if len(curves) > _MOST else None
            )
    places[len(panels) - 1].set_xlabel("t [s]")
    figure.suptitle(f"{run.model}, {run.scheme}", fontsize="medium")
    return figure


def _usual(run: Any) -> list[tuple[str, list[tuple[str, Any]]]]:
    names = [name for name in ("q", "u", "gap", "P_N") if name in ("q", "u") or len(run.contacts)]
    panels = [_panel(run, name) for name in names]
    return [panel for panel in panels if panel[1]]


def _panel(run: Any, name: str) -> tuple[str, list[tuple[str, Any]]]:
    if name in ("q", "u"):
        return {"q": "position", "u": "velocity"}[name], list(getattr(run, name).items())
    if name == "energy":
        energy = run.energy
        return "energy [J]", [("kinetic", energy.kinetic), ("potential", energy.potential), ("total", energy.total)]
    if name in ("gap", "P_N", "gap_velocity", "lambda_N", "Lambda_N"):
        return name, [(contact, getattr(run.contacts[contact], name)) for contact in run.contacts]
    if name in run.q:
        return name, [(name, run.q[name])]
    if name in run.u:
        return name, [(name, run.u[name])]
    contact, dot, quantity = name.rpartition(".")
    if dot and contact in run.contacts:
        values = getattr(run.contacts[contact], quantity)
        return name, [(name, values)] if values.ndim == 1 else [(f"{name} {i + 1}", v) for i, v in enumerate(values.T)]
    known = ["q", "u", "energy", "gap", "P_N", *run.q, *run.u, *(f"{contact}.P_N" for contact in run.contacts)]
    raise UsageError(
        f"plot: nothing called {name!r}{nearest(name, known)}; expected q, u, energy, gap, P_N, a coordinate, "
        "or contact.quantity"
    )
