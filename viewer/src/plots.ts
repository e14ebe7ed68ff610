// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The column of plots over time.
import type { Clock } from "./clock";
import type { Arrays, Run } from "./data";
import { el, iconButton } from "./dom";
import { groups } from "./format";
import { type Ghost, PlotCard } from "./plot_card";
import type { Range } from "./range";
import { onTheme } from "./theme";

const manyCoordinates = 40; // the program lists up to 60 of them

// Curves of different units do not share an axis.
function byUnit(run: Run, group: string): string[] {
  const units = new Set(run.series.filter((s) => s.group === group).map((s) => s.unit));
  return units.size > 1 ? [...units].sort((a, b) => Number(!a) - Number(!b)).map((unit) => `${group}|${unit}`) : [group];
}

function presentIn(run: Run): string[] {
  const used = new Set(run.series.map((s) => s.group));
  const ids = [...groups.map((g) => g.id).filter((id) => used.has(id)), ...[...used].filter((id) => !groups.some((g) => g.id === id))];
  return ids.flatMap((id) => byUnit(run, id));
}

export class Plots {
  readonly element: HTMLElement;
  private cards: PlotCard[] = [];
  private list = el("div", { class: "cards" });
  private present: string[] = [];
  private ghosts: Ghost[] = [];

  constructor(
    private run: Run,
    private arrays: Arrays,
    private clock: Clock,
    private range: Range,
  ) {
    this.present = presentIn(run);
    const bar = el(
      "div",
      { class: "panel-bar" },
      el("span", { class: "hint", title: "Drag in a plot to zoom, click to go there, double click for the whole run" }, "Time axis"),
      iconButton("plus", "Zoom in in time", () => range.zoom(2, clock.time)),
      iconButton("minus", "Zoom out in time", () => range.zoom(0.5)),
      el("button", { type: "button", class: "text-button", click: () => range.all() }, "Whole run"),
      el("button", { type: "button", class: "text-button", click: () => this.add(this.next())?.scrollIntoView({ block: "nearest" }) }, "Add plot"),
    );
    this.element = el("div", { class: "plots" }, bar, this.list);
    for (const id of this.defaults()) this.add(id);
    clock.onTime(() => this.moveCursor());
    clock.onState(() => this.moveCursor());
    range.onChange(() => {
      for (const card of this.cards) card.rangeChanged();
    });
    onTheme(() => {
      for (const card of this.cards) card.rebuild();
    });
  }

  // Another run takes the place of the present one. Plots of what it does not have are closed.
  replace(run: Run, arrays: Arrays) {
    const untouched = this.cards.map((card) => card.group).join("\n") === this.defaults().join("\n");
    [this.run, this.arrays] = [run, arrays];
    this.present = presentIn(run);
    // Another model has other plots that matter, unless the user has chosen some.
    const fresh = untouched && this.cards.map((card) => card.group).join("\n") !== this.defaults().join("\n");
    for (const card of [...this.cards])
      if (!fresh && this.present.includes(card.group)) card.replace(run, arrays, this.present);
      else this.remove(card);
    if (!this.cards.length) for (const id of this.defaults()) this.add(id);
  }

  // Other runs, drawn behind this one.
  setGhosts(ghosts: Ghost[]) {
    this.ghosts = ghosts;
    for (const card of this.cards) card.setGhosts(ghosts);
  }

  private remove(card: PlotCard) {
    this.cards.splice(this.cards.indexOf(card), 1);
    card.close();
  }

  private defaults(): string[] {
    const of = (group: string) => this.present.filter((id) => id.split("|")[0] === group);
    // Single balls of a pile say little. What matters is whether it settles and how well it was solved.
    const crowd = this.run.series.filter((s) => s.group === "position").length >= manyCoordinates && this.present.includes("found_count");
    if (crowd) return ["energy", "found_count", "penetration", "residual"].flatMap(of);
    const [force] = ["force_N", "found_N", "impulse_N"].filter((id) => this.present.includes(id));
    // Shows metres and radians, but not components of quaternions, which say little.
    const telling = this.run.series.some((s) => s.group === "position" && !s.unit && !/\.q[wxyz]$/.test(s.name));
    const positions = of("position").filter((id) => telling || !id.endsWith("|"));
    const wanted = [...positions, ...of("gap"), ...(force ? [force] : []), ...of("energy")];
    return wanted.length ? wanted : this.present.slice(0, 3);
  }

  private next(): string {
    const shown = this.cards.map((c) => c.group);
    return this.present.find((id) => !shown.includes(id)) ?? this.present[0];
  }

  private add(group: string): HTMLElement | undefined {
    if (!group) return undefined;
    const card = new PlotCard(this.run, this.arrays, this.clock, this.range, this.present, group, () => this.remove(card));
    card.setGhosts(this.ghosts);
    this.cards.push(card);
    this.list.append(card.element);
    card.rebuild();
    return card.element;
  }

  private moveCursor() {
    if (this.clock.playing) this.range.follow(this.clock.time);
    for (const card of this.cards) card.moveCursor();
  }
}
