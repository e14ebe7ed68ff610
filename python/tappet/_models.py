# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""Models from files, from texts and from dicts; lists of what there is."""
from __future__ import annotations

import json
import math
import os
import pathlib
from typing import Any, Mapping, Union

from . import _core
from ._core import Model

Value = Union[float, int, str]
PathLike = Union[str, "os.PathLike[str]"]


def load(file: PathLike, *, parameters: Mapping[str, Value] | None = None, **more: Value) -> Model:
    """Reads a model file.

    Parameters of the model may be given as keywords, as numbers or as formulas: ``tp.load("crank.yaml", mu=0.1)``. A
    parameter whose name is no Python name goes into the dict ``parameters``.

    Raises ModelError with file, line, column and key if the model is wrong, and FileNotFoundError.
    """
    path = pathlib.Path(file)
    if not path.exists():
        hint = ""
        if any(found.stem == path.stem for found in _core.shipped_models()):
            hint = f"; there is an example of this name: tappet.example({path.stem!r})"
        raise FileNotFoundError(2, f"no model file{hint}", str(file))
    if path.is_dir():
        raise IsADirectoryError(21, "expected a model file", str(file))
    return _core.load(path, {**(parameters or {}), **more})


def example(name: str, *, parameters: Mapping[str, Value] | None = None, **more: Value) -> Model:
    """An example that comes with Tappet, by its name (``examples()`` lists them), with other parameters if given."""
    return _core.load(_core.find_example(str(name)), {**(parameters or {}), **more})


def examples() -> list[str]:
    """The names of the examples that come with Tappet."""
    return [file.stem for file in _core.shipped_models()]


def schemes() -> list[dict[str, Any]]:
    """The schemes: name, paper, level, order, summary, and options with default, meaning and what is expected."""
    return _core.schemes()


def solvers() -> list[dict[str, str]]:
    """The solvers of contact problems: name and summary."""
    return _core.solvers()


def text_of(source: Any) -> str:
    """The text of a model that is given as a text or as a dict. A dict is written as JSON, which is also YAML."""
    if isinstance(source, str):
        return source
    if isinstance(source, Mapping):
        return json.dumps(_plain(source, ""), indent=2, ensure_ascii=False, allow_nan=False)
    raise TypeError(
        f"a model is of type {type(source).__name__}; expected a text or a dict (tappet.load() reads files)"
    )


def _plain(value: Any, key: str) -> Any:
    """The same with NumPy's numbers and arrays as numbers and lists."""
    if isinstance(value, Mapping):
        return {str(name): _plain(item, f"{key}.{name}" if key else str(name)) for name, item in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{key}[{index}]") for index, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{key} is {value}; expected a finite number")
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"{key} is of type {type(value).__name__}; expected a number, a text, a list or a dict")
