// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// A small histogram of every measure, and a table of their quantiles. Each is drawn in a task of its own, so that a
// large study opens at once.
import { el } from "../dom";
import { number, short } from "../format";
import { onTheme, theme } from "../theme";
import type { Study } from "./data";
import type { Filter } from "./filter";
import { histogram, quantileOf, sorted } from "./histogram";
import { CanvasPainter } from "./painter";

const most = 24;

export class Distributions {
  readonly element: HTMLElement;
  private cards: { id: string; canvas: HTMLCanvasElement; row: HTMLElement; name: string }[] = [];
  private turn = 0;

  constructor(
    private study: Study,
    private filter: Filter,
    choose: (id: string) => void,
  ) {
    const all = [...study.measures, ...study.series];
    const body = el("tbody", {});
    const grid = el("div", { class: "small-plots" });
    for (const { id, name, meaning } of all.slice(0, most)) {
      const canvas = el("canvas", { role: "img", "aria-label": `Histogram of ${short(name, 60)}` });
      const row = el("tr", {});
      grid.append(el("button", { type: "button", class: "small-plot", title: short(`${name}: ${meaning}`, 300), "aria-label": `Show the histogram of ${short(name, 60)} above`, click: () => choose(id) }, canvas));
      body.append(row);
      this.cards.push({ id, canvas, row, name });
    }
    const heads = ["measure", "least", "5 %", "median", "95 %", "most", "values"];
    this.element = el("section", { class: "distributions", "aria-label": "Distributions" }, el("h2", {}, "Distributions"), grid,
      el("div", { class: "table-box", tabindex: 0 }, el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((h) => el("th", { scope: "col" }, h)))), body)),
      all.length > most ? el("p", { class: "hint" }, `The first ${most} of ${all.length} measures.`) : null);
    filter.onChange(() => this.schedule(300));
    onTheme(() => this.schedule());
    let width = 0;
    new ResizeObserver(() => {
      if (Math.abs(grid.clientWidth - width) < 2) return;
      width = grid.clientWidth;
      this.schedule();
    }).observe(grid);
  }

  // Starts again with the first card; an earlier pass ends.
  private schedule(delay = 30) {
    const turn = ++this.turn;
    const next = (k: number) => {
      if (turn !== this.turn || k >= this.cards.length) return;
      this.draw(this.cards[k]);
      setTimeout(() => next(k + 1), 0);
    };
    setTimeout(() => next(0), delay);
  }

  private draw({ id, canvas, row, name }: (typeof this.cards)[number]) {
    const { study, filter } = this;
    const [width, height] = [Math.floor(canvas.parentElement!.clientWidth - 2), 170];
    if (width < 60) return;
    const scale = devicePixelRatio || 1;
    [canvas.width, canvas.height] = [width * scale, height * scale];
    [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
    const context = canvas.getContext("2d")!;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const view = { kind: "histogram" as const, x: id, y: "", color: "", logX: false, logY: false };
    const drawn = histogram(new CanvasPainter(context), { study, filter, view, theme: theme(), width, height, title: "" });
    canvas.setAttribute("aria-label", drawn.summary);
    const values = sorted({ study, filter }, id);
    const cells = [0, 0.05, 0.5, 0.95, 1].map((q) => number(quantileOf(values, q)));
    row.replaceChildren(el("th", { scope: "row" }, short(name, 60)), ...cells.map((c) => el("td", {}, c)), el("td", {}, String(values.length)));
  }
}
