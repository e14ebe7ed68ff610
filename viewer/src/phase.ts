// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Phase portraits, friction cones, and any series against any other.
import type { Clock } from "./clock";
import { type Arrays, type Numbers, type Run, type Series, nearestIndex } from "./data";
import { el, svg } from "./dom";
import { groupOf, number, short } from "./format";
import { csv, fileName, saveCsv, saveMenu, savePng, saveSvg } from "./save";
import { type Chart, type Placed, chart, curveStyle, span } from "./svg_chart";
import { onTheme, theme } from "./theme";

interface Axis {
  label: string;
  unit: string;
  values: Numbers;
}
interface Portrait {
  name: string;
  x: Axis;
  y: Axis;
  mu?: number; // draws the cone
}

export class Phase {
  readonly element: HTMLElement;
  private box = el("div", { class: "phase-plot" });
  private reading = el("output", { class: "reading" });
  private choice = el("select", { "aria-label": "Portrait", id: "portrait" });
  private xChoice = el("select", { "aria-label": "Horizontal axis" });
  private yChoice = el("select", { "aria-label": "Vertical axis" });
  private axes = el("div", { class: "axes-choice", hidden: true }, el("label", {}, "x ", this.xChoice), el("label", {}, "y ", this.yChoice));
  private time: Numbers;
  private spec?: Chart;
  private placed?: Placed;
  private portrait?: Portrait;
  private dot = svg("circle", { r: 5, "stroke-width": 2 });

  constructor(
    private run: Run,
    private arrays: Arrays,
    private clock: Clock,
  ) {
    this.time = arrays.numbers(run.time);
    this.fillChoices();
    const save = saveMenu("Save this portrait", {
      "Picture (SVG)": () => this.placed && saveSvg(this.placed.element, this.name()),
      "Picture (PNG)": () => this.placed && void savePng(this.placed.element, this.name()),
      "Data (CSV)": () => this.saveData(),
    });
    this.element = el("div", { class: "phase" }, el("div", { class: "card-head" }, this.choice, save), this.axes, this.box, this.reading,
      el("p", { class: "hint" }, "Wheel to zoom, drag to move, double click for the whole curve."));
    for (const select of [this.choice, this.xChoice, this.yChoice]) select.addEventListener("change", () => this.build());
    new ResizeObserver(() => this.render()).observe(this.box);
    onTheme(() => this.render());
    clock.onTime(() => this.move());
    this.listen();
    this.build();
  }

  private of(group: string, contact = -1): Series[] {
    return this.run.series.filter((s) => s.group === group && (contact < 0 || s.contact === contact));
  }

  private fillChoices() {
    const pairs = el("optgroup", { label: "Phase portrait" });
    for (const [i, s] of this.of("position").entries())
      if (this.velocityOf(s) && i < 200) pairs.append(el("option", { value: `q${i}` }, short(s.name)));
    const cones = el("optgroup", { label: "Friction cone" });
    for (const [i, c] of this.run.contacts.entries())
      if (this.of("impulse_F", i).length && i < 200) cones.append(el("option", { value: `c${i}` }, short(c.name)));
    for (const group of [pairs, cones]) if (group.children.length) this.choice.append(group);
    this.choice.append(el("optgroup", { label: "Free choice" }, el("option", { value: "xy" }, "Any two series")));
    for (const select of [this.xChoice, this.yChoice])
      for (const [i, s] of this.run.series.entries())
        if (i < 500) select.append(el("option", { value: i }, `${groupOf(s.group).title}: ${short(s.name)}`));
    if (this.run.series.length > 1) this.yChoice.selectedIndex = 1;
  }

  // x' belongs to x, and ball.vx to ball.x. A series without a velocity (a component of a quaternion) has no portrait.
  private velocityOf({ name }: Series): Series | undefined {
    const names = [`${name}'`, name.replace(/\.([xyz])$/, ".v$1")];
    return this.of("velocity").find((u) => u.name !== name && names.includes(u.name));
  }

  private axis(s: Series): Axis {
    const symbol = groupOf(s.group).symbol;
    return { label: (symbol ? `${symbol} ` : "") + short(s.name, 40), unit: s.unit, values: this.arrays.numbers(s.data) };
  }

  private chosen(): Portrait | undefined {
    const kind = this.choice.value;
    const i = Number(kind.slice(1));
    if (kind.startsWith("q")) {
      const q = this.of("position")[i];
      return { name: q.name, x: this.axis(q), y: this.axis(this.velocityOf(q)!) };
    }
    if (kind.startsWith("c")) return this.cone(i);
    const [x, y] = [this.run.series[Number(this.xChoice.value)], this.run.series[Number(this.yChoice.value)]];
    return x && y && { name: `${y.name} over ${x.name}`, x: this.axis(x), y: this.axis(y) };
  }

  private cone(contact: number): Portrait | undefined {
    const normal = this.of("impulse_N", contact)[0];
    const friction = this.of("impulse_F", contact);
    if (!normal) return undefined;
    const { name, mu } = this.run.contacts[contact];
    const x = this.axis(friction[0]);
    if (friction.length > 1) {
      const parts = friction.slice(0, 2).map((s) => this.arrays.numbers(s.data));
      x.values = Float32Array.from(parts[0], (v, k) => Math.hypot(v, parts[1][k]));
      x.label = `‖P_F‖ ${short(name)}`;
    }
    return { name, x, y: this.axis(normal), mu };
  }

