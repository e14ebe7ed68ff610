// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// How each kind of item looks in the plane.
import { short } from "../format";
import { itemColor, theme } from "../theme";
import type { Drawn, Tracks } from "./tracks";

type ToScreen = (x: number, y: number) => [number, number];
type Context = CanvasRenderingContext2D;

export function drawPlaneItem(c: Context, drawn: Drawn, toScreen: ToScreen, scale: number, tracks: Tracks) {
  const { item, world, count } = drawn;
  const points: [number, number][] = [];
  for (let i = 0; i < count; ++i) points.push(toScreen(world[3 * i], world[3 * i + 1]));
  if (points.some(([x, y]) => !Number.isFinite(x + y))) return;
  const color = itemColor(item.color, drawn.index);
  const width = tracks.scalar(item.width, 0);
  c.setLineDash([]);
  switch (item.kind) {
    case "line":
      return strokeLine(c, points, color, item.width === undefined ? 4 : width);
    case "rod":
    case "cylinder":
      return capsule(c, points, color, Math.max(2, drawn.radius * scale));
    case "polygon":
      return fillShape(c, color, item.fill !== false, () => traceLoops(c, loopsOf(points, item.loops)));
    case "circle":
    case "sphere":
      return circle(c, points[0], drawn.radius * scale, color, item, -drawn.angle);
    case "box":
      return box(c, points[0], (item.size ?? [1, 1]).map((s) => s * scale), -drawn.angle, color, item.fill !== false);
    case "point":
      c.fillStyle = color;
      return dot(c, points[0], drawn.radius || 4);
    case "spring":
      return spring(c, points[0], points[1], Math.round(tracks.scalar(item.coils, 8)), width * scale || 8);
    case "damper":
      return damper(c, points[0], points[1]);
    case "joint":
      return joint(c, points[0], item.type ?? "revolute", item.fixed === true);
    case "ground":
      return ground(c, points[0], points[1]);
    case "plane": {
      // The second point is the first one plus the normal. The line lies across.
      const [dx, dy] = [points[1][0] - points[0][0], points[1][1] - points[0][1]];
      const length = Math.hypot(dx, dy) || 1;
      const reach = 4000 / length;
      const [x, y] = points[0];
      return ground(c, [x + dy * reach, y - dx * reach], [x - dy * reach, y + dx * reach]);
    }
  }
}

// The closed curves of a polygon: its outline and its holes.
export function loopsOf<T>(points: T[], counts?: number[]): T[][] {
  let at = 0;
  return (counts ?? [points.length]).map((count) => points.slice(at, (at += count)));
}

function traceLoops(c: Context, loops: [number, number][][]) {
  c.beginPath();
  for (const loop of loops) {
    loop.forEach(([x, y], i) => (i === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
    c.closePath();
  }
}

function trace(c: Context, points: [number, number][], close: boolean) {
  c.beginPath();
  for (const [x, y] of points) c.lineTo(x, y);
  if (close) c.closePath();
}

function strokeLine(c: Context, points: [number, number][], color: string, width: number) {
  c.strokeStyle = color;
  c.lineWidth = width;
  trace(c, points, false);
  c.stroke();
}

function fillShape(c: Context, color: string, filled: boolean, outline: () => void) {
  outline();
  if (filled) {
    c.globalAlpha = 0.22;
    c.fillStyle = color;
    c.fill("evenodd");
    c.globalAlpha = 1;
  }
  c.strokeStyle = color;
  c.lineWidth = 2;
  c.stroke();
}

function capsule(c: Context, points: [number, number][], color: string, radius: number) {
  c.strokeStyle = color;
  c.globalAlpha = 0.3;
  c.lineWidth = 2 * radius;
  trace(c, points, false);
  c.stroke();
  c.globalAlpha = 1;
  c.lineWidth = 2;
  c.stroke();
}

function dot(c: Context, [x, y]: [number, number], radius: number) {
  c.beginPath();
  c.arc(x, y, radius, 0, 2 * Math.PI);
  c.fill();
}

function circle(c: Context, at: [number, number], radius: number, color: string, item: Drawn["item"], angle: number) {
  const [x, y] = at;
  fillShape(c, color, item.fill !== false, () => {
    c.beginPath();
    c.arc(x, y, Math.max(radius, 1.5), 0, 2 * Math.PI);
  });
  if (item.angle === undefined && !item.pose) return;
  c.lineWidth = 1.5;
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  c.stroke();
}

function box(c: Context, [x, y]: [number, number], size: number[], angle: number, color: string, filled: boolean) {
  c.save();
  c.translate(x, y);
  c.rotate(angle);
  fillShape(c, color, filled, () => {
    c.beginPath();
    c.roundRect(-size[0] / 2, -size[1] / 2, size[0], size[1], Math.min(2, size[0] / 2, size[1] / 2));
  });
  c.restore();
}

function spring(c: Context, a: [number, number], b: [number, number], coils: number, width: number) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [-dy / length, dx / length];
  const n = Math.max(1, Math.min(60, coils));
  const points: [number, number][] = [a];
  for (let i = 0; i <= 2 * n; ++i) {
    const s = 0.12 + (0.76 * i) / (2 * n);
    const side = i === 0 || i === 2 * n ? 0 : i % 2 ? width / 2 : -width / 2;
    points.push([a[0] + dx * s + nx * side, a[1] + dy * s + ny * side]);
  }
  strokeLine(c, [...points, b], theme().muted, 1.5);
}

function damper(c: Context, a: [number, number], b: [number, number]) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  c.save();
  c.translate(a[0], a[1]);
  c.rotate(Math.atan2(b[1] - a[1], b[0] - a[0]));
  c.strokeStyle = theme().muted;
  c.lineWidth = 1.5;
  c.beginPath();
  c.moveTo(0, 0);
  c.lineTo(0.35 * length, 0);
  c.moveTo(0.65 * length, -6);
  c.lineTo(0.35 * length, -6);
  c.lineTo(0.35 * length, 6);
  c.lineTo(0.65 * length, 6);
  c.moveTo(0.5 * length, -5);
  c.lineTo(0.5 * length, 5);
  c.moveTo(0.5 * length, 0);
  c.lineTo(length, 0);
  c.stroke();
  c.restore();
}

