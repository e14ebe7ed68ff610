// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The strip of events has one lane per contact. Sticking is a full bar, sliding a hatched one, and impacts are ticks,
// so it can be read without colour. A click moves the time cursor there.
import type { Clock } from "./clock";
import { type Arrays, type Run, indexAt } from "./data";
import { el } from "./dom";
import { short, timeDigits } from "./format";
import type { Range } from "./range";
import { onTheme, theme } from "./theme";

export interface Lane {
  name: string;
  impacts: Float64Array;
  sizes: Float32Array;
  from: Float64Array;
  to: Float64Array;
  kind: Uint8Array;
  marks: { time: number; kind: string }[];
  located: boolean;
}
// If the scheme locates these events, they are among the marks. The strip shows them as the ends of its bars.
const shownAsBars = ["opening", "closing", "stick", "slip"];
export const phaseNames = ["", "stick", "slip", "closed"];
const laneHeight = 18;

export function lanesOf(run: Run, arrays: Arrays): Lane[] {
  return run.contacts.map((c) => ({
    name: c.name,
    impacts: arrays.numbers(c.impacts.time) as Float64Array,
    sizes: arrays.numbers(c.impacts.size) as Float32Array,
    from: arrays.numbers(c.phases.from) as Float64Array,
    to: arrays.numbers(c.phases.to) as Float64Array,
    kind: arrays.numbers(c.phases.kind) as Uint8Array,
    marks: c.marks ?? [],
    located: c.located === true,
  }));
}

// Every time at which something happens, ascending.
export function eventTimes(lanes: Lane[]): Float64Array {
  const times: number[] = [];
  for (const lane of lanes) times.push(...[lane.impacts, lane.from, lane.to].flatMap((list) => Array.from(list)), ...lane.marks.map((m) => m.time));
  return Float64Array.from(new Set(times)).sort();
}

export class Strip {
  readonly element: HTMLElement;
  private canvas = el("canvas", { tabindex: 0, role: "img", class: "lanes", id: "events" });
  private cursor = el("div", { class: "time-cursor" });
  private tip = el("div", { class: "tip", hidden: true });
  private names = el("div", { class: "lane-names" });
  private shownNames = "";
  private lanes: Lane[] = [];
  private largest = 1;
  private width = 0;
  private stale = true; // whether it is drawn with the next frame

  constructor(
    lanes: Lane[],
    private clock: Clock,
    private range: Range,
  ) {
    const plot = el("div", { class: "lanes-box" }, this.canvas, this.cursor, this.tip);
    this.element = el("div", { class: "strip" }, this.names, plot);
    this.replace(lanes);
    new ResizeObserver(([entry]) => {
      this.width = entry.contentRect.width;
      this.draw();
    }).observe(plot);
    range.onChange(() => this.later());
    range.listenWheel(plot);
    onTheme(() => this.later());
    clock.onTime(() => (this.stale ? this.draw() : this.move()));
    this.listen(plot);
  }

  // Another run takes the place of the present one.
  replace(lanes: Lane[]) {
    // A model with a thousand contacts shows only those at which something happens.
    const busy = lanes.filter((lane) => lane.impacts.length || lane.from.length);
    this.lanes = (lanes.length > 12 ? busy : lanes).slice(0, 200);
    this.largest = Math.max(1e-300, ...this.lanes.map((l) => l.sizes.reduce((a, b) => Math.max(a, b), 0)));
    const names = this.lanes.map((l) => l.name).join("\n");
    if (names !== this.shownNames) {
      this.shownNames = names;
      this.names.replaceChildren(...this.lanes.map((l) => el("div", { class: "lane-name", title: short(l.name, 200) }, short(l.name, 20))));
    }
    const impacts = lanes.reduce((n, l) => n + l.impacts.length, 0);
    this.canvas.setAttribute("aria-label", `Events of ${lanes.length} contacts, ${impacts} impacts. Click to go there; the Events tab lists them.`);
    this.element.hidden = !this.lanes.length;
    this.later();
  }

  // With the next frame, so that several changes at once are drawn once.
  private later() {
    this.stale = true;
    this.clock.schedule();
  }

  private x(t: number): number {
    return ((t - this.range.from) / (this.range.to - this.range.from)) * this.width;
  }

  private draw() {
    if (this.width < 10) return;
    this.stale = false;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const height = laneHeight * this.lanes.length;
    const size = [Math.round(this.width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== size[0] || this.canvas.height !== size[1]) {
      [this.canvas.width, this.canvas.height] = size; // memory of its own, so only if it changes
      this.canvas.style.height = `${height}px`;
    }
    const c = this.canvas.getContext("2d")!;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, this.width, height);
    for (const [i, lane] of this.lanes.entries()) this.lane(c, lane, laneHeight * i);
    this.move();
  }

