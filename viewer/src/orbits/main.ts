// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The page of branches of periodic orbits: the bifurcation diagram, and the motion of the orbit that was clicked.
import { type Arrays, type Run, readPage } from "../data";
import { el, iconButton } from "../dom";
import { number, short } from "../format";
import { RunView } from "../run_view";
import { onTheme, startTheme, toggleTheme } from "../theme";
import { Diagram } from "./diagram";

export interface Point {
  at: number; // the parameter
  period: number;
  stable: boolean;
  kind: string; // empty, or flip, fold, torus, grazing, end
  note: string;
  multipliers: [number, number][];
  slowest_impact: number | null;
  nearest_miss: number | null;
  events: string;
  q: number[];
  u: number[];
  run?: Run; // one period, if the page holds it
}
export interface Branches {
  format: number;
  title: string;
  source: string;
  parameter: string;
  q: string[];
  u: string[];
  branches: { returns: number; points: Point[] }[];
}

function multiplier([re, im]: [number, number]): string {
  return im === 0 ? number(re, 6) : `${number(re, 6)} ${im < 0 ? "−" : "+"} ${number(Math.abs(im), 6)} i`;
}

function facts(json: Branches, point: Point): HTMLElement {
  const rows: [string, string][] = [
    [json.parameter, number(point.at, 9)],
    ["orbit", `${point.stable ? "stable" : "unstable"}, period ${number(point.period, 7)} s`],
    ["multipliers", point.multipliers.map(multiplier).join(", ")],
    ["events", short(point.events || "none", 300)],
  ];
  if (point.kind) rows.splice(1, 0, ["point", point.note ? `${point.kind}: ${point.note}` : point.kind]);
  if (point.slowest_impact !== null) rows.push(["slowest impact", `${number(point.slowest_impact, 5)} m/s`]);
  if (point.nearest_miss !== null) rows.push(["nearest miss", `${number(point.nearest_miss, 5)} m`]);
  return el("dl", {}, ...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

function build(json: Branches, arrays: Arrays) {
  const shown = json.branches.flatMap((branch) => branch.points).filter((point) => point.run);
  if (!shown.length) throw new Error("this page holds no motion");
  const view = new RunView(shown[0].run as Run, arrays);
  const details = el("div", { "aria-live": "polite" });
  const select = (point: Point) => {
    details.replaceChildren(facts(json, point));
    view.replace(point.run as Run, arrays);
    view.clock.seek(view.clock.start);
    view.clock.toggle(true);
  };
  const diagram = new Diagram(json, select);
  // An orbit goes on for ever.
  view.clock.onState(() => {
    if (!view.clock.playing && view.clock.time >= view.clock.end) setTimeout(() => view.clock.toggle(true));
  });
  document.body.append(
    el("header", {}, el("div", { class: "heading" }, el("h1", {}, short(json.title || "Orbits", 160)),
      el("p", {}, `${json.source ? `${short(json.source, 120)} · ` : ""}orbits over ${json.parameter}: stable solid, unstable dashed`)),
      iconButton("sun", "Light or dark", toggleTheme, "t")),
    el("main", { class: "orbits" }, el("section", { class: "diagram", "aria-label": "Bifurcation diagram" }, diagram.element, details),
      view.stage.element, view.timeline),
  );
  onTheme(() => diagram.draw());
  diagram.draw();
  diagram.choose(shown[0]);
  return { json, view, diagram };
}

async function main() {
  startTheme();
  try {
    const { json, arrays } = await readPage<Branches>("branch");
    document.title = short(json.title || "Tappet orbits", 120);
    (window as unknown as { tappet: unknown }).tappet = build(json, arrays);
    document.documentElement.dataset.ready = "";
  } catch (error) {
    document.body.append(el("p", { class: "broken", role: "alert" }, error instanceof Error ? error.message : String(error)));
    throw error;
  }
}

void main();
