// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The selected run: its parameters, what was measured, and the commands that carry it out again.
import { el } from "../dom";
import { count, number, short } from "../format";
import { type Study, statusNames } from "./data";
import type { Filter } from "./filter";

// A word of a command as the shell reads it.
export function quoted(word: string): string {
  return /^[A-Za-z0-9_./=:,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function showCommand(study: Study, index: number): string {
  return `tappet study ${quoted(study.json.folder || ".")} --show ${study.number(index)}`;
}

// The same as StudyWorker does: `dt` and `end` are settings of the run, all others are parameters of the model. There is
// no such command if one of them is a formula, because the command line accepts numbers only.
export function runCommand(study: Study, index: number): string | null {
  const { settings } = study.json;
  const set = new Map(Object.entries(settings.set));
  let [dt, end] = [settings.dt, settings.end];
  for (const q of study.parameters) {
    const value = q.values[index];
    if (q.name === "dt") dt = String(value);
    else if (q.name === "end") end = String(value);
    else set.set(q.name, String(value));
  }
  if (!Number.isFinite(Number(dt)) || !Number.isFinite(Number(end))) return null;
  const words = ["tappet", "run", quoted(settings.model)];
  if (settings.scheme) words.push("--scheme", quoted(settings.scheme));
  if (dt) words.push("--dt", quoted(dt));
  if (end) words.push("--end", quoted(end));
  if (settings.record > 1) words.push("--record", String(settings.record));
  for (const [key, value] of settings.options) words.push("--option", quoted(`${key}=${value}`));
  for (const [key, value] of set) words.push("--set", quoted(`${key}=${value}`));
  return words.join(" ");
}

function copyable(command: string, label: string): HTMLElement {
  const copy = el("button", { type: "button", class: "text-button", "aria-label": `Copy the command: ${label}` }, "Copy");
  copy.addEventListener("click", () => {
    const done = () => (copy.textContent = "Copied");
    const failed = () => (copy.textContent = "Select and copy");
    if (navigator.clipboard) navigator.clipboard.writeText(command).then(done, failed);
    else failed();
  });
  return el("div", { class: "command" }, el("code", { tabindex: 0, "aria-label": label }, ...broken(command)), copy);
}

// Lines break before an option only.
function broken(command: string): (HTMLElement | string)[] {
  return command.split(/ (?=--)/).flatMap((part, k) => (k ? [" ", el("span", {}, part)] : [el("span", {}, part)]));
}

export class RunCard {
  readonly element: HTMLElement;
  private body = el("div", { class: "run-body", "aria-live": "polite" });
  private input: HTMLInputElement;

  constructor(
    private study: Study,
    private filter: Filter,
  ) {
    this.input = el("input", { type: "number", min: 0, max: study.json.counts.runs - 1, step: 1, id: "run-number", "aria-label": "Number of the run" });
    const missing = el("p", { class: "hint", role: "status" });
    this.input.addEventListener("change", () => {
      const index = study.index(Number(this.input.value));
      missing.textContent = index < 0 && this.input.value !== "" ? "This page does not hold that run." : "";
      filter.select(index);
    });
    this.element = el("section", { class: "run-card", "aria-label": "Selected run" }, el("div", { class: "card-head" }, el("h2", {}, "Run"), this.input), missing, this.body);
    filter.onSelect(() => this.show());
    this.show();
  }

  private show() {
    const { study } = this;
    const index = this.filter.selected;
    if (index < 0) {
      this.body.replaceChildren(el("p", { class: "hint" }, "Click a point of the plot, move through the plot with the arrow keys, or enter a number, to see a run."));
      return;
    }
    const run = study.number(index);
    this.input.value = String(run);
    const status = statusNames[study.status[index]] ?? "missing";
    const message = study.messages.get(run);
    const parameters = study.parameters.map((q) => [q.name, q.exact ? String(q.values[index]).replace("-", "−") : number(q.values[index], 8), ""]);
    const measures = [...study.measures, ...study.costs].map((q) => [q.name, number(q.values[index], 7), q.meaning]);
    for (const s of study.series) measures.push([s.name, `${count(s.first[index + 1] - s.first[index])} values`, s.meaning]);
    this.body.replaceChildren(
      el("p", { class: `verdict ${status === "done" ? "good" : study.failed(index) ? "bad" : "warn"}` }, `Run ${run}: ${status}`),
      message || study.failed(index) ? el("p", { class: "alert bad" }, short(message ?? "Its message is in study.csv.", 1000)) : "",
      list("Parameters", parameters), list("Measures", measures), this.again(index, run));
  }

  private again(index: number, run: number): HTMLElement {
    const exact = this.study.parameters.every((q) => q.exact);
    const command = runCommand(this.study, index);
    return el("div", { class: "again" }, el("h3", {}, "Carry it out again"), copyable(showCommand(this.study, index), "carry out this run again and write its page"),
      el("p", { class: "hint" }, "writes ", el("a", { href: `run-${run}/report.html`, target: "_blank", rel: "noopener" }, `run-${run}/report.html`), ` beside this page. ${command ? "As a run of its own:" : "Its step or its end is a formula of the parameters, which only this command can use."}`),
      command ? copyable(command, "the same as a run of its own") : null,
      exact || !command ? null : el("p", { class: "hint" }, "In this command random parameters have seven digits, because the study has very many runs. The first command uses all digits."));
  }
}

function list(title: string, rows: string[][]): HTMLElement {
  return el("div", {}, el("h3", {}, title),
    el("dl", {}, ...rows.flatMap(([name, value, meaning]) => [el("dt", { title: short(meaning ? `${name}: ${meaning}` : name, 300) }, short(name, 60)), el("dd", {}, value)])));
}
