// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The picture of the mechanism: a plane view, or a view in space with or without WebGL.
import type { Clock } from "../clock";
import { type Arrays, type Run, indexAt } from "../data";
import { el } from "../dom";
import { short } from "../format";
import { PlaneView } from "./plane_view";
import { ProjectedView } from "./projected_view";
import { SpaceView } from "./space_view";
import { onTheme } from "../theme";
import { Tracks } from "./tracks";

export interface Show {
  forces: boolean;
  paths: boolean;
  labels: boolean;
  follow: boolean;
}

export type Point = [number, number, number];

// A recent impact, shown as a ring that fades. Strength and age are between 0 and 1.
export interface Flash {
  at: Point;
  strength: number;
  age: number;
}

// What a view draws in addition to the items.
export interface Overlay {
  show: Show;
  flashes: Flash[];
  forceScale: (force: number) => number; // length as a part of the picture, 0 to 1
}

export interface View {
  readonly name: string;
  draw(tracks: Tracks, overlay: Overlay): void;
  fit(): void;
  zoom(factor: number): void;
  resize(width: number, height: number): void;
  // Keeps a point in the middle, with room for things of this size around it. null stops this.
  follow(target: Point | null, size: number): void;
}

export class Stage {
  readonly element: HTMLElement;
  readonly tracks: Tracks;
  readonly view: View;
  readonly show: Show = { forces: true, paths: true, labels: false, follow: false };
  readonly travels: boolean;  // whether it moves far compared with its size, so that following is useful
  private size: number;  // size of the moving parts
  private impacts: { time: Float64Array; size: Float32Array; largest: number }[];
  private largestForce: number;

  constructor(
    private run: Run,
    arrays: Arrays,
    private clock: Clock,
  ) {
    this.tracks = new Tracks(run.scene, arrays);
    const canvas = el("canvas", { tabindex: 0, role: "img", "aria-label": this.describe() });
    this.element = el("div", { class: "stage", id: "stage" }, canvas);
    this.view = this.choose(canvas);
    this.element.dataset.view = this.view.name;
    const sizes = run.contacts.map((c) => arrays.numbers(c.impacts.size) as Float32Array);
    const largest = Math.max(1e-300, ...sizes.map((s) => s.reduce((a, b) => Math.max(a, b), 0)));
    this.impacts = run.contacts.map((c, i) => ({
      time: arrays.numbers(c.impacts.time) as Float64Array,
      size: sizes[i],
      largest,
    }));
    this.largestForce = typicalForce(this.tracks);
    const { size, travel } = this.tracks.movement();
    this.size = size;
    this.travels = size > 0 && travel > 2 * size;
    this.show.follow = size > 0 && travel > 8 * size;
    if (!run.scene.items.length)
      this.element.append(
        el("p", { class: "empty" }, "Nothing to draw: the model has no draw section and no bodies with a shape, or its positions were not recorded."),
      );
    new ResizeObserver(() => this.resize()).observe(this.element);
    onTheme(() => clock.schedule());
    clock.onTime((t) => this.draw(t));
  }

  private describe(): string {
    const labels = [...new Set(this.run.scene.items.map((i) => i.label).filter(Boolean))].slice(0, 8);
    const parts = labels.length ? `: ${labels.map((l) => short(l)).join(", ")}` : "";
    return `Animation of ${short(this.run.title || this.run.model, 80)}${parts}. Drag to move, wheel to zoom.`;
  }

  private choose(canvas: HTMLCanvasElement): View {
    const bounds = this.tracks.bounds();
    const redraw = () => this.clock.schedule();
    if (this.run.scene.planar) return new PlaneView(canvas, bounds, redraw);
    const webgl = el("canvas").getContext("webgl2") !== null;
    return webgl ? new SpaceView(canvas, this.tracks, bounds, redraw) : new ProjectedView(canvas, bounds, redraw);
  }

  private resize() {
    const { width, height } = this.element.getBoundingClientRect();
    if (width < 2 || height < 2) return;
    this.view.resize(width, height);
    this.draw(this.clock.time);
  }

  private draw(t: number) {
    this.tracks.goTo(t);
    this.view.follow(this.show.follow ? this.tracks.middle() : null, this.size);
    this.view.draw(this.tracks, {
      show: this.show,
      flashes: this.flashes(t),
      forceScale: (force) => Math.min(1, Math.sqrt(force / this.largestForce)),
    });
  }

  // Impacts within the last third of a second of viewing time at full speed.
  private flashes(t: number): Flash[] {
    const reach = Math.max(0.3 * this.clock.speed, 1e-12);
    const flashes: Flash[] = [];
    const at = [0, 0, 0];
    for (const force of this.tracks.forces) {
      const { time, size, largest } = this.impacts[force.contact];
      if (!time.length) continue;
      this.tracks.vector(force.at, at);
      for (let i = indexAt(time, t), n = 0; i >= 0 && n < 8 && time[i] <= t && t - time[i] < reach; --i, ++n)
        flashes.push({ at: [at[0], at[1], at[2]], strength: Math.sqrt(size[i] / largest), age: (t - time[i]) / reach });
    }
    return flashes;
  }
}

// The force that is drawn at full length: the 98th percentile, so that a spike does not hide the rest.
function typicalForce(tracks: Tracks): number {
  const sizes: number[] = [];
  for (const { force } of tracks.forces) {
    const frames = force.length / 3;
    const stride = Math.max(1, Math.floor(frames / 2000));
    for (let i = 0; i < frames; i += stride) {
      const size = Math.hypot(force[i], force[frames + i], force[2 * frames + i]);
      if (size > 0) sizes.push(size);
    }
  }
  sizes.sort((a, b) => a - b);
  return sizes.length ? sizes[Math.floor(0.98 * (sizes.length - 1))] : 1;
}
