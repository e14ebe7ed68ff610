// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
import type { Clock } from "./clock";
import type { Arrays, Run } from "./data";
import { type Child, el } from "./dom";
import { count, number, short, withUnit } from "./format";

export function summary(run: Run, arrays: Arrays, clock: Clock): HTMLElement {
  const s = run.summary;
  const goTo = (t: number | undefined) =>
    t === undefined ? "" : el("button", { type: "button", class: "link", click: () => clock.seek(t) }, `at ${number(t)} s`);
  const facts: [string, ...Child[]][] = [
    ["Scheme", run.scheme],
    ["Step", withUnit(run.dt, "s")],
    ["End", withUnit(run.end, "s")],
    ["Steps", count(run.steps)],
    ["Cost", `${number(s.wall_s, 3)} s, ${number(s.us_per_step, 3)} µs per step`],
    ["Impulsive steps", count(s.impulsive_steps)],
    ["Iterations", s.iterations ? `${number(s.iterations.mean, 3)} mean, ${count(s.iterations.max)} most` : "–"],
    ["Largest residual", number(s.residual?.max, 3)],
  ];
  const reduction = s.contact_reduction;
  if (reduction) facts.push(["Contacts found", `${count(reduction.found.max)} most, ${number(reduction.found.mean, 3)} mean`],
    ["Contacts kept", `${count(reduction.kept.max)} most, ${number(reduction.kept.mean, 3)} mean${reduction.on ? "" : ", not reduced"}`]);
  const quality: [string, ...Child[]][] = [];
  if (s.violation)
    quality.push(["Largest penetration", withUnit(s.violation.max, "m", 4), s.violation.max ? ` ${short(s.violation.contact)} ` : "", s.violation.max ? goTo(s.violation.time) : null]);
  if (s.joint_violation && s.joint_violation.joint)
    quality.push(["Largest joint violation", number(s.joint_violation.max, 4), ` ${short(s.joint_violation.joint)} `, goTo(s.joint_violation.time)]);
  quality.push(...energyFacts(run));
  return el("div", { class: "summary" }, alerts(run, arrays, clock), section("Run", list(facts)), section("Accuracy", list(quality)),
    run.parameters.length ? section("Parameters", parameters(run)) : null,
    run.options.length ? section("Options", list(run.options.map((o) => [short(o.name, 60), short(o.value, 200)]))) : null,
    el("p", { class: "hint" }, [run.version && `Tappet ${run.version}`, run.created].filter(Boolean).join(", ")));
}

function energyFacts(run: Run): [string, ...Child[]][] {
  const e = run.summary.energy;
  if (!e) return [];
  const change = e.total - e.initial;
  const relative = e.initial !== 0 ? ` (${number((100 * change) / Math.abs(e.initial), 3)} %)` : "";
  return [
    ["Energy at the start", withUnit(e.initial, "J")],
    ["Energy at the end", withUnit(e.total, "J")],
    ["Change", `${withUnit(change, "J", 4)}${relative}`],
  ];
}

function alerts(run: Run, arrays: Arrays, clock: Clock): HTMLElement {
  const box = el("div", { class: "alerts" });
  if (run.status === "failed") box.append(el("p", { class: "alert bad", role: "alert" }, el("strong", {}, "The run failed. "), short(run.message, 600)));
  if (run.unconverged.count > 0) {
    const times = arrays.numbers(run.unconverged.times);
    const links = Array.from(times.slice(0, 12), (t) =>
      el("button", { type: "button", class: "link", click: () => clock.seek(t) }, `${number(t)} s`));
    box.append(el("p", { class: "alert bad" }, el("strong", {}, `${count(run.unconverged.count)} unconverged ${run.unconverged.count === 1 ? "step" : "steps"}. `),
      links.length ? "At " : "", ...links.flatMap((l, i) => (i ? [", ", l] : [l])), times.length > links.length ? " …" : ""));
  }
  for (const warning of run.warnings.slice(0, 50)) box.append(el("p", { class: "alert" }, el("strong", {}, "Warning. "), short(warning, 600)));
  if (run.sampling.note) box.append(el("p", { class: "alert note" }, run.sampling.note));
  return box;
}

function section(title: string, ...content: Child[]): HTMLElement {
  return el("section", {}, el("h2", {}, title), ...content);
}

function list(rows: [string, ...Child[]][]): HTMLElement {
  return el("dl", {}, ...rows.flatMap(([name, ...values]) => [el("dt", {}, name), el("dd", {}, ...values)]));
}

function parameters(run: Run): HTMLElement {
  const rows = run.parameters.slice(0, 300).map((p) =>
    el("tr", {}, el("th", { scope: "row", title: short(p.name, 200) }, short(p.name)), el("td", {}, number(p.value)), el("td", { class: "detail" }, short(p.formula ?? "", 80))));
  return el("table", { class: "parameters" }, el("tbody", {}, ...rows));
}

export function modelText(run: Run): HTMLElement {
  const copy = el("button", { type: "button", class: "text-button" }, "Copy");
  copy.addEventListener("click", () => {
    navigator.clipboard?.writeText(run.model_text).then(() => (copy.textContent = "Copied"), () => (copy.textContent = "Select and copy"));
  });
  return el("div", { class: "model-text" }, el("div", { class: "card-head" }, el("span", { class: "hint" }, "The model file of this run"), copy), el("pre", { tabindex: 0 }, run.model_text));
}
