// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The position of everything in the scene at a time, interpolated linearly between frames.
import { type Arrays, type Force, type Item, type Numbers, type Scalar, type Scene, indexAt } from "../data";

export interface Drawn {
  item: Item;
  index: number;  // chooses the colour, one per label
  count: number;
  pose?: Numbers;
  points?: Numbers;
  world: Float64Array;  // 3 numbers per point
  quaternion: [number, number, number, number]; // w x y z
  angle: number; // about z
  radius: number;
  box?: Bounds; // of the vertices of a solid
}

export interface DrawnForce {
  contact: number;
  at: Numbers;
  force: Numbers;
}

export interface Bounds {
  low: [number, number, number];
  high: [number, number, number];
}

export class Tracks {
  readonly time: Numbers;
  readonly items: Drawn[];
  readonly forces: DrawnForce[];
  frame = 0;
  fraction = 0;
  private known?: Bounds;

  constructor(
    readonly scene: Scene,
    private arrays: Arrays,
  ) {
    this.time = arrays.numbers(scene.time);
    const colors = new Map<string, number>();
    this.items = scene.items.map((item, i) => {
      const key = item.label || item.body || `${i}`;
      if (!["ground", "plane", "joint", "spring", "damper", "path", "force"].includes(item.kind) && !colors.has(key))
        colors.set(key, colors.size);
      const count = item.count ?? 1;
      return {
        item,
        index: colors.get(key) ?? 0,
        count,
        pose: item.pose && arrays.numbers(item.pose),
        points: item.points && arrays.numbers(item.points),
        world: new Float64Array(3 * count),
        quaternion: [1, 0, 0, 0],
        angle: 0,
        radius: 0,
      };
    });
    this.forces = scene.forces.map((f: Force) => ({
      contact: f.contact,
      at: arrays.numbers(f.at),
      force: arrays.numbers(f.force),
    }));
  }

  goTo(t: number) {
    const last = this.time.length - 1;
    this.frame = Math.max(0, Math.min(indexAt(this.time, t), last));
    const from = this.time[this.frame];
    const to = this.time[Math.min(this.frame + 1, last)];
    this.fraction = to > from ? Math.min(1, Math.max(0, (t - from) / (to - from))) : 0;
    for (const drawn of this.items) this.update(drawn);
  }

  scalar(value: Scalar | undefined, otherwise: number): number {
    if (value === undefined) return otherwise;
    return typeof value === "number" ? value : this.component(this.arrays.numbers(value), 0, 1);
  }

  // The present value of component k of a track with `components` components.
  component(track: Numbers, k: number, components: number): number {
    const frames = track.length / components;
    if (frames <= 1) return track[k];
    const i = k * frames + Math.min(this.frame, frames - 1);
    if (this.fraction === 0 || this.frame + 1 >= frames) return track[i];
    return track[i] + this.fraction * (track[i + 1] - track[i]);
  }

  vector(track: Numbers, out: number[] | Float64Array, interpolate = true) {
    const frames = track.length / 3;
    for (let k = 0; k < 3; ++k)
      out[k] = interpolate ? this.component(track, k, 3) : track[k * frames + Math.min(this.frame, frames - 1)];
  }

  // Called for every item in every frame, so it makes no new objects.
  private update(drawn: Drawn) {
    const { world, pose, points, count, quaternion } = drawn;
    const fixed = !points || points.length === 3 * count;
    for (let i = 0; i < 3 * count; ++i) world[i] = !points ? 0 : fixed ? points[i] : this.component(points, i, 3 * count);
    drawn.angle = this.scalar(drawn.item.angle, 0);
    drawn.radius = this.scalar(drawn.item.radius, 0);
    const c = drawn.angle === 0 ? 1 : Math.cos(drawn.angle / 2);
    const s = drawn.angle === 0 ? 0 : Math.sin(drawn.angle / 2);
    quaternion[0] = c;
    quaternion[1] = quaternion[2] = 0;
    quaternion[3] = s;
    if (!pose) return;
    const frames = pose.length / 7;
    const i = Math.min(this.frame, frames - 1);
    const j = this.fraction > 0 ? Math.min(i + 1, frames - 1) : i;
    this.rotation(pose, frames, i, j, quaternion);
    for (let p = 0; p < count; ++p) {
      rotate(quaternion, world, 3 * p);
      for (let k = 0; k < 3; ++k) world[3 * p + k] += pose[k * frames + i] + this.fraction * (pose[k * frames + j] - pose[k * frames + i]);
    }
    if (!this.scene.planar && drawn.angle === 0) return; // the angle is not needed in space
    const [w, x, y, z] = quaternion;
    if (drawn.angle !== 0) {
      // followed by its own angle about z
      quaternion[0] = w * c - z * s;
      quaternion[1] = x * c + y * s;
      quaternion[2] = y * c - x * s;
      quaternion[3] = w * s + z * c;
    }
    drawn.angle += 2 * Math.atan2(z, w);
  }

