// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The picture of the mechanism: a plane view, or a view in space with or without WebGL.
import type { Clock } from "../clock";
import { type Arrays, type Item, type Run, indexAt } from "../data";
import { el } from "../dom";
import { short } from "../format";
import { download, saveCanvas } from "../save";
import { crowd, isBall } from "./balls";
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
  ghost: Tracks | null; // another run, shown pale behind this one
}

export interface View {
  readonly name: string;
  draw(tracks: Tracks, overlay: Overlay): void;
  fit(): void;
  zoom(factor: number): void;
  resize(width: number, height: number): void;
  // Shows another run from where the camera is.
  replace(tracks: Tracks): void;
  dispose(): void;
  pick(tracks: Tracks, x: number, y: number): { index: number; at: Point } | null;
  // Keeps a point in the middle, with room for things of this size around it. null stops this.
  follow(target: Point | null, size: number): void;
}

export class Stage {
  readonly element: HTMLElement;
  tracks!: Tracks;
  view!: View;
  ghost: Tracks | null = null;
  readonly show: Show = { forces: true, paths: true, labels: false, follow: false };
  travels = false;  // whether it moves far compared with its size, so that following is useful
  private canvas!: HTMLCanvasElement;
  private size = 0;  // size of the moving parts
  private impacts: { time: Float64Array; size: Float32Array; largest: number }[] = [];
  private largestForce = 1;
  private empty = el("p", { class: "empty" }, "Nothing to draw: the model has no draw section and no bodies with a shape, or its positions were not recorded.");

  constructor(
    private run: Run,
    arrays: Arrays,
    private clock: Clock,
  ) {
    this.element = el("div", { class: "stage", id: "stage" }, this.empty);
    this.tracks = new Tracks(run.scene, arrays);
    this.open();
    this.measure(run, arrays);
    new ResizeObserver(() => this.resize()).observe(this.element);
    onTheme(() => clock.schedule());
    clock.onTime((t) => this.draw(t));
  }

  // Another run takes the place of the present one. The camera stays if the same parts are shown.
  replace(run: Run, arrays: Arrays) {
    const same = partsOf(run) === partsOf(this.run);
    this.run = run;
    this.tracks = new Tracks(run.scene, arrays);
    if (same) {
      this.measureImpacts(run, arrays);
      if (this.show.follow) this.size = this.tracks.movement().size;
      this.view.replace(this.tracks);
      return;
    }
    this.view.dispose();
    this.canvas.remove();
    this.open();
    this.measure(run, arrays);
    this.resize();
  }

  private open() {
    this.canvas = el("canvas", { tabindex: 0, role: "img", "aria-label": this.describe() });
    this.element.prepend(this.canvas);
    this.view = this.choose(this.canvas);
    this.element.dataset.view = this.view.name;
  }

  private measure(run: Run, arrays: Arrays) {
    this.measureImpacts(run, arrays);
    const { size, travel } = this.tracks.movement();
    this.size = size;
    this.travels = size > 0 && travel > 2 * size;
    this.show.follow = size > 0 && travel > 8 * size;
    this.empty.hidden = run.scene.items.length > 0;
  }

  private measureImpacts(run: Run, arrays: Arrays) {
    const sizes = run.contacts.map((c) => arrays.numbers(c.impacts.size) as Float32Array);
    const largest = Math.max(1e-300, ...sizes.map((s) => s.reduce((a, b) => Math.max(a, b), 0)));
    this.impacts = run.contacts.map((c, i) => ({
      time: arrays.numbers(c.impacts.time) as Float64Array,
      size: sizes[i],
      largest,
    }));
    this.largestForce = typicalForce(this.tracks);
  }

  private describe(): string {
    const labels = [...new Set(this.run.scene.items.map((i) => i.label).filter(Boolean))].slice(0, 8);
    const parts = labels.length ? `: ${labels.map((l) => short(l)).join(", ")}` : "";
    return `Animation of ${short(this.run.title || this.run.model, 80)}${parts}. Drag to move, wheel to zoom.`;
  }

  private choose(canvas: HTMLCanvasElement): View {
    const redraw = () => this.clock.schedule();
    if (this.run.scene.planar) return new PlaneView(canvas, this.tracks, redraw);
    const card = graphicsCard();
    const crowded = this.tracks.items.filter(isBall).length >= crowd;
    const webgl = card === "yes" || (card === "imitated" && !crowded);
    return webgl ? new SpaceView(canvas, this.tracks, redraw) : new ProjectedView(canvas, this.tracks, redraw);
  }

  private resize() {
    const { width, height } = this.element.getBoundingClientRect();
    if (width < 2 || height < 2) return;
    this.view.resize(width, height);
    this.draw(this.clock.time);
  }

  private draw(t: number) {
    this.tracks.goTo(t);
    this.ghost?.goTo(t);
    this.view.follow(this.show.follow ? this.tracks.middle() : null, this.size);
    this.view.draw(this.tracks, {
      show: this.show,
      flashes: this.flashes(t),
      ghost: this.ghost,
      forceScale: (force) => Math.min(1, Math.sqrt(force / this.largestForce)),
    });
  }

  // The picture as it is now, at the size on screen.
  savePicture(name: string) {
    this.draw(this.clock.time); // what WebGL has drawn can be read only in the same task
    saveCanvas(this.canvas, name);
  }

  // Plays the whole run and records the picture, in the format of video that the browser writes.
  async saveVideo(name: string): Promise<void> {
    const recorder = new MediaRecorder(this.canvas.captureStream(30), { videoBitsPerSecond: 8e6 });
    const parts: Blob[] = [];
    recorder.addEventListener("dataavailable", (e) => parts.push(e.data));
    const ended = new Promise((done) => recorder.addEventListener("stop", done));
    this.clock.seek(this.clock.start);
    recorder.start();
    this.clock.toggle(true);
    await new Promise<void>((done) => this.clock.onState(() => this.clock.playing || done()));
    recorder.stop();
    await ended;
    download(new Blob(parts, { type: recorder.mimeType }), `${name}.${recorder.mimeType.includes("mp4") ? "mp4" : "webm"}`);
  }

  // The part at a place of the screen, and the place in the model; null if there is none.
  pick(clientX: number, clientY: number): { item: Item; at: Point } | null {
    const box = this.canvas.getBoundingClientRect();
    this.tracks.goTo(this.clock.time);
    const found = this.view.pick(this.tracks, clientX - box.left, clientY - box.top);
    return found && { item: this.tracks.items[found.index].item, at: found.at };
  }

  // The place in the model under a place of the screen; null if the picture shows space.
  toModel(clientX: number, clientY: number): Point | null {
    const box = this.canvas.getBoundingClientRect();
    return this.view instanceof PlaneView ? this.view.toModel(clientX - box.left, clientY - box.top) : null;
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

// Whether WebGL draws with a graphics card. If the processor imitates one, a crowd of balls takes it too long.
function graphicsCard(): "yes" | "imitated" | "no" {
  const context = el("canvas").getContext("webgl2");
  if (!context) return "no";
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name = names ? String(context.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name) ? "imitated" : "yes";
}

// What the picture consists of, apart from positions and sizes.
function partsOf({ scene }: Run): string {
  return `${scene.planar} ${scene.items.map((item) => `${item.kind} ${item.label} ${item.body ?? ""}`).join("; ")}`;
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
