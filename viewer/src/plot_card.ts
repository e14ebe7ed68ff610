// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// One plot over time: a group of series, its legend with values, and a menu for saving.
import uPlot from "uplot";
import type { Clock } from "./clock";
import { curvePath } from "./curve_path";
import { type Arrays, type Numbers, type Run, type Series, indexAt, nearestIndex } from "./data";
import { el, iconButton, svg } from "./dom";
import { groupOf, number, short, timeDigits, withUnit } from "./format";
import type { Range } from "./range";
import { type Column, csv, fileName, saveCsv, saveMenu, savePng, saveSvg } from "./save";
import { type Chart, chart, curveStyle, span } from "./svg_chart";
import { theme } from "./theme";

const shownAtFirst = 6;
let created = 0;

// Another run that is drawn behind the present one.
export interface Ghost {
  run: Run;
  arrays: Arrays;
  color: string; // "": grey
  dash: number[];
}

export class PlotCard {
  readonly element: HTMLElement;
  private time: Numbers;
  private series: Series[] = [];
  private shown = new Set<number>();
  private plot?: uPlot;
  private box = el("div", { class: "plot" });
  private legend = el("div", { class: "legend" });
  private when = el("output", { class: "when" });
  private cursor = el("div", { class: "time-cursor" });
  private values: HTMLElement[] = [];
  private hovered: number | null = null;
  private valuesOf = -1; // the sample whose values the legend shows
  private valuesAt = 0;
  private choice: HTMLSelectElement;
  private ghosts: Ghost[] = [];
  private sizes: ResizeObserver;
  private sight: IntersectionObserver;
  private seen = true; // whether it is on the screen
  private stale = false; // whether it shows an earlier run or range, because nobody sees it

  constructor(
    private run: Run,
    private arrays: Arrays,
    private clock: Clock,
    private range: Range,
    present: string[],
    public group: string,
    remove: () => void,
  ) {
    this.time = arrays.numbers(run.time);
    const choice = el("select", { "aria-label": "What this plot shows", id: `plot-${++created}` });
    this.choice = choice;
    this.offer(present);
    choice.addEventListener("change", () => {
      this.group = choice.value;
      this.pick();
      this.rebuild();
    });
    const save = saveMenu("Save this plot", {
      "Picture (SVG)": () => saveSvg(this.picture(), this.name()),
      "Picture (PNG)": () => void savePng(this.picture(), this.name()),
      "Data (CSV)": () => saveCsv(this.data(), this.name()),
    });
    const head = el("div", { class: "card-head" }, choice, this.when, save, iconButton("close", "Remove this plot", remove));
    this.element = el("section", { class: "card" }, head, this.box, this.legend);
    this.box.addEventListener("keydown", (e) => e.key === "Escape" && range.all());
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(this.box);
    this.sight = new IntersectionObserver((entries) => this.see(entries[entries.length - 1].isIntersecting), { rootMargin: "40px" });
    this.sight.observe(this.box);
    this.pick();
  }

  private offer(present: string[]) {
    if (present.join("\n") === [...this.choice.options].map((o) => o.value).join("\n")) return;
    this.choice.replaceChildren(...present.map((id) => el("option", { value: id, selected: id === this.group }, groupOf(id).title)));
  }

  close() {
    this.sizes.disconnect();
    this.sight.disconnect();
    this.plot?.destroy();
    this.element.remove();
  }

  // Another run takes the place of the present one. Curves that are hidden stay hidden if it has the same ones.
  replace(run: Run, arrays: Arrays, present: string[]) {
    const before = this.series.map((s) => `${s.name} ${s.unit}`).join("\n");
    const shown = this.shown;
    [this.run, this.arrays, this.time] = [run, arrays, arrays.numbers(run.time)];
    this.offer(present);
    this.pick();
    this.valuesOf = -1;
    this.hovered = null;
    if (!this.plot || before !== this.series.map((s) => `${s.name} ${s.unit}`).join("\n")) return this.rebuild();
    this.shown = shown;
    this.refresh();
  }

  setGhosts(ghosts: Ghost[]) {
    if (!ghosts.length && !this.ghosts.length) return;
    this.ghosts = ghosts;
    this.refresh();
  }

  // A plot that scrolls out of sight is not drawn until it comes back.
  private see(seen: boolean) {
    this.seen = seen;
    if (!seen) return;
    if (this.stale) this.refresh();
    else this.moveCursor();
  }

  private refresh() {
    this.stale = !this.seen;
    if (this.stale || !this.plot) return;
    this.plot.batch(() => {
      this.plot!.setData(this.columns(), false);
      this.plot!.setScale("x", { min: this.range.from, max: this.range.to });
    });
    this.moveCursor();
  }

  // The curves of a ghost that this plot shows.
  private ghostCurves(ghost: Ghost): Numbers[] {
    return [...this.shown].flatMap((i) => {
      const { name, group, unit } = this.series[i];
      const found = ghost.run.series.find((s) => s.name === name && s.group === group && s.unit === unit);
      return found ? [ghost.arrays.numbers(found.data)] : [];
    });
  }