function joint(c: Context, [x, y]: [number, number], type: string, fixed: boolean) {
  const { ink, panel } = theme();
  if (fixed) {
    ground(c, [x - 13, y + 15], [x + 13, y + 15]);
    strokeLine(c, [[x, y], [x - 9, y + 15], [x + 9, y + 15], [x, y]], ink, 1.5);
  }
  c.fillStyle = panel;
  c.strokeStyle = ink;
  c.lineWidth = 1.75;
  c.beginPath();
  if (type === "prismatic" || type === "fixed") c.rect(x - 4.5, y - 4.5, 9, 9);
  else c.arc(x, y, 4.5, 0, 2 * Math.PI);
  c.fill();
  c.stroke();
  if (type === "spherical") {
    c.fillStyle = ink;
    dot(c, [x, y], 1.8);
  }
}

// A line that is hatched on its right-hand side (seen along a → b with y upward).
function ground(c: Context, a: [number, number], b: [number, number]) {
  const { muted } = theme();
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  c.save();
  c.translate(a[0], a[1]);
  c.rotate(Math.atan2(b[1] - a[1], b[0] - a[0]));
  c.strokeStyle = muted;
  c.lineWidth = 1.75;
  c.beginPath();
  c.moveTo(0, 0);
  c.lineTo(length, 0);
  c.stroke();
  c.lineWidth = 1;
  c.globalAlpha = 0.7;
  c.beginPath();
  for (let s = 7; s <= length; s += 7) {
    c.moveTo(s, 0);
    c.lineTo(s - 6, 7);
  }
  c.stroke();
  c.restore();
}

export function drawArrow(c: Context, x: number, y: number, dx: number, dy: number, color: string) {
  const length = Math.hypot(dx, dy);
  if (length < 3) return;
  const head = Math.min(9, 0.5 * length);
  c.save();
  c.translate(x, y);
  c.rotate(Math.atan2(dy, dx));
  c.strokeStyle = c.fillStyle = color;
  c.lineWidth = 2.25;
  c.beginPath();
  c.moveTo(0, 0);
  c.lineTo(length - head, 0);
  c.stroke();
  c.beginPath();
  c.moveTo(length, 0);
  c.lineTo(length - head, head / 2);
  c.lineTo(length - head, -head / 2);
  c.fill();
  c.restore();
}

export function drawLabel(c: Context, drawn: Drawn, toScreen: ToScreen) {
  const { item, world, count } = drawn;
  if (!item.label || item.kind === "path") return;
  let [x, y] = [0, 0];
  for (let i = 0; i < count; ++i) {
    x += world[3 * i] / count;
    y += world[3 * i + 1] / count;
  }
  const [px, py] = toScreen(x, y);
  const { panel, ink } = theme();
  c.font = "12px system-ui, sans-serif";
  c.textAlign = "center";
  c.lineWidth = 4;
  c.strokeStyle = panel;
  c.strokeText(short(item.label), px, py - 10);
  c.fillStyle = ink;
  c.fillText(short(item.label), px, py - 10);
}
