// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Planar models on a 2D canvas, x to the right and y upward. Dragging moves the view, wheel and pinch zoom.
import { drawPlaneItem, drawArrow, drawLabel } from "./plane_shapes";
import { niceTicks } from "../ticks";
import { number } from "../format";
import type { Overlay, Point, View } from "./stage";
import { theme } from "../theme";
import type { Drawn, Tracks } from "./tracks";

export class PlaneView implements View {
  readonly name = "plane";
  private context: CanvasRenderingContext2D;
  private width = 1;
  private height = 1;
  private ratio = 1;
  private center: [number, number] = [0, 0];
  private scale = 1;  // pixels per metre
  private touched = false;
  private followed: number | null = null;  // size of the followed part
  private paths = new Map<number, { path: Path2D; scale: number }>();

  constructor(
    private canvas: HTMLCanvasElement,
    private tracks: Tracks,
    private redraw: () => void,
  ) {
    this.context = canvas.getContext("2d")!;
    this.listen();
  }

  fit() {
    this.touched = false;
    if (this.followed !== null) {
      this.scale = (0.4 * Math.min(this.width, this.height)) / this.followed;
      return this.redraw();
    }
    const { low, high } = this.tracks.bounds();
    const [w, h] = [Math.max(high[0] - low[0], 1e-9), Math.max(high[1] - low[1], 1e-9)];
    this.center = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    this.scale = Math.min((0.86 * this.width) / w, (0.8 * this.height) / h);
    this.redraw();
  }

  follow(target: Point | null, size: number) {
    const wanted = target ? size : null;
    if (wanted !== this.followed) {
      this.followed = wanted;
      this.fit();
    }
    if (target) this.center = [target[0], target[1]];
  }

  zoom(factor: number) {
    this.zoomAt(factor, this.width / 2, this.height / 2);
  }

  resize(width: number, height: number) {
    this.ratio = Math.min(2, window.devicePixelRatio || 1);
    [this.width, this.height] = [width, height];
    this.canvas.width = Math.round(width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
    if (!this.touched) this.fit();
  }

  replace(tracks: Tracks) {
    this.tracks = tracks;
    this.paths.clear();
  }
  dispose() {}

  toModel(x: number, y: number): Point {
    return [this.center[0] + (x - this.width / 2) / this.scale, this.center[1] - (y - this.height / 2) / this.scale, 0];
  }

  // The part nearest to a point of the canvas, at most eight pixels away.
  pick(tracks: Tracks, x: number, y: number): { index: number; at: Point } | null {
    const at = this.toModel(x, y);
    let index = -1;
    let nearest = 8 / this.scale;
    for (const [i, drawn] of tracks.items.entries()) {
      const distance = distanceTo(drawn, at);
      if (distance <= nearest) [index, nearest] = [i, distance];
    }
    return index < 0 ? null : { index, at };
  }

  draw(tracks: Tracks, overlay: Overlay) {
    const c = this.context;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.width, this.height);
    const toScreen = (x: number, y: number): [number, number] => [
      this.width / 2 + (x - this.center[0]) * this.scale,
      this.height / 2 - (y - this.center[1]) * this.scale,
    ];
    c.lineJoin = c.lineCap = "round";
    if (overlay.ghost) this.pale(overlay.ghost, toScreen);
    this.grid();
    for (const [i, drawn] of tracks.items.entries())
      if (drawn.item.kind !== "path") drawPlaneItem(c, drawn, toScreen, this.scale, tracks);
      else if (overlay.show.paths) this.path(i, tracks);
    if (overlay.show.labels) for (const drawn of tracks.items) drawLabel(c, drawn, toScreen);
    this.contacts(tracks, overlay, toScreen);
  }

  // Draws a run and a veil over it.
  private pale(tracks: Tracks, toScreen: (x: number, y: number) => [number, number]) {
    const c = this.context;
    for (const drawn of tracks.items) if (drawn.item.kind !== "path") drawPlaneItem(c, drawn, toScreen, this.scale, tracks);
    c.fillStyle = theme().panel;
    c.globalAlpha = 0.72;
    c.fillRect(0, 0, this.width, this.height);
    c.globalAlpha = 1;
  }

  private grid() {
    const c = this.context;
    const { line, muted } = theme();
    const left = this.center[0] - this.width / 2 / this.scale;
    const bottom = this.center[1] - this.height / 2 / this.scale;
    const xs = niceTicks(left, left + this.width / this.scale, this.width / 110);
    const ys = niceTicks(bottom, bottom + this.height / this.scale, this.height / 110);
    c.lineWidth = 1;
    c.strokeStyle = line;
    c.globalAlpha = 0.55;
    c.beginPath();
    for (const x of xs) {
      const px = Math.round((x - left) * this.scale) + 0.5;
      c.moveTo(px, 0);
      c.lineTo(px, this.height);
    }
    for (const y of ys) {
      const py = Math.round(this.height - (y - bottom) * this.scale) + 0.5;
      c.moveTo(0, py);
      c.lineTo(this.width, py);
    }
    c.stroke();
    c.globalAlpha = 1;
    if (xs.length < 2) return;
    // A scale bar as long as one square. The coordinates themselves are in the plots.
    const length = (xs[1] - xs[0]) * this.scale;
    const [x, y] = [16, this.height - 16];
    c.strokeStyle = c.fillStyle = muted;
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(x, y - 4);
    c.lineTo(x, y);
    c.lineTo(x + length, y);
    c.lineTo(x + length, y - 4);
    c.stroke();
    c.font = "12px system-ui, sans-serif";
    c.textAlign = "left";
    c.fillText(`${number(xs[1] - xs[0], 3)} m`, x + 6, y - 6);
  }