  // The range of the present run and of the ghosts.
  private extent(low: number, high: number): [number, number] {
    for (const ghost of this.ghosts)
      for (const curve of this.ghostCurves(ghost))
        for (const value of curve) {
          if (value < low) low = value;
          if (value > high) high = value;
        }
    return [low, high];
  }

  private drawGhosts(u: uPlot) {
    const { left, top, width, height } = u.bbox;
    u.ctx.save();
    u.ctx.beginPath();
    u.ctx.rect(left, top, width, height);
    u.ctx.clip();
    for (const ghost of this.ghosts) {
      const time = ghost.arrays.numbers(ghost.run.time);
      const [from, to] = [indexAt(time, this.range.from), Math.min(time.length, indexAt(time, this.range.to) + 2)];
      u.ctx.strokeStyle = ghost.color || theme().muted;
      u.ctx.globalAlpha = ghost.color ? 0.9 : 0.55;
      u.ctx.lineWidth = 1.25 * devicePixelRatio;
      u.ctx.setLineDash(ghost.dash.map((d) => d * devicePixelRatio));
      for (const curve of this.ghostCurves(ghost)) {
        u.ctx.beginPath();
        for (let i = from; i < to; ++i) u.ctx.lineTo(u.valToPos(time[i], "x", true), u.valToPos(curve[i], "y", true));
        u.ctx.stroke();
      }
    }
    u.ctx.restore();
  }

  private pick() {
    const [group, unit] = this.group.split("|");
    this.series = this.run.series.filter((s) => s.group === group && (unit === undefined || s.unit === unit));
    // Components of quaternions say little, so they are not shown unless chosen.
    const telling = [...this.series.keys()].filter((i) => !/\.q[wxyz]$/.test(this.series[i].name));
    this.shown = new Set((telling.length ? telling : [...this.series.keys()]).slice(0, shownAtFirst));
    this.element.dataset.group = group;
    this.element.dataset.unit = unit ?? "";
  }

  private name(): string {
    return fileName(this.run.model || "run", this.group);
  }

  private unit(): string {
    return [...new Set([...this.shown].map((i) => this.series[i].unit).filter(Boolean))].join(", ");
  }

  // uPlot cannot draw zeros on a logarithmic axis. They are drawn as gaps.
  private columns(): uPlot.AlignedData {
    const log = groupOf(this.group).log;
    const y = this.series.map((s) => {
      const values = this.arrays.numbers(s.data);
      return log ? Array.from(values, (v) => (v > 0 ? v : null)) : values;
    });
    return [this.time, ...y] as unknown as uPlot.AlignedData;
  }