  // Between frames i and j.
  private rotation(pose: Numbers, frames: number, i: number, j: number, q: [number, number, number, number]) {
    let dot = 0;
    for (let k = 3; k < 7; ++k) dot += pose[k * frames + i] * pose[k * frames + j];
    const toward = dot < 0 ? -this.fraction : this.fraction;
    for (let k = 0; k < 4; ++k)
      q[k] = (1 - this.fraction) * pose[(k + 3) * frames + i] + toward * pose[(k + 3) * frames + j];
    const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) || 1;
    for (let k = 0; k < 4; ++k) q[k] /= length;
  }

  private box(choose: (drawn: Drawn) => boolean): Bounds | null {
    const box = nothing();
    for (const drawn of this.items) if (choose(drawn)) include(box, drawn, drawn.count);
    return isEmpty(box) ? null : box;
  }

  // The present centre of the moving parts.
  middle(): [number, number, number] {
    const box = this.box(moves);
    return box ? ([0, 1, 2].map((k) => (box.low[k] + box.high[k]) / 2) as [number, number, number]) : [0, 0, 0];
  }

  // The largest size of the moving parts, and how far their centre moves.
  movement(): { size: number; travel: number } {
    const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    let size = 0;
    const samples = this.samples(100);
    for (let s = 0; s < samples; ++s) {
      this.goTo(this.time[Math.round((s * (this.time.length - 1)) / Math.max(1, samples - 1))]);
      const box = this.box(moves);
      if (!box) return { size: 0, travel: 0 };
      size = Math.max(size, Math.hypot(...box.high.map((h, k) => h - box.low[k])));
      this.middle().forEach((x, k) => ((low[k] = Math.min(low[k], x)), (high[k] = Math.max(high[k], x))));
    }
    return { size, travel: Math.max(...high.map((h, k) => h - low[k])) };
  }

  // The number of instants at which the whole run is looked at. A crowd moves alike, so few are enough.
  private samples(most: number): number {
    return Math.max(2, Math.min(most, this.time.length, Math.floor(30_000 / Math.max(1, this.items.length))));
  }

  // The bounds of what the picture shows over the run: everything that moves, and what stands still around it. For a
  // plane only its point counts.
  bounds(): Bounds {
    return (this.known ??= this.findBounds());
  }
  // The walls of a container without a lid end nowhere. They are drawn a little higher than what is in it.
  containerHeight({ item, world }: Drawn): number {
    const z = item.size?.[2] ?? 0;
    return item.type === "open" ? Math.min(z, 1.1 * Math.max(1e-3 * z, this.bounds().high[2] - (world[2] - z / 2))) : z;
  }

  private findBounds(): Bounds {
    const [moving, still] = [nothing(), nothing()];
    const samples = this.samples(300);
    for (let s = 0; s < samples; ++s) {
      this.goTo(this.time[Math.round((s * (this.time.length - 1)) / Math.max(1, samples - 1))]);
      for (const drawn of this.items)
        if (moves(drawn)) include(moving, drawn, drawn.count);
        else include(still, drawn, drawn.item.kind === "plane" ? 1 : drawn.count);
    }
    const bounds = around(moving, still);
    return isEmpty(bounds) ? { low: [-1, -1, -1], high: [1, 1, 1] } : bounds;
  }
}

const nothing = (): Bounds => ({ low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] });
const isEmpty = (box: Bounds) => !(box.low[0] <= box.high[0]);