  // Draws the whole path faintly and its last part strongly.
  private path(i: number, tracks: Tracks) {
    const c = this.context;
    const drawn = tracks.items[i];
    const p = drawn.points!;
    const frames = p.length / 3;
    let cached = this.paths.get(i);
    if (!cached) {
      const path = new Path2D();
      const stride = Math.max(1, Math.ceil(frames / 4000));
      for (let k = 0; k < frames; k += stride) path.lineTo(p[k], p[frames + k]);
      this.paths.set(i, (cached = { path, scale: 1 }));
    }
    c.save();
    c.translate(this.width / 2 - this.center[0] * this.scale, this.height / 2 + this.center[1] * this.scale);
    c.scale(this.scale, -this.scale);
    c.strokeStyle = theme().accent;
    c.lineWidth = 1 / this.scale;
    c.globalAlpha = 0.28;
    c.stroke(cached.path);
    c.globalAlpha = 0.9;
    c.lineWidth = 1.8 / this.scale;
    c.beginPath();
    for (let k = Math.max(0, tracks.frame - 160); k <= tracks.frame; ++k) c.lineTo(p[k], p[frames + k]);
    c.lineTo(drawn.world[0], drawn.world[1]);
    c.stroke();
    c.restore();
  }

  private contacts(tracks: Tracks, overlay: Overlay, toScreen: (x: number, y: number) => [number, number]) {
    if (!overlay.show.forces) return;
    const c = this.context;
    const { force: color } = theme();
    const [at, f] = [[0, 0, 0], [0, 0, 0]];
    const longest = 0.22 * Math.min(this.width, this.height);
    for (const force of tracks.forces) {
      tracks.vector(force.at, at);
      tracks.vector(force.force, f, false);
      const size = Math.hypot(f[0], f[1]);
      if (size <= 0) continue;
      const length = longest * overlay.forceScale(size);
      const [x, y] = toScreen(at[0], at[1]);
      drawArrow(c, x, y, (f[0] / size) * length, (-f[1] / size) * length, color);
    }
    for (const { at: point, strength, age } of overlay.flashes) {
      const [x, y] = toScreen(point[0], point[1]);
      c.strokeStyle = color;
      c.globalAlpha = (1 - age) * (0.35 + 0.65 * strength);
      c.lineWidth = 2;
      c.beginPath();
      c.arc(x, y, 5 + (8 + 26 * strength) * age, 0, 2 * Math.PI);
      c.stroke();
      c.globalAlpha = 1;
    }
  }

  private zoomAt(factor: number, x: number, y: number) {
    const before = [(x - this.width / 2) / this.scale, (this.height / 2 - y) / this.scale];
    this.scale *= factor;
    this.center[0] += before[0] - (x - this.width / 2) / this.scale;
    this.center[1] += before[1] - (this.height / 2 - y) / this.scale;
    this.touched = true;
    this.redraw();
  }

  private listen() {
    const pointers = new Map<number, PointerEvent>();
    this.canvas.addEventListener("pointerdown", (e) => {
      pointers.set(e.pointerId, e);
      this.canvas.setPointerCapture(e.pointerId);
    });
    const release = (e: PointerEvent) => pointers.delete(e.pointerId);
    this.canvas.addEventListener("pointerup", release);
    this.canvas.addEventListener("pointercancel", release);
    this.canvas.addEventListener("pointermove", (e) => {
      const before = pointers.get(e.pointerId);
      if (!before) return;
      pointers.set(e.pointerId, e);
      const other = [...pointers.values()].find((p) => p.pointerId !== e.pointerId);
      if (other) {
        const distance = (p: PointerEvent) => Math.hypot(p.offsetX - other.offsetX, p.offsetY - other.offsetY);
        this.zoomAt(distance(e) / Math.max(1, distance(before)), other.offsetX, other.offsetY);
      } else {
        this.center[0] -= (e.offsetX - before.offsetX) / this.scale;
        this.center[1] += (e.offsetY - before.offsetY) / this.scale;
        this.touched = true;
        this.redraw();
      }
    });
    this.canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.zoomAt(Math.exp(-e.deltaY * 0.0015), e.offsetX, e.offsetY);
    });
    this.canvas.addEventListener("dblclick", () => this.fit());
  }
}

// How far a point is from the outside of an item; 0 within it. Grounds, paths and forces are not parts.
function distanceTo({ item, world, count, radius, angle }: Drawn, [x, y]: Point): number {
  if (["path", "force", "ground", "plane"].includes(item.kind)) return Infinity;
  if (item.kind === "box" && item.size) {
    const [dx, dy] = [x - world[0], y - world[1]];
    const [u, v] = [Math.cos(angle) * dx + Math.sin(angle) * dy, Math.cos(angle) * dy - Math.sin(angle) * dx];
    return Math.hypot(Math.max(0, Math.abs(u) - item.size[0] / 2), Math.max(0, Math.abs(v) - item.size[1] / 2));
  }
  let distance = Infinity;
  for (let i = 0; i < Math.max(1, count - 1); ++i) {
    const [ax, ay, bx, by] = [world[3 * i], world[3 * i + 1], world[3 * (i + 1)] ?? world[0], world[3 * (i + 1) + 1] ?? world[1]];
    const [dx, dy] = [bx - ax, by - ay];
    const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    distance = Math.min(distance, Math.hypot(x - ax - t * dx, y - ay - t * dy));
  }
  return Math.max(0, distance - radius);
}
