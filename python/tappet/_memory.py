# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""The numbers of a run that are in memory."""
from __future__ import annotations

import pathlib
from typing import Any

import numpy as np

from . import _core
from ._errors import UsageError
from ._records import Event, Summary


class Memory:
    """The numbers of a run that are in memory. Arrays are views of them."""

    folder: pathlib.Path | None

    def __init__(self, result: _core.Result, folder: pathlib.Path | None):
        self._result, self.folder = result, folder
        self._recorded = result.recorded
        self._contacts = {name: rest for name, *rest in self._recorded.contacts} if self._recorded else {}
        self._joints = {name: rest for name, *rest in self._recorded.joints} if self._recorded else {}
        self.contact_names, self.joint_names = list(self._contacts), list(self._joints)
        self.samples = self._recorded.samples if self._recorded else 0

    def table(self, name: str) -> np.ndarray[Any, Any]:
        if self._recorded is None:
            return np.empty(0) if name == "t" else np.empty((0, 0))
        table = self._recorded.table(name)
        return table[:, 0] if name == "t" else table

    def names(self, name: str) -> tuple[list[str], list[str]]:
        if self._recorded is None or self._recorded.table(name).shape[1] == 0:
            return [], []
        if name == "q":
            return self._recorded.q_names, self._recorded.q_units
        return self._recorded.u_names, self._recorded.u_units

    def read(self, group: str, name: str, quantity: str) -> np.ndarray[Any, Any]:
        assert self._recorded is not None
        if group == "joints":
            first, rows = self._joints[name]
            return self._recorded.table(f"joint_{quantity}")[:, first : first + rows]
        place, first, rows = self._contacts[name]
        table = self._recorded.table(quantity)
        normal = quantity in ("gap", "gap_velocity") or quantity.endswith("_N")
        if not len(table):  # a scheme that does not separate forces from impacts; no memory is taken for zeros
            return np.broadcast_to(0.0, (self.samples,) if normal else (self.samples, rows))
        return table[:, place] if normal else table[:, first : first + rows]

    def energy(self) -> tuple[np.ndarray[Any, Any], ...]:
        table = self.table("energy")
        return (table[:, 0], table[:, 1]) if table.size else (np.empty(0), np.empty(0))

    def steps(self) -> tuple[np.ndarray[Any, Any], ...]:
        table = self.table("steps")
        return tuple(table[:, i] for i in range(4)) if table.size else (np.empty(0),) * 4

    def events(self) -> list[Event]:
        return [Event(t, kind, contact) for t, kind, contact, _ in self._recorded.events] if self._recorded else []

    def state(self) -> _core.State:
        return self._result.state

    def save(self, folder: pathlib.Path) -> None:
        if self._recorded is None:
            raise UsageError("save: nothing was recorded; expected a run with record=True")
        self._result.save(folder)

    def brief(self, summary: Summary) -> str:
        return self._result.brief