// The moving parts, and what stands still up to half their size beside them. A large ground would make them small.
function around(moving: Bounds, still: Bounds): Bounds {
  if (isEmpty(moving)) return still;
  const margin = 0.5 * Math.hypot(...moving.high.map((h, k) => h - moving.low[k]));
  const box = nothing();
  for (let k = 0; k < 3; ++k) {
    box.low[k] = Math.min(moving.low[k], Math.max(still.low[k], moving.low[k] - margin));
    box.high[k] = Math.max(moving.high[k], Math.min(still.high[k], moving.high[k] + margin));
  }
  return box;
}

function moves(drawn: Drawn): boolean {
  if (["path", "ground", "plane"].includes(drawn.item.kind)) return false;
  return (drawn.pose?.length ?? 0) > 7 || (drawn.points?.length ?? 0) > 3 * drawn.count;
}

function include(bounds: Bounds, drawn: Drawn, points: number) {
  if (drawn.item.kind === "solid") return includeSolid(bounds, drawn);
  const extent = extents(drawn);
  const open = drawn.item.type === "open"; // a container without a lid, whose walls end nowhere
  for (let i = 0; i < 3 * points; ++i) {
    const [k, value] = [i % 3, drawn.world[i]];
    if (!Number.isFinite(value)) continue;
    bounds.low[k] = Math.min(bounds.low[k], value - extent[k]);
    bounds.high[k] = Math.max(bounds.high[k], open && k === 2 ? value - extent[k] : value + extent[k]);
  }
}

// The corners of the box around the vertices, which turns with the solid.
function includeSolid(bounds: Bounds, drawn: Drawn) {
  const box = (drawn.box ??= boxOf(drawn.item.vertices ?? []));
  if (isEmpty(box)) return;
  const corner = new Float64Array(3);
  for (let c = 0; c < 8; ++c) {
    for (let k = 0; k < 3; ++k) corner[k] = box[c & (1 << k) ? "high" : "low"][k];
    rotate(drawn.quaternion, corner, 0);
    for (let k = 0; k < 3; ++k) {
      bounds.low[k] = Math.min(bounds.low[k], drawn.world[k] + corner[k]);
      bounds.high[k] = Math.max(bounds.high[k], drawn.world[k] + corner[k]);
    }
  }
}

function boxOf(vertices: number[]): Bounds {
  const box = nothing();
  for (let i = 0; i < vertices.length; ++i) {
    box.low[i % 3] = Math.min(box.low[i % 3], vertices[i]);
    box.high[i % 3] = Math.max(box.high[i % 3], vertices[i]);
  }
  return box;
}

// How far an item extends beyond its points along x, y, z.
function extents(drawn: Drawn): [number, number, number] {
  const { kind, size } = drawn.item;
  const r = drawn.radius;
  if (kind === "box" && size) {
    const reach: [number, number, number] = [0, 0, 0];
    for (let axis = 0; axis < 3; ++axis) {
      const edge = new Float64Array(3);
      edge[axis] = (size[axis] ?? 0) / 2;
      rotate(drawn.quaternion, edge, 0);
      for (let k = 0; k < 3; ++k) reach[k] += Math.abs(edge[k]);
    }
    return reach;
  }
  if (kind === "circle" || kind === "sphere") return [r, r, r];
  if (kind !== "rod" && kind !== "cylinder") return [0, 0, 0];
  const along = [0, 1, 2].map((k) => drawn.world[3 + k] - drawn.world[k]);
  const length = Math.hypot(...along) || 1;
  return along.map((a) => r * Math.sqrt(Math.max(0, 1 - (a / length) ** 2))) as [number, number, number];
}

function rotate(q: number[], v: Float64Array, at: number) {
  const [w, x, y, z] = q;
  const a = v[at];
  const b = v[at + 1];
  const c = v[at + 2];
  if (a === 0 && b === 0 && c === 0) return;
  const tx = 2 * (y * c - z * b);
  const ty = 2 * (z * a - x * c);
  const tz = 2 * (x * b - y * a);
  v[at] = a + w * tx + y * tz - z * ty;
  v[at + 1] = b + w * ty + z * tx - x * tz;
  v[at + 2] = c + w * tz + x * ty - y * tx;
}
