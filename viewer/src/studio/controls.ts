// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// A slider for every parameter, the scheme and the step. Each change is a change of the model file.
import { el } from "../dom";
import { short } from "../format";
import { type Edit, type Parameter, parameters, setIn, setParameter, valueText } from "./model_text";

// From a tenth of the value to three times the value, or the range that the file gives. Zero may become anything up to one.
export function rangeOf({ value, from, to }: Parameter): [number, number] {
  const low = from ?? (value > 0 ? 0 : value < 0 ? 3 * value : -1);
  const high = to ?? (value > 0 ? 3 * value : value < 0 ? 0 : 1);
  return [Math.min(low, value), Math.max(high, value)];
}

// As short as possible, with at most six digits.
function written(value: number): string {
  const short = Number(value.toPrecision(6));
  return short !== 0 && Math.abs(short) < 1e-3 ? short.toExponential() : String(short);
}

interface Row {
  element: HTMLElement;
  slider: HTMLInputElement;
  box: HTMLInputElement;
  range: [number, number];
  given: string;
}

export class Controls {
  readonly element: HTMLElement;
  private rows = new Map<string, Row>();
  private list = el("div", { class: "sliders" });
  private none = el("p", { class: "hint" }, "The model has no parameters that are numbers.");
  private scheme = el("select", { id: "scheme" });
  private dt = el("input", { type: "text", id: "dt", inputmode: "decimal" });
  private end = el("input", { type: "text", id: "end", inputmode: "decimal" });
  private held = "";

  constructor(
    private text: () => string,
    private edit: (edit: Edit | null) => void,
  ) {
    const settings = el("div", { class: "settings" },
      el("label", { for: "scheme" }, "Scheme"), this.scheme,
      el("label", { for: "dt" }, "Step [s]"), this.dt,
      el("label", { for: "end" }, "End [s]"), this.end);
    this.scheme.addEventListener("change", () => this.set("scheme", this.scheme.value));
    for (const [key, box] of [["dt", this.dt], ["end", this.end]] as const)
      box.addEventListener("change", () => this.set(key, box.value.trim()));
    this.element = el("section", { class: "controls", "aria-label": "Parameters" }, settings, this.none, this.list);
  }

  setSchemes(names: { name: string; about: string }[]) {
    this.scheme.replaceChildren(...names.map(({ name, about }) => el("option", { value: name, title: about }, name)));
    this.refresh();
  }

  private set(key: string, value: string) {
    if (value) this.edit(setIn(this.text(), "run", key, value));
  }

  // Another model comes. Its sliders begin with ranges of their own, also if the names are the same.
  forget() {
    this.rows.clear();
    this.list.replaceChildren();
  }

  // Shows what the text says. A slider that is being moved keeps its range.
  refresh() {
    const text = this.text();
    const present = parameters(text);
    const names = present.map((p) => p.name);
    for (const [name, row] of this.rows)
      if (!names.includes(name)) {
        row.element.remove();
        this.rows.delete(name);
      }
    for (const [i, parameter] of present.entries()) {
      const row = this.rows.get(parameter.name) ?? this.add(parameter);
      if (this.list.children[i] !== row.element) this.list.insertBefore(row.element, this.list.children[i] ?? null);
      this.show(row, parameter);
    }
    this.none.hidden = present.length > 0;
    const scheme = valueText(text, ["run", "scheme"]) || "moreau-midpoint";
    if (this.scheme.value !== scheme) this.scheme.value = scheme;
    for (const [key, box] of [["dt", this.dt], ["end", this.end]] as const)
      if (document.activeElement !== box) box.value = valueText(text, ["run", key]);
  }

  private show(row: Row, parameter: Parameter) {
    const { value, name } = parameter;
    const given = `${parameter.from ?? ""} ${parameter.to ?? ""}`;
    const outside = value < row.range[0] || value > row.range[1];
    if (this.held !== name && (outside || given !== row.given)) this.setRange(row, parameter);
    if (Number(row.slider.value) !== value) row.slider.value = String(value);
    if (document.activeElement !== row.box) row.box.value = written(value);
  }

  private setRange(row: Row, parameter: Parameter) {
    row.range = rangeOf(parameter);
    row.given = `${parameter.from ?? ""} ${parameter.to ?? ""}`;
    const [low, high] = row.range;
    row.slider.min = String(low);
    row.slider.max = String(high);
    row.slider.step = "any";
    row.slider.title = `from ${written(low)} to ${written(high)}`;
  }

  private add(parameter: Parameter): Row {
    const { name } = parameter;
    const id = `parameter-${name}`;
    const slider = el("input", { type: "range", id, "data-parameter": name });
    const box = el("input", { type: "text", inputmode: "decimal", "aria-label": `Value of ${short(name)}` });
    const label = el("label", { for: id, title: name }, short(name, 16));
    const row: Row = { element: el("div", { class: "slider" }, label, slider, box), slider, box, range: [0, 0], given: "?" };
    slider.addEventListener("pointerdown", () => (this.held = name));
    slider.addEventListener("pointerup", () => (this.held = ""));
    slider.addEventListener("input", () => this.move(name, this.rounded(row)));
    // An even step with the keyboard, a hundredth of the range.
    slider.addEventListener("keydown", (e) => {
      const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[e.key];
      if (!direction) return;
      e.preventDefault();
      const [low, high] = row.range;
      slider.value = String(Math.min(high, Math.max(low, Number(slider.value) + (direction * (high - low)) / 100)));
      this.move(name, this.rounded(row));
    });
    box.addEventListener("change", () => {
      const value = Number(box.value);
      if (box.value.trim() && Number.isFinite(value)) this.move(name, value);
      else this.refresh();
    });
    this.setRange(row, parameter);
    slider.value = String(parameter.value);
    this.rows.set(name, row);
    return row;
  }

  // Three digits more than the range needs are more than a hand can choose.
  private rounded({ slider, range }: Row): number {
    const unit = 10 ** (Math.floor(Math.log10(range[1] - range[0] || 1)) - 3);
    return Number((Math.round(Number(slider.value) / unit) * unit).toPrecision(6));
  }

  private move(name: string, value: number) {
    this.edit(setParameter(this.text(), name, value));
  }
}
