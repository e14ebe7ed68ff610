// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The ranges within which runs are shown, as numbers: what dragging along an axis does, for the keyboard and exactly.
import { el } from "../dom";
import { count, short } from "../format";
import type { Study } from "./data";
import type { Filter } from "./filter";
import { parallelAxes } from "./parallel";

export function ranges(study: Study, filter: Filter): HTMLElement {
  const list = parallelAxes({ study });
  const state = el("output", { id: "shown-runs" });
  const clear = el("button", { type: "button", class: "text-button", click: () => filter.clear() }, "Show all runs");
  const inputs = list.map((q) => {
    const input = (end: number, word: string) => {
      const box = el("input", { type: "number", step: "any", placeholder: String(Number(q.span[end].toPrecision(4))), "aria-label": `${short(q.name, 60)} ${word}` });
      box.addEventListener("change", () => change());
      return box;
    };
    const [low, high] = [input(0, "from"), input(1, "to")];
    const change = () => {
      const value = (box: HTMLInputElement, otherwise: number) => (box.value === "" ? otherwise : Number(box.value));
      filter.set(q.id, low.value === "" && high.value === "" ? null : [value(low, -Infinity), value(high, Infinity)]);
    };
    return { q, low, high };
  });
  const rows = inputs.map(({ q, low, high }) => el("div", { class: "range" }, el("span", { title: short(q.name, 200) }, short(q.name, 40)), low, "to", high));
  const show = () => {
    const all = filter.count === study.size;
    state.textContent = all ? "all runs" : `${count(filter.count)} of ${count(study.size)} runs`;
    clear.hidden = filter.ranges.size === 0;
    for (const { q, low, high } of inputs) {
      const range = filter.ranges.get(q.id);
      const text = (v: number | undefined) => (v === undefined || !Number.isFinite(v) ? "" : String(Number(v.toPrecision(9))));
      if (document.activeElement !== low) low.value = text(range?.[0]);
      if (document.activeElement !== high) high.value = text(range?.[1]);
    }
  };
  filter.onChange(show);
  show();
  return el("details", { class: "ranges" }, el("summary", {}, "Shown: ", state), el("div", { class: "range-list" }, ...rows), clear);
}
