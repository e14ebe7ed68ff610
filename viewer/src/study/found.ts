// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// What a search found: thresholds, a quantile, fitted parameters, or those of the smallest or largest measure.
import { el } from "../dom";
import { number, short } from "../format";
import type { Study } from "./data";

const mostRows = 500;

function table(caption: string, heads: string[], rows: (string | HTMLElement)[][]): HTMLElement {
  return el("div", { class: "table-box", tabindex: 0 },
    el("table", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, ...heads.map((h) => el("th", { scope: "col" }, short(h, 60))))),
      el("tbody", {}, ...rows.slice(0, mostRows).map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell)))))),
    rows.length > mostRows ? el("p", { class: "hint" }, `The first ${mostRows} of ${rows.length} rows.`) : null);
}

export function found(study: Study): HTMLElement | null {
  const { asked, thresholds, quantile, fit, optimum } = study.json.found;
  const parameters = study.json.parameters;
  if (thresholds) {
    const sought = parameters.find((p) => p.kind === "uniform")?.name ?? "value";
    const others = parameters.filter((p) => p.kind !== "uniform").map((p) => p.name);
    const rows = thresholds.map((t) => [...t.others.map((v) => number(v)),
      ...(t.trouble ? ["–", short(t.trouble, 300)] : [number((t.low + t.high) / 2, 10), `± ${number((t.high - t.low) / 2, 2)}`])]);
    return section("Thresholds", table(`${short(asked?.measure ?? "The measure", 60)} crosses ${number(asked?.level)} at these values of ${short(sought, 60)}`, [...others, sought, "uncertainty"], rows));
  }
  if (quantile && asked) {
    const percent = number(100 * (asked.quantile ?? 0.5), 4);
    return section("Quantile", el("p", { class: "result" }, el("strong", {}, `The ${percent} % quantile of ${short(asked.measure ?? "", 60)} is ${number(quantile.value, 8)}.`),
      ` It lies between ${number(quantile.low, 8)} and ${number(quantile.high, 8)} with a confidence of ${number(100 * (asked.confidence ?? 0.95), 4)} %, from ${quantile.samples} samples.`),
      quantile.reached ? null : el("p", { class: "alert" }, `It is not known within ${number(asked.within)}, as the study asks: the largest number of samples was reached.`));
  }
  if (fit) {
    const rows = fit.values.map((value, i) => [short(parameters[i]?.name ?? "", 60), number(value, 8), `± ${number(fit.half_width[i], 3)}`, number(fit.deviations[i], 3)]);
    return section("Fit", table(`Fitted to ${(asked?.targets ?? []).map((t) => short(t, 40)).join(", ")} (${asked?.numbers ?? 0} measured values, ${asked?.method ?? ""}); sum of squared residuals ${number(fit.chi2)}`,
      ["parameter", "value", "95 % confidence", "standard deviation"], rows),
      fit.trouble ? el("p", { class: "alert" }, short(fit.trouble, 600)) : null);
  }
  if (optimum) {
    const rows = optimum.values.map((value, i) => [short(parameters[i]?.name ?? "", 60), number(value, 10)]);
    const caption = `${asked?.largest ? "Largest" : "Smallest"} ${short(asked?.measure ?? "", 60)}: ${number(optimum.measured ?? NaN, 10)} (${optimum.method})`;
    return section("Optimum", table(caption, ["parameter", "value"], rows), optimum.trouble ? el("p", { class: "alert" }, short(optimum.trouble, 600)) : null);
  }
  return null;
}

function section(title: string, ...content: (HTMLElement | null)[]): HTMLElement {
  return el("section", { class: "found", "aria-label": title }, el("h2", {}, title), ...content);
}
