# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""What a run holds: columns by name, contacts, joints, events, the summary."""
from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Optional

import numpy as np

from ._errors import nearest


class Event(NamedTuple):
    """Something that happened to a contact."""

    t: float
    kind: str  #: "impact", "opening", "stick", "slip", ...
    contact: Optional[str]
    located: bool = True  #: False if the time is that of the step in which it was seen
    size: float = float("nan")  #: impulse of an impact [N s], if it is known


class Summary(dict):  # type: ignore[type-arg]
    """The summary of a run, as in summary.json. Its entries are also attributes: ``summary.status``."""

    def __getattr__(self, name: str) -> Any:
        try:
            value = self[name]
        except KeyError:
            raise AttributeError(f"the summary has no entry {name!r}{nearest(name, self)}") from None
        return Summary(value) if isinstance(value, dict) else value

    def _repr_html_(self) -> str:
        rows = (f"<tr><th>{key}</th><td>{escaped(str(value)[:200])}</td></tr>" for key, value in self.items())
        return f"<table>{''.join(rows)}</table>"


class Columns(Mapping[str, "np.ndarray[Any, Any]"]):
    """Recorded numbers with a name for each column: ``run.q["theta1"]``. ``run.q.array`` has all of them, by rows."""

    def __init__(self, what: str, array: np.ndarray[Any, Any], names: list[str], units: list[str] | None = None):
        self.array = array  #: shape (samples, columns)
        self.names = names
        self.units = units or [""] * len(names)
        self._what = what
        self._index = {name: i for i, name in enumerate(names)}

    def __getitem__(self, key: Any) -> np.ndarray[Any, Any]:
        if not isinstance(key, str):
            return self.array[key]
        if key not in self._index:
            if not self.array.size:
                raise KeyError(f"{self._what} was not recorded")
            raise KeyError(f"no {self._what} {key!r}{nearest(key, self.names)}; expected {some(self.names)}")
        return self.array[:, self._index[key]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __array__(self, dtype: Any = None) -> np.ndarray[Any, Any]:
        return np.asarray(self.array, dtype=dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    def __repr__(self) -> str:
        return f"<{self._what}: {self.array.shape[0]} samples of {some(self.names)}>"


class Contact:
    """The recorded numbers of a contact in SI units. P: impulse of the step, lambda: force, Lambda: impact impulse."""

    quantities = ("gap", "gap_velocity", "slip_velocity", "P_N", "P_F", "lambda_N", "lambda_F", "Lambda_N", "Lambda_F")
    gap: np.ndarray[Any, Any]
    gap_velocity: np.ndarray[Any, Any]
    slip_velocity: np.ndarray[Any, Any]  #: shape (samples, directions)
    P_N: np.ndarray[Any, Any]
    P_F: np.ndarray[Any, Any]
    lambda_N: np.ndarray[Any, Any]
    lambda_F: np.ndarray[Any, Any]
    Lambda_N: np.ndarray[Any, Any]
    Lambda_F: np.ndarray[Any, Any]

    def __init__(self, name: str, read: Any):
        self.name = name
        self._read = read

    def __getattr__(self, quantity: str) -> np.ndarray[Any, Any]:
        if quantity not in self.quantities:
            known = ", ".join(self.quantities)
            raise AttributeError(f"a contact has no {quantity!r}{nearest(quantity, self.quantities)}; it has {known}")
        array: np.ndarray[Any, Any] = self._read("contacts", self.name, quantity)
        return array

    def __repr__(self) -> str:
        return f"<contact {self.name}>"


class Joint:
    """The recorded numbers of a joint: its residual, and the impulse of the step, one column per row."""

    def __init__(self, name: str, read: Any):
        self.name = name
        self._read = read

    @property
    def residual(self) -> np.ndarray[Any, Any]:
        array: np.ndarray[Any, Any] = self._read("joints", self.name, "residual")
        return array

    @property
    def impulse(self) -> np.ndarray[Any, Any]:
        array: np.ndarray[Any, Any] = self._read("joints", self.name, "impulse")
        return array

    def __repr__(self) -> str:
        return f"<joint {self.name}>"


class Named(Mapping[str, Any]):
    """Contacts or joints by name."""

    def __init__(self, what: str, entries: dict[str, Any]):
        self._what, self._entries = what, entries

    def __getitem__(self, name: str) -> Any:
        if name in self._entries:
            return self._entries[name]
        if not self._entries:
            raise KeyError(f"no {self._what} {name!r}: none was recorded")
        raise KeyError(f"no {self._what} {name!r}{nearest(name, self._entries)}; expected {some(list(self._entries))}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<{len(self)} {self._what}s: {some(list(self._entries))}>"


class Energy(NamedTuple):
    """Energies over time [J]."""

    kinetic: np.ndarray[Any, Any]
    potential: np.ndarray[Any, Any]

    @property
    def total(self) -> np.ndarray[Any, Any]:
        return self.kinetic + self.potential


class Steps(NamedTuple):
    """How each recorded step was solved."""

    dt: np.ndarray[Any, Any]
    residual: np.ndarray[Any, Any]
    iterations: np.ndarray[Any, Any]
    status: np.ndarray[Any, Any]  #: 0 converged, 1 not converged, 2 infeasible, 3 bad input


def escaped(text: str) -> str:
    return html.escape(text, quote=True)


def some(names: list[str], most: int = 12) -> str:
    return ", ".join(names[:most]) + (f", ... ({len(names)} in all)" if len(names) > most else "")
