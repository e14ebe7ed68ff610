// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The panel beside the picture. A tab is built when it is first shown.
import { el } from "./dom";

export class Tabs {
  readonly element: HTMLElement;
  private tabs: HTMLButtonElement[];
  private panels: HTMLElement[];

  constructor(private content: [string, () => HTMLElement][]) {
    this.tabs = content.map(([name], i) =>
      el("button", { type: "button", role: "tab", id: `tab-${i}`, "aria-controls": `panel-${i}`, click: () => this.select(i) }, name));
    this.panels = content.map((_, i) =>
      el("div", { role: "tabpanel", id: `panel-${i}`, "aria-labelledby": `tab-${i}`, class: "panel", hidden: true, tabindex: -1 }));
    const bar = el("div", { role: "tablist", class: "tabs", "aria-label": "Views of the run" }, ...this.tabs);
    bar.addEventListener("keydown", (e) => {
      const move = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
      if (!move) return;
      e.preventDefault();
      const i = this.tabs.indexOf(document.activeElement as HTMLButtonElement);
      this.select((i + move + this.tabs.length) % this.tabs.length);
    });
    this.element = el("aside", { class: "side" }, bar, ...this.panels);
  }

  select(index: number, focus = true) {
    for (const [i, tab] of this.tabs.entries()) {
      tab.setAttribute("aria-selected", String(i === index));
      tab.tabIndex = i === index ? 0 : -1;
      this.panels[i].hidden = i !== index;
    }
    const panel = this.panels[index];
    if (!panel.firstChild) panel.append(this.content[index][1]());
    if (focus) this.tabs[index].focus({ preventScroll: true });
  }
}
