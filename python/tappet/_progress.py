# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""A progress bar for terminals and notebooks."""
from __future__ import annotations

import sys
import time
from typing import Any


class Bar:
    """Shows how far a run or a study is, if it takes longer than half a second."""

    def __init__(self, title: str, wait: float = 0.5):
        self._title, self._start = title, time.monotonic()
        self._next = self._start + wait
        self._display: Any = None
        self._shown = False

    def __call__(self, step: int, steps: int, t: float) -> None:
        """Shows how far a run is."""
        self._show_if_due(step, steps, f"t = {t:.4g} s")

    def runs(self, done: int, all: int) -> None:  # noqa: A002
        """Shows how far a study is. A search does not know how many runs it will need."""
        if all > 0:
            self._show_if_due(done, all, f"{done} of {all} runs")

    def _show_if_due(self, step: int, steps: int, where: str) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + 0.1
        done = step / max(steps, 1)
        left = (now - self._start) * (1 - done) / max(done, 1e-9)
        self._show(done, f"{self._title}: {100 * done:3.0f} %, {where}, {left:.0f} s left")

    def close(self) -> None:
        if not self._shown:
            return
        if self._display is not None:
            self._display.update(_html(""))
        else:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def _show(self, done: float, text: str) -> None:
        if in_notebook():
            from IPython.display import display

            page = _html(f'<progress value="{done:.4f}" style="width: 20em"></progress> <code>{text}</code>')
            if self._display is None:
                self._display = display(page, display_id=True)
            else:
                self._display.update(page)
        else:
            filled = int(24 * done)
            sys.stderr.write(f"\r\033[K[{'#' * filled}{' ' * (24 - filled)}] {text}")
            sys.stderr.flush()
        self._shown = True


def _html(text: str) -> Any:
    from IPython.display import HTML

    return HTML(text)


def in_notebook() -> bool:
    """Whether this is a Jupyter kernel."""
    shell = sys.modules.get("IPython")
    return shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"


def wanted() -> bool:
    """Whether a bar is shown if nobody asked for it or against it."""
    return in_notebook() or sys.stderr.isatty()
