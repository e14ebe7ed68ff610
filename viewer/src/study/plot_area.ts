// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The large plot: a canvas, above it another one with what is selected, and what mouse and keyboard do there.
import { el } from "../dom";
import { short } from "../format";
import { csv, fileName, saveCsv, saveMenu, savePng, saveSvg } from "../save";
import { theme } from "../theme";
import type { Study } from "./data";
import type { Filter } from "./filter";
import { heat } from "./heat";
import { histogram } from "./histogram";
import { CanvasPainter, type Painter, SvgPainter } from "./painter";
import { parallel } from "./parallel";
import type { Drawn, Kind, Plot, Scene, View } from "./plot";
import { scatter } from "./scatter";

const plots: Record<Kind, Plot> = { scatter, bifurcation: scatter, heat, parallel, histogram };

export class PlotArea {
  readonly element: HTMLElement;
  readonly save: HTMLElement;
  drawn?: Drawn;
  private canvas = el("canvas", { id: "plot", tabindex: 0, role: "img" });
  private over = el("canvas", { class: "over", "aria-hidden": "true" });
  private note = el("p", { class: "hint", id: "plot-note" });
  private box: HTMLElement;
  private size = { width: 0, height: 0 };
  private queued = false;

  constructor(
    private study: Study,
    private filter: Filter,
    private view: View,
  ) {
    this.box = el("div", { class: "plot-box" }, this.canvas, this.over);
    this.element = el("div", { class: "plot-area" }, this.box, this.note);
    const name = () => fileName(study.json.name || "study", view.kind);
    this.save = saveMenu("Save this plot", {
      "Picture (SVG)": () => saveSvg(this.picture(), name()),
      "Picture (PNG)": () => void savePng(this.picture(), name()),
      "Data (CSV)": () => saveCsv(csv(this.drawn!.columns()), name()),
    });
    this.listen();
    filter.onChange(() => this.schedule());
    filter.onSelect(() => this.mark());
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  schedule() {
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      this.draw();
    });
  }

  private resize() {
    const { width } = this.box.getBoundingClientRect();
    if (width < 60 || Math.abs(width - this.size.width) < 1) return;
    this.draw();
  }

  draw() {
    const width = Math.floor(this.box.getBoundingClientRect().width);
    if (width < 60) return;
    const height = Math.round(Math.max(300, Math.min(560, 0.6 * width)));
    this.size = { width, height };
    for (const canvas of [this.canvas, this.over]) {
      const scale = devicePixelRatio || 1;
      [canvas.width, canvas.height] = [width * scale, height * scale];
      canvas.style.height = `${height}px`;
      canvas.getContext("2d")!.setTransform(scale, 0, 0, scale, 0, 0);
    }
    const context = this.canvas.getContext("2d")!;
    context.fillStyle = theme().panel;
    context.fillRect(0, 0, width, height);
    this.drawn = this.paint(new CanvasPainter(context), width, height, "");
    this.note.textContent = this.drawn.note;
    this.canvas.setAttribute("aria-label", `${this.drawn.summary} The arrow keys select a run.`);
    this.element.dataset.kind = this.view.kind;
    this.mark();
  }

  private paint(p: Painter, width: number, height: number, title: string): Drawn {
    const scene: Scene = { study: this.study, filter: this.filter, view: this.view, theme: theme(), width, height, title };
    return plots[this.view.kind](p, scene);
  }

  private picture(): SVGSVGElement {
    const [width, height] = [900, 560];
    const p = new SvgPainter(width, height, theme().panel);
    this.paint(p, width, height, short(this.study.json.title || this.study.json.name, 90));
    return p.element;
  }

  // The selected run.
  private mark() {
    const context = this.over.getContext("2d")!;
    context.clearRect(0, 0, this.size.width, this.size.height);
    const { selected } = this.filter;
    if (selected < 0 || !this.drawn) return;
    const p = new CanvasPainter(context);
    const path = this.drawn.path?.(selected);
    if (path) p.line(path, { color: theme().force, width: 2.5 });
    const place = path ? null : this.drawn.place(selected);
    if (!place) return;
    p.ring(...place, 9, theme().panel);
    p.ring(...place, 7, theme().force);
  }

  private listen() {
    const { canvas, filter } = this;
    const at = (e: MouseEvent): [number, number] => {
      const box = canvas.getBoundingClientRect();
      return [e.clientX - box.left, e.clientY - box.top];
    };
    let dragged: { id: string; from: number; moved: boolean } | null = null;
    canvas.addEventListener("pointerdown", (e) => {
      const id = this.drawn?.brush?.axis(at(e)[0]);
      if (!id) return;
      dragged = { id, from: at(e)[1], moved: false };
      canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener("pointermove", (e) => {
      const [x, y] = at(e);
      if (!dragged) {
        canvas.style.cursor = this.drawn?.brush?.axis(x) ? "ns-resize" : "crosshair";
        return;
      }
      if (Math.abs(y - dragged.from) < 4 && !dragged.moved) return;
      dragged.moved = true;
      const value = (py: number) => this.drawn!.brush!.value(dragged!.id, py);
      const [a, b] = [value(dragged.from), value(y)];
      filter.set(dragged.id, [Math.min(a, b), Math.max(a, b)]);
    });
    canvas.addEventListener("click", (e) => {
      const moved = dragged?.moved;
      dragged = null;
      if (!moved && this.drawn) filter.select(this.drawn.hit(...at(e)));
    });
    canvas.addEventListener("dblclick", (e) => {
      const id = this.drawn?.brush?.axis(at(e)[0]);
      if (id) filter.set(id, null);
    });
    canvas.addEventListener("keydown", (e) => this.key(e));
  }

  private key(e: KeyboardEvent) {
    const moves: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const move = moves[e.key];
    if (!move || !this.drawn || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    this.filter.select(this.drawn.next(this.filter.selected, ...move));
  }
}
