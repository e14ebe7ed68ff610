# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs: what simulate() returns and what open() reads."""
from __future__ import annotations

import pathlib
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import _core
from ._models import PathLike
from ._records import Columns, Contact, Energy, Event, Joint, Named, Steps, Summary, escaped


class Run:
    """A run: recorded numbers as arrays, events, summary, plots, and the page in a notebook."""

    def __init__(self, source: Any, summary: Summary):
        self._source = source
        self.summary = summary
        self._events: list[Event] | None = None
        self._page: str | None = None
        self._folder: pathlib.Path | None = source.folder

    # what was asked for, and how it went

    @property
    def model(self) -> str:
        """The name of the model."""
        return str(self.summary["model"])

    @property
    def scheme(self) -> str:
        return str(self.summary["scheme"])

    @property
    def status(self) -> str:
        """ "done", "failed" or "interrupted"."""
        return str(self.summary["status"])

    @property
    def message(self) -> str:
        """Why the run failed or ended early; empty if it did not."""
        return str(self.summary.get("message") or "")

    @property
    def state(self) -> _core.State:
        """The last state. ``simulate(model, start=run)`` continues from there."""
        state: _core.State = self._source.state()
        return state

    # recorded numbers

    @property
    def t(self) -> np.ndarray[Any, Any]:
        """The times of the samples [s]."""
        array: np.ndarray[Any, Any] = self._source.table("t")
        return array

    @property
    def q(self) -> Columns:
        """Positions."""
        return self._columns("position", "q")

    @property
    def u(self) -> Columns:
        """Velocities."""
        return self._columns("velocity", "u")

    @property
    def energy(self) -> Energy:
        return Energy(*self._source.energy())

    @property
    def steps(self) -> Steps:
        return Steps(*self._source.steps())

    @property
    def contacts(self) -> Named:
        """The contacts of the model: ``run.contacts["floor"].P_N``."""
        read = self._source.read
        return Named("contact", {name: Contact(name, read) for name in self._source.contact_names})

    @property
    def joints(self) -> Named:
        read = self._source.read
        return Named("joint", {name: Joint(name, read) for name in self._source.joint_names})

    @property
    def events(self) -> list[Event]:
        """The events in the order of time.

        Schemes that locate events give them exactly. For other schemes these are the impacts that can be seen in the
        recorded impulses, with the time of the step and ``located=False``.
        """
        if self._events is None:
            self._events = self._source.events() or self._impacts()
        return list(self._events)

    def _columns(self, what: str, name: str) -> Columns:
        return Columns(what, self._source.table(name), *self._source.names(name))

    def _impacts(self) -> list[Event]:
        found: list[Event] = []
        none = np.empty(0)
        for contact in self.contacts.values():
            slip = contact.slip_velocity
            speed = np.ascontiguousarray(np.linalg.norm(slip[:, :2], axis=1)) if slip.ndim == 2 and slip.size else none
            Lambda = np.ascontiguousarray(contact.Lambda_N) if np.any(contact.Lambda_N) else none
            times, sizes, _, _ = _core.impacts(self.t, contact.gap_velocity, contact.P_N, Lambda, speed)
            found += [Event(t, "impact", contact.name, False, size) for t, size in zip(times, sizes)]
        return sorted(found, key=lambda event: event.t)

    # tables of other packages

    def to_pandas(self) -> Any:
        """A pandas.DataFrame over t, with a column for every number that has one value per sample."""
        import pandas

        return pandas.DataFrame(dict(self._flat()), index=pandas.Index(self.t, name="t"))

    def to_xarray(self) -> Any:
        """An xarray.Dataset over t."""
        import xarray

        return xarray.Dataset(
            {name: ("t", values) for name, values in self._flat()},
            coords={"t": self.t},
            attrs={"model": self.model, "scheme": self.scheme},
        )

    def _flat(self) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
        for name, values in self.q.items():
            yield name, values
        for name, values in self.u.items():
            yield f"u:{name}" if name in self.q else name, values
        for contact in self.contacts.values():
            for quantity in Contact.quantities:
                values = getattr(contact, quantity)
                if values.ndim == 1:
                    yield f"{contact.name}:{quantity}", values
                else:
                    for i in range(values.shape[1]):
                        yield f"{contact.name}:{quantity}{i + 1}", values[:, i]

    # files, pages and pictures

    def save(self, folder: PathLike) -> pathlib.Path:
        """Writes result.h5, summary.json and report.html, as ``tappet run`` does. Returns the folder."""
        path = pathlib.Path(folder)
        self._source.save(path)
        if (path / "result.h5").exists():
            _core.write_report(path)
        return path

    @property
    def page(self) -> str:
        """The report page of the run: one HTML text that needs no network."""
        if self._page is None:
            if self._folder is not None and (self._folder / "result.h5").exists():
                if not (self._folder / "report.html").exists():
                    _core.write_report(self._folder)
                self._page = (self._folder / "report.html").read_text(encoding="utf-8")
            else:
                with tempfile.TemporaryDirectory(prefix="tappet-") as scratch:
                    self.save(scratch)
                    self._page = (pathlib.Path(scratch) / "report.html").read_text(encoding="utf-8")
        return self._page

    def plot(self, *what: str, axes: Any = None) -> Any:
        """Plots with Matplotlib: positions, velocities, gaps and impulses, or only those that are named.

        Names are those of coordinates and velocities, "contact.P_N", "energy", or a group: "q", "u", "gap", "P_N".
        Returns the figure.
        """
        from . import _plot

        return _plot.plot(self, what, axes)

    def animate(self, *, fps: float = 30.0, speed: float | None = None, seconds: float = 8.0) -> Any:
        """The motion as a Matplotlib animation, drawn as on the page of the run.

        It takes ``seconds`` seconds, or ``speed`` times real time. In a notebook ``run`` itself shows the page, which
        can do more. Without Matplotlib this is the page.
        """
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            return Page(self.page)
        from . import _animate

        return _animate.animate(self, fps, speed, seconds)

    def show(self) -> None:
        """Shows the page: in the notebook, otherwise in the browser."""
        from ._progress import in_notebook

        if in_notebook():
            from IPython.display import display

            display(Page(self.page))
            return
        import webbrowser

        folder = self._folder or self.save(tempfile.mkdtemp(prefix="tappet-"))
        webbrowser.open((folder / "report.html").resolve().as_uri())

    def _repr_html_(self) -> str:
        if not len(self.t):
            return self.summary._repr_html_()
        return Page(self.page)._repr_html_()

    def __len__(self) -> int:
        """The number of samples."""
        return int(self._source.samples)

    def __repr__(self) -> str:
        return f"<tappet.Run {self._source.brief(self.summary)}>"


class Page:
    """An HTML page that a notebook shows in a frame."""

    def __init__(self, html: str, height: int = 640):
        self.html, self.height = html, height

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escaped(self.html)}" width="100%" height="{self.height}" '
            'style="border: 1px solid #ccc"></iframe>'
        )
