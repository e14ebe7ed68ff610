# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""open(): the results of an earlier run, read when they are asked for."""
from __future__ import annotations

import json
import pathlib
import shutil
from typing import Any

import numpy as np

from . import _core
from ._errors import FileError
from ._models import PathLike
from ._records import Event, Summary
from ._run import Run


def open(folder: PathLike) -> Run:  # noqa: A001
    """The run in a folder that ``tappet run`` or ``simulate(out=...)`` wrote.

    Nothing but the summary and the names is read at once. Each quantity is read when it is first asked for, and
    ``run.read("q", 1000, 2000)`` reads some samples of it.
    """
    path = pathlib.Path(folder)
    if not path.is_dir():
        raise FileNotFoundError(2, "expected the folder of a run", str(folder))
    if not (path / "result.h5").exists():
        raise FileNotFoundError(2, "there is no result.h5 in it; expected the folder of a run", str(folder))
    return StoredRun(Stored(path), _summary(path))


def _summary(path: pathlib.Path) -> Summary:
    file = path / "summary.json"
    if not file.exists():  # the program was killed: what is known stands in result.h5
        source = _core.ResultFile(path / "result.h5")
        return Summary(
            model=source.text("model/name"),
            scheme=source.attribute("scheme"),
            status="interrupted",
            message="there is no summary.json: the run did not come to its end",
            dt=source.number("dt"),
            end=source.number("end"),
            steps=source.samples - 1,
            unconverged_steps=0,
            warnings=[],
        )
    try:
        summary = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise FileError(f"{file}: not the summary of a run: {error}") from None
    if not isinstance(summary, dict) or "status" not in summary:
        raise FileError(f"{file}: not the summary of a run: expected the key status")
    return Summary(summary)


class StoredRun(Run):
    """A run whose numbers are in files."""

    def read(self, data: str, first: int = 0, last: int | None = None) -> np.ndarray[Any, Any]:
        """Reads only the samples ``first`` to ``last - 1`` of a data set of result.h5 ("q", "contacts/floor/P_N")."""
        source: Stored = self._source
        end = source.samples if last is None else int(last)
        array = source.file.read(data, int(first), end)
        return array[:, 0] if array.shape[1] == 1 and data not in ("q", "u") else array


class Stored:
    """The numbers of a run in result.h5."""

    def __init__(self, folder: pathlib.Path):
        self.folder: pathlib.Path | None = folder
        self._path = folder
        try:
            self.file = _core.ResultFile(folder / "result.h5")
        except RuntimeError as error:
            raise FileError(str(error)) from None
        self.samples: int = self.file.samples
        self.contact_names: list[str] = self.file.groups("contacts")
        self.joint_names: list[str] = self.file.groups("joints")
        self._arrays: dict[str, np.ndarray[Any, Any]] = {}

    def _read(self, data: str, flat: bool) -> np.ndarray[Any, Any]:
        if data not in self._arrays:
            if not self.file.has(data):
                return np.empty(0) if flat else np.empty((0, 0))
            array = self.file.read(data, 0, self.samples)
            self._arrays[data] = array[:, 0] if flat else array
        return self._arrays[data]

    def table(self, name: str) -> np.ndarray[Any, Any]:
        return self._read(name, flat=name == "t")

    def names(self, name: str) -> tuple[list[str], list[str]]:
        return self.file.names(name), self.file.units(name)

    def read(self, group: str, name: str, quantity: str) -> np.ndarray[Any, Any]:
        flat = group == "contacts" and (quantity in ("gap", "gap_velocity") or quantity.endswith("_N"))
        array = self._read(f"{group}/{_group_name(name)}/{quantity}", flat)
        return np.empty((self.samples, 0)) if not flat and array.size == 0 else array

    def energy(self) -> tuple[np.ndarray[Any, Any], ...]:
        return self._read("energy/kinetic", True), self._read("energy/potential", True)

    def steps(self) -> tuple[np.ndarray[Any, Any], ...]:
        return tuple(self._read(f"steps/{name}", True) for name in ("dt", "residual", "iterations", "status"))

    def events(self) -> list[Event]:
        return [Event(t, kind, contact) for t, kind, contact in self.file.events()]

    def state(self) -> _core.State:
        last = self.samples - 1
        t, q, u = (self.file.read(data, last, last + 1)[0] for data in ("t", "q", "u"))
        return _core.State(float(t[0]), q, u)

    def save(self, folder: pathlib.Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("result.h5", "summary.json"):
            if (self._path / name).exists():
                shutil.copy(self._path / name, folder / name)

    def brief(self, summary: Summary) -> str:
        return (
            f"{summary['model']}, {summary['scheme']}: {summary['steps']} steps, {summary['status']}, in {self._path}"
        )


def _group_name(name: str) -> str:
    """A name as a component of an HDF5 path, as result files write it."""
    if not name:
        return "%"
    dots = set(name) == {"."}
    return "".join(f"%{ord(c):02X}" if c in "/%\0" or (dots and c == ".") else c for c in name)