  private lane(c: CanvasRenderingContext2D, lane: Lane, top: number) {
    const { line, accent, force, ink } = theme();
    const middle = top + laneHeight / 2;
    c.fillStyle = line;
    c.fillRect(0, middle - 0.5, this.width, 1);
    for (let i = 0; i < lane.from.length; ++i) {
      const [a, b] = [Math.max(0, this.x(lane.from[i])), Math.min(this.width, this.x(lane.to[i]))];
      if (b < 0 || a > this.width) continue;
      const w = Math.max(1, b - a);
      c.fillStyle = lane.kind[i] === 2 ? hatch(c, accent) : accent;
      c.globalAlpha = lane.kind[i] === 3 ? 0.5 : 0.9;
      c.fillRect(a, middle - 4, w, 8);
      c.globalAlpha = 1;
    }
    c.fillStyle = force;
    let last = -1;
    for (let i = indexAt(lane.impacts, this.range.from); i < lane.impacts.length && lane.impacts[i] <= this.range.to; ++i) {
      const x = Math.round(this.x(lane.impacts[i]));
      if (x === last) continue;
      last = x;
      const h = 4 + 4 * Math.sqrt(lane.sizes[i] / this.largest);
      c.fillRect(x - 0.75, middle - h, 1.5, 2 * h);
    }
    c.fillStyle = ink;
    for (const mark of lane.marks) if (!shownAsBars.includes(mark.kind)) diamond(c, this.x(mark.time), middle);
  }

  private move() {
    const x = this.x(this.clock.time);
    this.cursor.style.display = x < 0 || x > this.width ? "none" : "block";
    this.cursor.style.transform = `translateX(${x}px)`;
  }

  private nearest(e: MouseEvent): { time: number; text: string } {
    const box = this.canvas.getBoundingClientRect();
    const time = this.range.from + ((e.clientX - box.left) / this.width) * (this.range.to - this.range.from);
    const lane = this.lanes[Math.floor((e.clientY - box.top) / laneHeight)];
    const digits = timeDigits(this.range.to - this.range.from);
    const at = (t: number) => `${t.toFixed(digits)} s`;
    if (!lane) return { time, text: at(time) };
    const reach = (5 / this.width) * (this.range.to - this.range.from);
    const i = indexAt(lane.impacts, time);
    for (const k of [i, i + 1])
      if (Math.abs(lane.impacts[k] - time) < reach) return { time: lane.impacts[k], text: `${short(lane.name)}: impact at ${at(lane.impacts[k])}` };
    for (const mark of lane.marks)
      if (Math.abs(mark.time - time) < reach) return { time: mark.time, text: `${short(lane.name)}: ${mark.kind} at ${at(mark.time)}` };
    const p = indexAt(lane.from, time);
    const inside = lane.from[p] <= time && time <= lane.to[p];
    return { time, text: `${short(lane.name)}: ${inside ? phaseNames[lane.kind[p]] : "open"}, ${at(time)}` };
  }

  private listen(plot: HTMLElement) {
    this.canvas.addEventListener("click", (e) => this.clock.seek(this.nearest(e).time));
    this.canvas.addEventListener("dblclick", () => this.range.all());
    plot.addEventListener("pointermove", (e) => {
      const box = plot.getBoundingClientRect();
      this.tip.hidden = false;
      this.tip.textContent = this.nearest(e).text;
      const x = Math.min(e.clientX - box.left + 12, box.width - this.tip.offsetWidth - 4);
      this.tip.style.transform = `translate(${Math.max(0, x)}px, ${e.clientY - box.top - 30}px)`;
    });
    plot.addEventListener("pointerleave", () => (this.tip.hidden = true));
  }
}

function diamond(c: CanvasRenderingContext2D, x: number, y: number) {
  c.beginPath();
  c.moveTo(x, y - 4);
  c.lineTo(x + 3, y);
  c.lineTo(x, y + 4);
  c.lineTo(x - 3, y);
  c.fill();
}

// The patterns by their colour. A tile is a canvas of its own, which takes longer to make than a whole strip to draw.
const hatches = new Map<string, CanvasPattern | string>();
function hatch(c: CanvasRenderingContext2D, color: string): CanvasPattern | string {
  const known = hatches.get(color);
  if (known) return known;
  const tile = el("canvas", { width: 6, height: 6 });
  const p = tile.getContext("2d")!;
  p.fillStyle = color;
  p.globalAlpha = 0.35;
  p.fillRect(0, 0, 6, 6);
  p.globalAlpha = 1;
  p.strokeStyle = color;
  p.lineWidth = 1.5;
  for (const o of [-6, 0, 6]) {
    p.moveTo(o, 6);
    p.lineTo(o + 6, 0);
  }
  p.stroke();
  const pattern = c.createPattern(tile, "repeat") ?? color;
  hatches.set(color, pattern);
  return pattern;
}

export function stripLegend(): HTMLElement {
  return el("div", { class: "strip-legend" },
    el("span", {}, el("i", { class: "key impact" }), "impact"), el("span", {}, el("i", { class: "key stick" }), "stick"),
    el("span", {}, el("i", { class: "key slip" }), "slip"), el("span", {}, el("i", { class: "key closed" }), "closed"), el("span", {}, el("i", { class: "key open" }), "open"));
}