  private build() {
    this.axes.hidden = this.choice.value !== "xy";
    this.portrait = this.chosen();
    if (!this.portrait) return;
    const { x, y, mu, name } = this.portrait;
    const ranges = { x: span([x.values]), y: span([y.values]) };
    const lines: NonNullable<Chart["lines"]> = [];
    if (mu !== undefined) {
      const top = Math.max(ranges.y[1], 1e-12);
      const wide = Math.max(mu * top, -ranges.x[0], ranges.x[1]);
      ranges.y = [-0.06 * top, top];
      ranges.x = [-1.1 * wide || -1, 1.1 * wide || 1];
      for (const side of [-1, 1]) lines.push({ from: [0, 0], to: [side * mu * top * 10, top * 10], label: "" });
    }
    const label = (a: Axis) => (a.unit ? `${a.label} [${a.unit}]` : a.label);
    this.spec = { title: mu === undefined ? "" : `Friction cone of ${short(name)}, μ = ${number(mu)}`, xLabel: label(x), yLabel: label(y),
      ...ranges, curves: [], lines };
    this.render();
  }

  private render() {
    const { width, height } = this.box.getBoundingClientRect();
    if (!this.spec || !this.portrait || width < 40 || height < 40) return;
    const { x, y, name, mu } = this.portrait;
    const style = curveStyle(theme(), 0);
    this.spec.curves = mu === undefined ? [{ name, x: x.values, y: y.values, ...style }] : [];
    this.placed = chart(this.spec, Math.round(width), Math.round(height), theme(), false);
    if (mu !== undefined) this.placed.element.append(this.cloud(x.values, y.values, style.color));
    this.dot.setAttribute("fill", theme().force);
    this.dot.setAttribute("stroke", theme().panel);
    this.placed.element.append(this.dot);
    this.placed.element.setAttribute("role", "img");
    this.placed.element.setAttribute("aria-label", `${this.spec.yLabel} over ${this.spec.xLabel}`);
    this.box.replaceChildren(this.placed.element);
    this.move();
  }

  // Impulses of steps are drawn as points, not as a curve. Points on the same pixel are written once.
  private cloud(x: Numbers, y: Numbers, color: string): SVGElement {
    const { toScreen, inner } = this.placed!;
    const seen = new Set<string>();
    for (let i = 0; i < x.length; ++i) {
      if (y[i] === 0) continue;
      const [px, py] = toScreen(x[i], y[i]);
      if (px >= inner.left && px <= inner.left + inner.width && py >= inner.top && py <= inner.top + inner.height)
        seen.add(`M${px.toFixed(0)} ${py.toFixed(0)}h0`);
    }
    return svg("path", { d: [...seen].join(""), stroke: color, "stroke-width": 4, "stroke-linecap": "round", "stroke-opacity": 0.55 });
  }

  private move() {
    if (!this.placed || !this.portrait) return;
    const i = nearestIndex(this.time, this.clock.time);
    const { x, y } = this.portrait;
    const [px, py] = this.placed.toScreen(x.values[i], y.values[i]);
    const { left, top, width, height } = this.placed.inner;
    const inside = px >= left && px <= left + width && py >= top && py <= top + height;
    this.dot.setAttribute("visibility", inside ? "visible" : "hidden");
    if (inside) {
      this.dot.setAttribute("cx", String(px));
      this.dot.setAttribute("cy", String(py));
    }
    this.reading.textContent = `${x.label} ${number(x.values[i])} ${x.unit}   ${y.label} ${number(y.values[i])} ${y.unit}`;
  }

  private listen() {
    const scaled = (factor: number, fx: number, fy: number) => {
      const spec = this.spec!;
      const about = (r: [number, number], f: number): [number, number] => {
        const c = r[0] + f * (r[1] - r[0]);
        return [c - (c - r[0]) / factor, c + (r[1] - c) / factor];
      };
      [spec.x, spec.y] = [about(spec.x, fx), about(spec.y, fy)];
      this.render();
    };
    const fraction = (e: MouseEvent): [number, number] => {
      const box = this.box.getBoundingClientRect();
      const { left, top, width, height } = this.placed!.inner;
      return [(e.clientX - box.left - left) / width, 1 - (e.clientY - box.top - top) / height];
    };
    this.box.addEventListener("wheel", (e) => {
      if (!this.placed) return;
      e.preventDefault();
      scaled(Math.exp(-e.deltaY * 0.002), ...fraction(e));
    }, { passive: false });
    this.box.addEventListener("dblclick", () => this.build());
    let last: [number, number] | null = null;
    this.box.addEventListener("pointerdown", (e) => (last = this.placed ? fraction(e) : null));
    window.addEventListener("pointerup", () => (last = null));
    this.box.addEventListener("pointermove", (e) => {
      if (!last || !this.spec) return;
      const now = fraction(e);
      for (const [k, axis] of (["x", "y"] as const).entries()) {
        const by = (last[k] - now[k]) * (this.spec[axis][1] - this.spec[axis][0]);
        this.spec[axis] = [this.spec[axis][0] + by, this.spec[axis][1] + by];
      }
      last = now;
      this.render();
    });
  }

  private name(): string {
    return fileName(this.run.model || "run", "phase", this.portrait?.name ?? "");
  }
  private saveData() {
    if (!this.portrait) return;
    const { x, y } = this.portrait;
    saveCsv(csv([{ name: "t", unit: "s", values: this.time }, { name: x.label, unit: x.unit, values: x.values }, { name: y.label, unit: y.unit, values: y.values }]), this.name());
  }
}
