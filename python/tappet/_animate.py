# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""The motion as a Matplotlib animation. It is drawn from the data of the report page (docs/report-format.md)."""
from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

import numpy as np

from ._errors import UsageError


class Scene:
    """The scene of a report page, with its arrays decoded."""

    def __init__(self, page: str):
        run, arrays = _element(page, "tappet-run"), _element(page, "tappet-arrays")
        self._bytes = zlib.decompress(base64.b64decode(arrays))
        self._scene = json.loads(run)["scene"]
        self.planar: bool = bool(self._scene["planar"])
        self.t = self._array(self._scene["time"])
        self.items = [self._item(item) for item in self._scene["items"]]

    def _array(self, where: Any) -> np.ndarray[Any, Any]:
        """An array as it is stored: byte planes, and differences of bit patterns if it has single precision."""
        at, n, kind = where["at"], where["n"], where["type"]
        size = {"f32": 4, "f64": 8, "u8": 1}[kind]
        planes = np.frombuffer(self._bytes, np.uint8, n * size, at).reshape(size, n)
        if kind == "u8":
            return planes[0].astype(float)
        words = np.ascontiguousarray(planes.T).view("<u4" if size == 4 else "<u8").ravel()
        if size == 4:
            return np.cumsum(words, dtype=np.uint32).view("<f4").astype(float)
        return words.view("<f8").astype(float)

    def _number(self, value: Any, frames: int) -> np.ndarray[Any, Any]:
        if isinstance(value, dict):
            values = self._array(value)
            return np.broadcast_to(values, (frames,)) if len(values) == 1 else values
        return np.full(frames, float(value))

    def _item(self, item: dict[str, Any]) -> dict[str, Any]:
        """The item with `points` of shape (frames, points, 3)."""
        frames = len(self.t)
        read = dict(item)
        if "pose" in item:
            read["points"] = self._placed(item, frames)
        elif isinstance(item.get("points"), dict):
            count = int(item["count"])
            points = self._array(item["points"]).reshape(count, 3, -1)
            read["points"] = np.broadcast_to(points.transpose(2, 0, 1), (frames, count, 3))
        for name in ("radius", "angle", "width"):
            if name in item:
                read[name] = self._number(item[name], frames)
        if "size" in item:
            read["size"] = (
                [self._number(side, frames) for side in np.atleast_1d(item["size"]).tolist()]
                if isinstance(item["size"], list)
                else [self._number(item["size"], frames)]
            )
        return read

    def _placed(self, item: dict[str, Any], frames: int) -> np.ndarray[Any, Any]:
        """Points in the frame of a body, moved with the body."""
        pose = self._array(item["pose"]).reshape(7, -1)
        pose = np.broadcast_to(pose, (7, frames))
        given = item.get("points") or [[0.0, 0.0, 0.0]]
        if isinstance(given, dict):
            own = self._array(given).reshape(int(item["count"]), 3, -1)[:, :, 0]
        else:
            own = np.asarray(given, dtype=float).reshape(-1, 3)
        w, x, y, z = pose[3:]
        turn = np.empty((frames, 3, 3))
        turn[:, 0] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=1)
        turn[:, 1] = np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=1)
        turn[:, 2] = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1)
        return np.einsum("fij,pj->fpi", turn, own) + pose[:3].T[:, None, :]


def _element(page: str, name: str) -> str:
    found = re.search(rf'<script[^>]*id="{name}"[^>]*>(.*?)</script>', page, re.DOTALL)
    if not found:
        raise UsageError("animate: this build of Tappet has no report page; expected Node.js when it was built")
    return found.group(1)


def _outline(item: dict[str, Any], frame: int, across: tuple[int, int]) -> np.ndarray[Any, Any]:
    """What is drawn of an item in a frame: a line in the plane of the picture."""
    points = item["points"][frame][:, across]
    kind = item["kind"]
    if kind in ("circle", "sphere", "point") and "radius" in item and kind != "point":
        angle = np.linspace(0, 2 * np.pi, 33) + (item["angle"][frame] if "angle" in item else 0.0)
        rim = points[0] + item["radius"][frame] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return np.vstack([points[:1], rim]) if "angle" in item else rim
    if kind == "box" and "size" in item:
        sides = [side[frame] for side in item["size"]] + [0.0] * (3 - len(item["size"]))
        corners = 0.5 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * np.array(sides)[list(across)]
        angle = item["angle"][frame] if "angle" in item else 0.0
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return points[0] + corners @ turn.T
    if kind == "polygon":
        return np.vstack([points, points[:1]])
    return points


def animate(run: Any, fps: float, speed: float | None, seconds: float) -> Any:
    from matplotlib import pyplot
    from matplotlib.animation import FuncAnimation

    if not len(run.t):
        raise UsageError("animate: nothing was recorded; expected a run with record=True")
    scene = Scene(run.page)
    across = (0, 1) if scene.planar else (0, 2)  # a model in space is seen along y
    items = [item for item in scene.items if isinstance(item.get("points"), np.ndarray) and item["kind"] != "plane"]
    if not items:
        raise UsageError("animate: nothing is drawn of this model; expected `draw:` in the model, or bodies")
    duration = float(scene.t[-1] - scene.t[0])
    frames = max(2, int(fps * (duration / speed if speed else seconds)))
    which = np.searchsorted(scene.t, np.linspace(scene.t[0], scene.t[-1], frames)).clip(0, len(scene.t) - 1)
    figure, axes = pyplot.subplots()
    lines = [
        axes.plot([], [], "o-" if item["kind"] in ("point", "joint") else "-", color=item.get("color") or None)[0]
        for item in items
    ]
    everything = np.vstack(
        [_outline(item, frame, across) for item in items for frame in which[:: max(1, frames // 50)]]
    )
    low, high = everything.min(axis=0), everything.max(axis=0)
    margin = 0.05 * max(float(np.max(high - low)), 1e-12)
    axes.set_xlim(low[0] - margin, high[0] + margin), axes.set_ylim(low[1] - margin, high[1] + margin)
    axes.set_aspect("equal")

    def draw(frame: int) -> list[Any]:
        for line, item in zip(lines, items):
            line.set_data(*_outline(item, which[frame], across).T)
        axes.set_title(f"{run.model}, t = {scene.t[which[frame]]:.4g} s")
        return lines

    return FuncAnimation(figure, draw, frames=frames, interval=1000 / fps)
