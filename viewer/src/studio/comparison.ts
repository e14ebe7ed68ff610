// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Runs beside the present one: a pinned run in grey, a second scheme in a picture of its own, a sweep over a parameter.
import { el } from "../dom";
import { number, short } from "../format";
import type { Ghost } from "../plot_card";
import type { RunView } from "../run_view";
import { Stage } from "../stage/stage";
import { Tracks } from "../stage/tracks";
import { theme } from "../theme";
import { type Parameter, parameters } from "./model_text";
import type { Server, Shown, What } from "./server";

const mostValues = 12;

export class Comparison {
  readonly element: HTMLElement;
  readonly beside = el("div", { class: "beside", hidden: true });
  private pinned: Shown | null = null;
  private second: Shown | null = null;
  private secondStage?: Stage;
  private swept: (Shown & { value: number })[] = [];
  private label = el("p", { class: "hint" });
  private pin = el("button", { type: "button", class: "text-button", id: "pin", "aria-pressed": "false", click: () => this.togglePin() }, "Pin this run");
  private scheme = el("select", { id: "second-scheme" }, el("option", { value: "" }, "no second scheme"));
  private parameter = el("select", { id: "sweep-parameter", "aria-label": "Parameter of the sweep" });
  private from = el("input", { type: "text", "aria-label": "First value of the sweep" });
  private to = el("input", { type: "text", "aria-label": "Last value of the sweep" });
  private values = el("input", { type: "text", value: "5", "aria-label": "Number of values of the sweep" });
  private sweeping = 0; // counts sweeps; a new one ends the one before

  constructor(
    private server: Server,
    private text: () => string,
    private view: () => RunView | undefined,
  ) {
    const sweep = el("button", { type: "button", class: "text-button", id: "sweep", click: () => void this.sweep() }, "Sweep");
    const clear = el("button", { type: "button", class: "text-button", click: () => this.clearSweep() }, "Clear");
    this.parameter.addEventListener("change", () => this.suggest());
    this.scheme.addEventListener("change", () => void this.runSecond({ text: this.text() }));
    this.element = el("details", { class: "comparison" }, el("summary", {}, "Compare"),
      el("div", { class: "settings" }, this.pin, this.scheme),
      el("div", { class: "sweep" }, this.parameter, this.from, el("span", {}, "to"), this.to, el("span", {}, "in"), this.values, sweep, clear),
      this.label);
    this.scheme.setAttribute("aria-label", "Second scheme");
  }

  setSchemes(names: { name: string }[]) {
    this.scheme.append(...names.map(({ name }) => el("option", { value: name }, `beside: ${name}`)));
  }

  // The parameters of the text, after each change of it.
  refresh() {
    const names = parameters(this.text()).map((p) => p.name);
    if (names.join("\n") === [...this.parameter.options].map((o) => o.value).join("\n")) return;
    const chosen = this.parameter.value;
    this.parameter.replaceChildren(...names.map((name) => el("option", { value: name, selected: name === chosen }, short(name, 20))));
    this.suggest();
  }

  private chosen(): Parameter | undefined {
    return parameters(this.text()).find((p) => p.name === this.parameter.value);
  }
  private suggest() {
    const { value = 0, from, to } = this.chosen() ?? {};
    this.from.value = String(from ?? Number((0.5 * value).toPrecision(6)));
    this.to.value = String(to ?? Number((1.5 * value || 1).toPrecision(6)));
  }

  // Another model comes. What was pinned or swept belongs to the one before.
  forget() {
    this.setPin(null);
    this.clearSweep();
  }

  togglePin() {
    const view = this.view();
    if (view) this.setPin(this.pinned ? null : { run: view.run, arrays: view.arrays });
  }

  private setPin(pinned: Shown | null) {
    const view = this.view();
    if (!view) return;
    this.pinned = pinned;
    this.pin.textContent = this.pinned ? "Unpin" : "Pin this run";
    this.pin.setAttribute("aria-pressed", String(this.pinned !== null));
    view.stage.ghost = this.pinned && new Tracks(this.pinned.run.scene, this.pinned.arrays);
    this.show();
    view.clock.schedule();
  }

  // After each run: the same with the second scheme.
  async runSecond(what: What) {
    const scheme = this.scheme.value;
    const view = this.view();
    this.beside.hidden = !scheme;
    if (!scheme || !view) {
      this.second = null;
      return this.show();
    }
    const outcome = await this.server.run({ ...what, scheme }, "-second");
    if (outcome.kind === "cancelled" || this.scheme.value !== scheme) return;
    if (outcome.kind === "errors") {
      this.label.textContent = `${scheme}: ${outcome.errors[0].message}`;
      this.second = null;
      return this.show();
    }
    this.second = outcome.shown;
    const { run, arrays } = outcome.shown;
    if (this.secondStage) this.secondStage.replace(run, arrays);
    else {
      this.secondStage = new Stage(run, arrays, view.clock);
      this.secondStage.element.removeAttribute("id");
      this.beside.append(this.secondStage.element);
    }
    this.secondStage.element.dataset.title = run.scheme;
    this.show();
    view.clock.schedule();
  }

  private clearSweep() {
    ++this.sweeping;
    this.swept = [];
    this.label.textContent = "";
    this.show();
  }

  private async sweep() {
    const parameter = this.chosen();
    const [first, last, n] = [this.from, this.to, this.values].map((box) => Number(box.value));
    if (!parameter || !(n >= 2 && n <= mostValues) || !Number.isFinite(first + last)) {
      this.label.textContent = `A sweep goes from one number to another in 2 to ${mostValues} values.`;
      return;
    }
    const mine = ++this.sweeping;
    this.swept = [];
    for (let i = 0; i < Math.round(n); ++i) {
      const value = first + ((last - first) * i) / (Math.round(n) - 1);
      const outcome = await this.server.run({ text: this.text(), set: { [parameter.name]: value } }, "-sweep");
      if (mine !== this.sweeping || outcome.kind === "cancelled") return;
      if (outcome.kind === "errors") {
        this.label.textContent = `${parameter.name} = ${number(value)}: ${outcome.errors[0].message}`;
        return;
      }
      this.swept.push({ ...outcome.shown, value });
      this.show();
      this.showValues(parameter.name);
    }
  }

  // From the accent to the colour of forces, so that neighbours are similar.
  private colour(i: number): string {
    const share = Math.round((100 * i) / Math.max(1, this.swept.length - 1));
    return mixed(theme().accent, theme().force, share / 100);
  }
  private showValues(name: string) {
    const entries = this.swept.map(({ value }, i) => {
      const entry = el("span", { class: "swept" }, `${number(value, 4)} `);
      entry.style.setProperty("--swept", this.colour(i));
      return entry;
    });
    this.label.replaceChildren(`${short(name)}: `, ...entries);
  }

  private show() {
    const ghosts: Ghost[] = this.swept.map(({ run, arrays }, i) => ({ run, arrays, color: this.colour(i), dash: [] }));
    if (this.pinned) ghosts.unshift({ ...this.pinned, color: "", dash: [] });
    if (this.second) ghosts.push({ ...this.second, color: theme().force, dash: [6, 3] });
    this.view()?.plotsOf().setGhosts(ghosts);
  }
}

function mixed(a: string, b: string, share: number): string {
  const parts = (hex: string) => [1, 3, 5].map((k) => parseInt(hex.trim().slice(k, k + 2), 16));
  const [x, y] = [parts(a), parts(b)];
  return `#${x.map((v, k) => Math.round(v + share * (y[k] - v)).toString(16).padStart(2, "0")).join("")}`;
}