  rebuild() {
    this.valuesOf = -1;
    this.plot?.destroy();
    this.plot = undefined;
    this.buildLegend();
    const { width } = this.box.getBoundingClientRect();
    if (width < 40) return;
    const colors = theme();
    const axis = { stroke: colors.muted, grid: { stroke: colors.line, width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif" };
    const group = groupOf(this.group);
    this.plot = new uPlot(
      {
        width,
        height: this.height(width),
        legend: { show: false },
        padding: [8, 12, 0, 0],
        cursor: {
          sync: { key: "run", setSeries: false, scales: ["x", null] },
          drag: { x: true, y: false, setScale: false, dist: 5 },
          points: { size: 7 },
        },
        scales: { x: { time: false, min: this.range.from, max: this.range.to }, y: group.log ? { distr: 3 } : { range: (_, low, high) => (low === null ? [0, 1] : span([this.extent(low, high)])) } },
        axes: [
          { ...axis, size: 26, gap: 4, values: (_, ticks) => ticks.map((t) => number(t, 7)) },
          { ...axis, size: 62, gap: 6, values: (_, ticks) => ticks.map((t) => (t === null ? "" : number(t, 5))) },
        ],
        series: [{}, ...this.series.map((s, i) => this.style(s, i, group.steps === true))],
        hooks: { setCursor: [(u) => this.hover(u)], setSelect: [(u) => this.select(u)], drawAxes: [(u) => this.drawGhosts(u)] },
      },
      this.columns(),
      this.box,
    );
    this.plot.over.append(this.cursor);
    this.listenClick(this.plot.over);
    this.plot.over.addEventListener("dblclick", () => this.range.all());
    this.range.listenWheel(this.plot.over);
    this.moveCursor();
  }

  private style(series: Series, i: number, steps: boolean): uPlot.Series {
    const { color, dash } = curveStyle(theme(), i);
    return {
      label: short(series.name), stroke: color, dash, width: curveWidth(), show: this.shown.has(i), points: { show: false },
      paths: curvePath(steps),
    };
  }

  private buildLegend() {
    this.values = this.series.map(() => el("output", { class: "value" }));
    const entries = this.series.map((s, i) => {
      const { color, dash } = curveStyle(theme(), i);
      const box = el("input", { type: "checkbox", "data-series": i });
      box.checked = this.shown.has(i);
      box.addEventListener("change", () => this.toggle(i, box.checked));
      const swatch = svg("svg", { width: 20, height: 8, "aria-hidden": "true" },
        svg("line", { x1: 0, x2: 20, y1: 4, y2: 4, stroke: color, "stroke-width": 2, "stroke-dasharray": dash.join(" ") || undefined }));
      return el("label", { class: "entry", title: short(s.name, 200) }, box, swatch, el("span", { class: "name" }, short(s.name)), this.values[i]);
    });
    this.legend.replaceChildren(...entries.slice(0, 12));
    if (entries.length > 12)
      this.legend.append(el("details", { class: "more" }, el("summary", {}, `${entries.length - 12} more`), ...entries.slice(12, 400)));
  }

  private toggle(i: number, show: boolean) {
    if (show) this.shown.add(i);
    else this.shown.delete(i);
    this.plot?.setSeries(i + 1, { show });
  }

  private height(width: number): number {
    return Math.round(Math.max(140, Math.min(220, 0.33 * width)));
  }

  private resize() {
    const { width } = this.box.getBoundingClientRect();
    if (width < 40) return;
    if (!this.plot) this.rebuild();
    else if (Math.abs(this.plot.width - width) > 0.5) {
      this.plot.setSize({ width, height: this.height(width) });
      this.moveCursor();
    }
  }

  rangeChanged() {
    if (this.stale || !this.seen) return this.refresh();
    this.plot?.setScale("x", { min: this.range.from, max: this.range.to });
    this.moveCursor();
  }

  moveCursor() {
    if (!this.plot || !this.seen) return;
    const { from, to } = this.range;
    const at = (this.clock.time - from) / (to - from);
    this.cursor.style.display = at < 0 || at > 1 ? "none" : "block";
    // The width of the element is not read, because that would lay out the page again for every plot and frame.
    this.cursor.style.transform = `translateX(${(at * this.plot.bbox.width) / devicePixelRatio}px)`;
    if (this.hovered !== null) return;
    const i = nearestIndex(this.time, this.clock.time);
    const now = performance.now();
    // While it plays, nobody can read sixty numbers per second.
    if (i === this.valuesOf || (this.clock.playing && now - this.valuesAt < 80)) return;
    this.valuesAt = now;
    this.show(i);
  }

  private hover(u: uPlot) {
    this.hovered = u.cursor.idx ?? null;
    this.show(this.hovered ?? nearestIndex(this.time, this.clock.time));
  }

  private show(i: number) {
    this.valuesOf = i;
    this.when.textContent = `${this.time[i].toFixed(timeDigits(this.range.to - this.range.from))} s`;
    this.when.classList.toggle("hovering", this.hovered !== null);
    for (const [k, s] of this.series.entries())
      if (k < 12 || this.shown.has(k)) this.values[k].textContent = withUnit(this.arrays.numbers(s.data)[i], s.unit);
  }

  private select(u: uPlot) {
    const { left, width } = u.select;
    if (width > 5) this.range.set(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  // A drag, which zooms, also ends with a click.
  private listenClick(over: HTMLElement) {
    let pressed = 0;
    over.addEventListener("mousedown", (e) => (pressed = e.clientX));
    over.addEventListener("click", (e) => {
      if (this.plot && Math.abs(e.clientX - pressed) < 4) this.clock.seek(this.plot.posToVal(e.clientX - over.getBoundingClientRect().left, "x"));
    });
  }

  private visible(): [number, number] {
    return [indexAt(this.time, this.range.from), Math.min(this.time.length, indexAt(this.time, this.range.to) + 1)];
  }

  private picture(): SVGSVGElement {
    const [from, to] = this.visible();
    const curves = [...this.shown].sort((a, b) => a - b).map((i) => ({
      name: this.series[i].name, x: this.time.subarray(from, to), y: this.arrays.numbers(this.series[i].data).subarray(from, to), ...curveStyle(theme(), i),
    }));
    const log = groupOf(this.group).log;
    const title = groupOf(this.group.split("|")[0]).title;
    const y = log ? logSpan(curves.map((c) => c.y)) : span(curves.map((c) => c.y));
    const spec: Chart = { title: `${short(this.run.title || this.run.model, 60)}: ${title}`, xLabel: "time [s]",
      yLabel: this.unit() ? `${title} [${this.unit()}]` : title, x: [this.range.from, this.range.to], y, log, curves };
    return chart(spec, 800, 420, theme()).element;
  }

  private data(): string {
    const columns: Column[] = [{ name: "t", unit: "s", values: this.time }];
    for (const i of [...this.shown].sort((a, b) => a - b))
      columns.push({ name: this.series[i].name, unit: this.series[i].unit, values: this.arrays.numbers(this.series[i].data) });
    return csv(columns, ...this.visible());
  }
}

// Where a pixel of the page is one of the screen, wider lines look coarse and take five times as long to draw.
function curveWidth(): number {
  return devicePixelRatio < 1.5 ? 1 : 1.5;
}

function logSpan(lists: ArrayLike<number>[]): [number, number] {
  let [low, high] = [Infinity, 0];
  for (const list of lists)
    for (let i = 0; i < list.length; ++i)
      if (list[i] > 0) {
        low = Math.min(low, list[i]);
        high = Math.max(high, list[i]);
      }
  return high > 0 ? [low / 2, 2 * high] : [0.1, 1];
}
