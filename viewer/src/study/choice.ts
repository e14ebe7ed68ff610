// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Which plot suits a study, and the controls that change it.
import { el } from "../dom";
import { short } from "../format";
import type { Quantity, Study } from "./data";
import type { Kind, View } from "./plot";
import { mostCurves } from "./scatter";

const kindNames: Record<Kind, string> = {
  scatter: "Line or scatter", bifurcation: "Bifurcation diagram", heat: "Heat map", parallel: "Parallel coordinates", histogram: "Histogram",
};

// Values with a constant ratio, such as 1, 10, 100, are shown on a logarithmic axis.
export function geometric(q: Quantity | undefined): boolean {
  const levels = q?.levels ?? [];
  if (levels.length < 3 || !(levels[0] > 0) || levels[levels.length - 1] / levels[0] < 20) return false;
  const ratio = (levels[levels.length - 1] / levels[0]) ** (1 / (levels.length - 1));
  return levels.every((v, k) => k === 0 || Math.abs(v / levels[k - 1] / ratio - 1) < 1e-6);
}

const onGrid = (q: Quantity) => q.meaning.endsWith("grid");

export function defaultView(study: Study): View {
  const varied = study.parameters.filter((q) => q.varies);
  const first = study.measures[0]?.id ?? "";
  const view: View = { kind: "histogram", x: first || (study.series[0]?.id ?? varied[0]?.id ?? ""), y: first, color: "", logX: false, logY: false };
  const finest = [...varied].sort((a, b) => count(b) - count(a))[0];
  const asked = study.json.found.asked;
  const sought = study.parameters[study.json.parameters.findIndex((p) => p.kind === "uniform")];
  const measure = study.measures.find((m) => m.name === asked?.measure)?.id ?? first;
  if (asked?.kind === "threshold" && sought && measure) Object.assign(view, { kind: "scatter", x: sought.id, y: measure, color: varied.find((q) => q !== sought)?.id ?? "" });
  else if (asked?.kind === "quantile" && measure) Object.assign(view, { x: measure });
  else if (study.series.length && finest) Object.assign(view, { kind: "bifurcation", x: finest.id, y: study.series[0].id });
  else if (!first || !finest) return view;
  else if (varied.length === 1) Object.assign(view, { kind: "scatter", x: finest.id });
  else if (varied.length === 2) Object.assign(view, ofTwo(varied, finest, first));
  else Object.assign(view, { kind: "parallel", color: first });
  view.logX = view.kind !== "histogram" && geometric(study.quantity(view.x));
  view.logY = view.kind === "heat" && geometric(study.quantity(view.y));
  return view;
}

const count = (q: Quantity) => q.levels.length || Infinity;

// What lies on the axes after a plot that has no choice of both: parameters, and the measure that was shown.
function axesFor(study: Study, { kind, x }: View): Partial<View> {
  const [first, second] = study.parameters.filter((q) => q.varies);
  const measure = (study.measures.find((m) => m.id === x) ?? study.measures[0])?.id;
  if (!first || !measure) return {};
  if (kind === "scatter") return { x: first.id, y: measure, color: "" };
  if (kind === "heat") return { x: first.id, y: second?.id ?? "", color: measure };
  return kind === "histogram" ? { x: measure } : { x: first.id };
}

function ofTwo(varied: Quantity[], finest: Quantity, measure: string): Partial<View> {
  const other = varied.find((q) => q !== finest)!;
  if (!varied.every(onGrid)) return { kind: "scatter", x: varied[0].id, y: varied[1].id, color: measure };
  if (count(other) <= Math.min(3, mostCurves)) return { kind: "scatter", x: finest.id, y: measure, color: other.id };
  return { kind: "heat", x: varied[0].id, y: varied[1].id, color: measure };
}

// The controls above the plot.
export class Choice {
  readonly element: HTMLElement;
  private kind = el("select", { id: "kind", "aria-label": "Kind of plot" });
  private x = el("select", { id: "choose-x" });
  private y = el("select", { id: "choose-y" });
  private color = el("select", { id: "choose-color" });
  private logX = el("input", { type: "checkbox", id: "log-x" });
  private logY = el("input", { type: "checkbox", id: "log-y" });
  private labels: Record<string, HTMLElement> = {};

