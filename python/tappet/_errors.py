# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""The exceptions. All of them are a TappetError."""
from __future__ import annotations

import difflib
from typing import Any, Iterable


class TappetError(Exception):
    """Something that was given to Tappet is wrong."""


class ModelError(TappetError, ValueError):
    """An error in a model. str(error) reads "file:line:column: key: what was found; expected ..."."""

    def __init__(self, text: str, file: str = "", line: int = 0, column: int = 0, key: str = "", message: str = ""):
        super().__init__(text)
        self.file = file
        self.line = line  #: counted from 1; 0 if the place is not in the file
        self.column = column
        self.key = key
        self.message = message  #: the text without file, place and key

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.file, self.line, self.column, self.key, self.message)


class UsageError(TappetError, ValueError):
    """A wrong argument: a scheme, an option or a name that does not exist, a time that is not positive."""


class FileError(TappetError, ValueError):
    """A file that is not what it should be."""


class RunWarning(UserWarning):
    """A run failed, was interrupted, had steps that did not converge, or has something else to say."""


def nearest(name: str, known: Iterable[str]) -> str:
    """A suggestion for a message, or an empty text."""
    match = difflib.get_close_matches(str(name), list(known), n=1)
    return f"; did you mean {match[0]!r}?" if match else ""
