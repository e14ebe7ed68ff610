// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The page of a study.
import { readPage } from "../data";
import { el, iconButton } from "../dom";
import { count, short } from "../format";
import { onTheme, startTheme, toggleTheme } from "../theme";
import { Choice, defaultView } from "./choice";
import { Study, type StudyJson } from "./data";
import { Distributions } from "./distributions";
import { failures } from "./failures";
import { Filter } from "./filter";
import { found } from "./found";
import { plural } from "./plot";
import { PlotArea } from "./plot_area";
import { ranges } from "./ranges";
import { RunCard } from "./run_card";
import { runPage } from "./run_page";

const keys: [string, string][] = [
  ["← → ↑ ↓", "select the run beside (plot focused)"],
  ["r", "enter the number of a run"],
  ["Esc", "show all runs again"],
  ["t", "light or dark"],
  ["?", "this list"],
];

function verdict({ json }: Study): HTMLElement {
  const { failed, refused, missing, interrupted } = json.counts;
  if (missing + interrupted > 0) return el("span", { class: "verdict warn" }, `! ${count(missing + interrupted)} not carried out`);
  if (failed + refused > 0) return el("a", { class: "verdict bad", href: "#failures" }, `! ${count(failed + refused)} failed`);
  return el("span", { class: "verdict good" }, "✓ Completed");
}

function header(study: Study, help: HTMLDialogElement): HTMLElement {
  const { json } = study;
  const facts = [short(json.settings.model, 80), json.settings.scheme && short(json.settings.scheme, 40), plural(json.counts.runs, "run"),
    plural(study.parameters.length, "parameter"), json.version && `Tappet ${short(json.version, 20)}`].filter(Boolean).join(" · ");
  return el("header", {}, el("div", { class: "heading" }, el("h1", { title: short(json.title || json.name, 300) }, short(json.title || json.name || "Study", 160)), el("p", {}, facts)),
    verdict(study), iconButton("sun", "Light or dark", toggleTheme, "t"), iconButton("help", "Keys", () => help.showModal(), "?"));
}

function helpDialog(): HTMLDialogElement {
  const dialog = el("dialog", { "aria-label": "Keys" }, el("h2", {}, "Keys"),
    el("dl", {}, ...keys.flatMap(([key, what]) => [el("dt", {}, ...key.split(" ").map((k) => el("kbd", {}, k))), el("dd", {}, what)])),
    el("form", { method: "dialog" }, el("button", { class: "text-button" }, "Close")));
  dialog.addEventListener("click", (e) => e.target === dialog && dialog.close());
  return dialog;
}

function listenKeys(filter: Filter, help: HTMLDialogElement) {
  window.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || help.open || (e.target as HTMLElement).closest("input, select")) return;
    const actions: Record<string, () => void> = {
      "?": () => help.showModal(),
      t: toggleTheme,
      r: () => (document.getElementById("run-number") as HTMLInputElement | null)?.select(),
      Escape: () => filter.clear(),
    };
    if (!actions[e.key]) return;
    actions[e.key]();
    e.preventDefault();
  });
}

function sampleNote({ json }: Study): HTMLElement | null {
  const { runs, kept } = json.counts;
  if (kept === runs) return null;
  return el("p", { class: "alert note" }, `This page holds ${count(kept)} of ${count(runs)} runs, chosen at random; study.h5 and study.csv hold all of them.`);
}

function build(study: Study) {
  const filter = new Filter(study);
  const view = defaultView(study);
  const help = helpDialog();
  const area = new PlotArea(study, filter, view);
  let choice = new Choice(study, view, () => area.schedule());
  const bar = el("div", { class: "bar" }, choice.element, area.save);
  const card = new RunCard(study, filter);
  const showHistogram = (id: string) => {
    Object.assign(view, { kind: "histogram", x: id });
    const next = new Choice(study, view, () => area.schedule());
    choice.element.replaceWith(next.element);
    choice = next;
    area.schedule();
    area.element.scrollIntoView({ block: "nearest" });
  };
  document.body.append(
    header(study, help),
    el("main", { class: "study" },
      el("div", { class: "main-column" }, sampleNote(study), found(study),
        el("section", { class: "plot-card", "aria-label": "Plot" }, bar, ranges(study, filter), area.element),
        runPage(study, filter),
        new Distributions(study, filter, showHistogram).element,
        failures(study, filter, () => card.element.scrollIntoView({ block: "nearest" })),
        el("section", { class: "source-text" }, el("details", {}, el("summary", {}, "The file of the study"), el("pre", { tabindex: 0 }, study.json.study_text)))),
      el("aside", { class: "side-column" }, card.element)),
    help,
  );
  onTheme(() => area.schedule());
  area.draw();
  listenKeys(filter, help);
  return { study, filter, view, area };
}

async function main() {
  startTheme();
  try {
    const { json, arrays } = await readPage<StudyJson>("study");
    document.title = short(json.title || json.name || "Tappet study", 120);
    (window as unknown as { tappet: unknown }).tappet = build(new Study(json, arrays));
    document.documentElement.dataset.ready = "";
  } catch (error) {
    document.body.append(el("p", { class: "broken", role: "alert" }, error instanceof Error ? error.message : String(error)));
    throw error;
  }
}

void main();