  constructor(
    private study: Study,
    readonly view: View,
    private changed: () => void,
  ) {
    const kinds = (Object.keys(kindNames) as Kind[]).filter((kind) => this.possible(kind));
    for (const kind of kinds) this.kind.append(el("option", { value: kind }, kindNames[kind]));
    const field = (name: string, text: string, control: HTMLElement) => (this.labels[name] = el("label", { class: "field" }, el("span", {}, text), control));
    this.element = el("div", { class: "choice" }, field("kind", "Plot", this.kind), field("x", "x", this.x), field("y", "y", this.y), field("color", "colour", this.color),
      (this.labels.logX = el("label", { class: "toggle" }, this.logX, "log x")), (this.labels.logY = el("label", { class: "toggle" }, this.logY, "log y")));
    this.kind.addEventListener("change", () => {
      const before = view.kind;
      view.kind = this.kind.value as Kind;
      if (before === "parallel" || before === "histogram") Object.assign(view, axesFor(study, view));
      this.settle();
      changed();
    });
    for (const [select, key] of [[this.x, "x"], [this.y, "y"], [this.color, "color"]] as const)
      select.addEventListener("change", () => {
        view[key] = select.value;
        if (key !== "color") view[key === "x" ? "logX" : "logY"] = geometric(study.quantity(select.value));
        this.settle();
        changed();
      });
    for (const [box, key] of [[this.logX, "logX"], [this.logY, "logY"]] as const)
      box.addEventListener("change", () => {
        view[key] = box.checked;
        this.changed();
      });
    this.settle();
  }

  private possible(kind: Kind): boolean {
    const { study } = this;
    const varied = study.parameters.filter((q) => q.varies).length;
    if (kind === "bifurcation") return study.series.length > 0 && varied > 0;
    if (kind === "heat") return study.quantities.length > 2 && varied > 0;
    if (kind === "scatter") return study.quantities.length > 1;
    if (kind === "parallel") return study.quantities.length > 1;
    return true;
  }

  // Makes the view possible and shows it in the controls.
  private settle() {
    const { study, view } = this;
    const all = study.quantities.map((q) => [q.id, q.name] as const);
    const series = study.series.map((s) => [s.id, s.name] as const);
    const varied = study.parameters.filter((q) => q.varies);
    const lists = { x: all, y: all, color: [["", "none"] as const, ...all] };
    if (view.kind === "bifurcation") lists.y = series;
    if (view.kind === "histogram") lists.x = [...series, ...all];
    if (view.kind === "heat") {
      lists.color = all;
      if (!study.quantity(view.color)) view.color = study.measures[0]?.id ?? all[0][0];
      if (view.x === view.y || !study.quantity(view.y)) view.y = (varied.find((q) => q.id !== view.x) ?? study.quantities.find((q) => q.id !== view.x)!).id;
    }
    const fits = (list: (readonly [string, string])[], id: string) => list.some(([one]) => one === id);
    if (!fits(lists.x, view.x)) view.x = varied[0]?.id ?? lists.x[0][0];
    if (!fits(lists.y, view.y)) view.y = (view.kind === "scatter" ? study.measures[0]?.id : undefined) ?? lists.y[0]?.[0] ?? "";
    if (!fits(lists.color, view.color)) view.color = lists.color[0][0];
    this.kind.value = view.kind;
    fill(this.x, lists.x, view.x);
    fill(this.y, lists.y, view.y);
    fill(this.color, lists.color, view.color);
    this.labels.x.hidden = view.kind === "parallel";
    this.labels.y.hidden = view.kind === "parallel" || view.kind === "histogram";
    this.labels.color.hidden = view.kind === "histogram";
    const positive = (id: string) => (study.quantity(id)?.span[0] ?? 0) > 0;
    this.log(this.logX, "logX", view.kind !== "histogram" && view.kind !== "parallel" && positive(view.x));
    this.log(this.logY, "logY", view.kind !== "histogram" && view.kind !== "parallel" && positive(view.y));
  }

  private log(box: HTMLInputElement, key: "logX" | "logY", possible: boolean) {
    if (!possible) this.view[key] = false;
    box.checked = this.view[key];
    this.labels[key].hidden = !possible;
  }
}

function fill(select: HTMLSelectElement, list: readonly (readonly [string, string])[], value: string) {
  select.replaceChildren(...list.map(([id, name]) => el("option", { value: id, title: short(name, 200) }, short(name, 40))));
  select.value = value;
}
