// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The page of the selected run, if `tappet view` serves the study: the program then carries out the run again.
import { el } from "../dom";
import type { Study } from "./data";
import type { Filter } from "./filter";

const patience = 200; // ms: whoever moves through the plot with the arrow keys does not mean every run on the way

export function runPage(study: Study, filter: Filter): HTMLElement | null {
  const address = document.querySelector<HTMLMetaElement>('meta[name="tappet-runs"]')?.content;
  if (!address) return null;
  const heading = el("h2", {});
  const link = el("a", { target: "_blank", rel: "noopener" }, "Open in a tab of its own");
  const frame = el("iframe", { title: "The motion of the selected run" });
  const section = el("section", { class: "run-page", hidden: "", "aria-label": "Motion of the selected run" }, el("div", { class: "card-head" }, heading, link), frame);
  let timer = 0;
  filter.onSelect(() => {
    const run = study.number(filter.selected);
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      section.hidden = false;
      heading.textContent = `Run ${run}, carried out again`;
      frame.src = link.href = `${address}${run}`;
    }, patience);
  });
  return section;
}
