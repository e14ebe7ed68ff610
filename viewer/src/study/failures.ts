// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The runs that failed, with their messages. Runs with the same message share a row.
import { el } from "../dom";
import { count, short } from "../format";
import type { Study } from "./data";
import type { Filter } from "./filter";
import { plural } from "./plot";

const mostRows = 100;

export function failures(study: Study, filter: Filter, reveal: () => void): HTMLElement | null {
  const { failed, refused, missing, interrupted } = study.json.counts;
  if (failed + refused + missing + interrupted === 0) return null;
  const groups = new Map<string, number[]>();
  for (const [run, text] of study.messages) {
    const runs = groups.get(text);
    if (runs) runs.push(run);
    else groups.set(text, [run]);
  }
  const rows = [...groups].sort((a, b) => b[1].length - a[1].length);
  const link = (run: number) => {
    const index = study.index(run);
    if (index < 0) return String(run);
    return el("button", { type: "button", class: "link", click: () => (filter.select(index), reveal()) }, String(run));
  };
  const body = rows.slice(0, mostRows).map(([text, runs]) =>
    el("tr", {}, el("td", {}, count(runs.length)), el("td", {}, ...runs.slice(0, 5).flatMap((run, k) => (k ? [", ", link(run)] : [link(run)])), runs.length > 5 ? " …" : ""), el("td", {}, short(text, 500))));
  const facts = [failed && `${plural(failed, "run")} failed on the way`, refused && `${plural(refused, "run")} refused, because the model or the settings are wrong for these parameters`,
    missing + interrupted && `${plural(missing + interrupted, "run")} not carried out`].filter(Boolean).join("; ");
  const rest = [rows.length > mostRows && `The ${mostRows} most frequent of ${count(rows.length)} messages are listed.`,
    study.json.messages.all > study.messages.size && `The page holds ${count(study.messages.size)} of ${count(study.json.messages.all)} messages; study.csv holds all of them.`].filter(Boolean).join(" ");
  return el("section", { class: "failures", id: "failures", "aria-label": "Runs without a result" }, el("h2", {}, "Runs without a result"), el("p", {}, `${facts}.`),
    body.length ? el("div", { class: "table-box", tabindex: 0 }, el("table", {}, el("thead", {}, el("tr", {}, ...["number", "runs", "message"].map((h) => el("th", { scope: "col" }, h)))), el("tbody", {}, ...body))) : null,
    rest ? el("p", { class: "hint" }, rest) : null);
}
