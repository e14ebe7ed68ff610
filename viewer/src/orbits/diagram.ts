// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The bifurcation diagram: one number of the start of each orbit over the parameter.
import { el, svg } from "../dom";
import { type Curve, type Placed, chart } from "../svg_chart";
import { theme } from "../theme";
import type { Branches, Point } from "./main";

export class Diagram {
  readonly element: HTMLElement;
  private holder = el("div", { class: "chart", tabindex: 0, role: "application", "aria-label": "Diagram; arrow keys choose an orbit" });
  private value: (point: Point) => number;
  private label: string;
  private placed?: Placed;
  private chosen?: Point;

  constructor(
    private json: Branches,
    private onSelect: (point: Point) => void,
  ) {
    const values: [string, (point: Point) => number][] = [
      ...json.q.map((name, i): [string, (p: Point) => number] => [name, (p) => p.q[i]]),
      ...json.u.map((name, i): [string, (p: Point) => number] => [`d(${name})/dt`, (p) => p.u[i]]),
      ["period (s)", (p) => p.period],
      ["slowest impact (m/s)", (p) => p.slowest_impact ?? NaN],
      ["largest multiplier", (p) => Math.max(...p.multipliers.map(([re, im]) => Math.hypot(re, im)))],
    ];
    [this.label, this.value] = values[0];
    const list = el("select", { "aria-label": "What is shown", change: () => {
      [this.label, this.value] = values[list.selectedIndex];
      this.draw();
    } }, ...values.map(([name]) => el("option", {}, name)));
    this.element = el("div", { style: "display: contents" }, el("div", { class: "bar" }, el("label", {}, "Show ", list),
      el("span", { class: "hint" }, "Click on an orbit to see its motion.")), this.holder);
    this.holder.addEventListener("click", (e) => this.pick(e));
    this.holder.addEventListener("keydown", (e) => this.key(e));
    new ResizeObserver(() => this.draw()).observe(this.holder);
  }

  private get points(): Point[] {
    return this.json.branches.flatMap((branch) => branch.points);
  }

  draw() {
    const box = this.holder.getBoundingClientRect();
    if (box.width < 50 || box.height < 50) return;
    const range = (values: number[]): [number, number] => {
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const room = high > low ? 0.05 * (high - low) : 0.5;
      return [low - room, high + room];
    };
    const finite = this.points.filter((p) => Number.isFinite(this.value(p)));
    const colors = theme();
    const curves: Curve[] = [];
    for (const { points } of this.json.branches)
      for (let i = 0; i + 1 < points.length; ++i) {
        const [a, b] = [points[i], points[i + 1]];
        const stable = a.stable && b.stable;
        const last = curves.at(-1);
        if (last && i > 0 && (last.dash.length === 0) === stable && (last.x as number[]).at(-1) === a.at) {
          (last.x as number[]).push(b.at);
          (last.y as number[]).push(this.value(b));
        } else
          curves.push({ name: stable ? "stable" : "unstable", x: [a.at, b.at], y: [this.value(a), this.value(b)],
            color: stable ? colors.palette[0] : colors.palette[1], dash: stable ? [] : [5, 4] });
      }
    this.placed = chart({ title: "", xLabel: this.json.parameter, yLabel: this.label, x: range(finite.map((p) => p.at)), y: range(finite.map(this.value)), curves },
      box.width, box.height, colors, false);
    for (const point of finite) {
      if (!point.kind) continue;
      const [x, y] = this.placed.toScreen(point.at, this.value(point));
      this.placed.element.append(svg("circle", { cx: x, cy: y, r: 4, fill: colors.force }, svg("title", {}, point.kind)),
        svg("text", { x: x + 6, y: y - 6, fill: colors.ink, "font-size": 11 }, point.kind));
    }
    if (this.chosen) {
      const [x, y] = this.placed.toScreen(this.chosen.at, this.value(this.chosen));
      this.placed.element.append(svg("circle", { cx: x, cy: y, r: 7, fill: "none", stroke: colors.accent, "stroke-width": 2.5, class: "chosen" }));
    }
    this.holder.replaceChildren(this.placed.element);
  }

  choose(point: Point) {
    this.chosen = point;
    this.draw();
    this.onSelect(point);
  }

  private pick(e: MouseEvent) {
    if (!this.placed) return;
    const box = this.holder.getBoundingClientRect();
    let best: Point | undefined;
    let nearest = Infinity;
    for (const point of this.points) {
      if (!point.run) continue;
      const [x, y] = this.placed.toScreen(point.at, this.value(point));
      const away = Math.hypot(x - (e.clientX - box.left), y - (e.clientY - box.top));
      if (away < nearest) [best, nearest] = [point, away];
    }
    if (best) this.choose(best);
  }

  private key(e: KeyboardEvent) {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[e.key];
    if (!by) return;
    e.preventDefault();
    const shown = this.points.filter((point) => point.run);
    const i = this.chosen ? shown.indexOf(this.chosen) : 0;
    this.choose(shown[Math.min(shown.length - 1, Math.max(0, i + by))]);
  }
}
