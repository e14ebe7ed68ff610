// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
import type { Clock } from "./clock";
import { type Arrays, type Run, readRun } from "./data";
import { el, iconButton } from "./dom";
import { eventList } from "./event_list";
import { count, number, short } from "./format";
import { Phase } from "./phase";
import { RunView, verdict } from "./run_view";
import { modelText, summary } from "./summary";
import { Tabs } from "./tabs";
import { startTheme, toggleTheme } from "./theme";
import { type Transport, keys } from "./transport";

function header(run: Run, help: HTMLDialogElement): HTMLElement {
  const facts = [short(run.scheme, 40), `step ${number(run.dt, 4)} s`, `${count(run.steps)} steps`].join(" · ");
  return el(
    "header",
    {},
    el("div", { class: "heading" },
      el("h1", { title: short(run.title || run.model, 300) }, short(run.title || run.model || "Run", 160)),
      el("p", {}, run.source ? el("span", { class: "source" }, short(run.source, 120)) : null, el("span", { class: "facts" }, facts))),
    verdict(run),
    iconButton("sun", "Light or dark", toggleTheme, "t"),
    iconButton("help", "Keys", () => help.showModal(), "?"),
  );
}

function helpDialog(): HTMLDialogElement {
  const dialog = el("dialog", { "aria-label": "Keys" }, el("h2", {}, "Keys"),
    el("dl", {}, ...keys.flatMap(([key, what]) => [el("dt", {}, ...key.split(" ").map((k) => (k === "…" ? k : el("kbd", {}, k)))), el("dd", {}, what)])),
    el("form", { method: "dialog" }, el("button", { class: "text-button" }, "Close")));
  dialog.addEventListener("click", (e) => e.target === dialog && dialog.close());
  return dialog;
}

function listenKeys(transport: Transport, tabs: Tabs, help: HTMLDialogElement) {
  window.addEventListener("keydown", (e) => {
    const target = e.target as HTMLElement;
    if (e.ctrlKey || e.metaKey || e.altKey || help.open) return;
    // Lists, tabs and text keep the keys that move within them. Buttons and boxes keep Space.
    if (target.closest("select, pre, [role=tab]") && /^(Arrow|Home|End|Page)/.test(e.key)) return;
    if (e.key === " " && target.closest("button:not([role=tab]), input[type=checkbox], summary, select")) return;
    if (e.key === "?") help.showModal();
    else if (/^[1-5]$/.test(e.key)) tabs.select(Number(e.key) - 1, false);
    else if (!transport.key(e)) return;
    e.preventDefault();
  });
}

function build(run: Run, arrays: Arrays) {
  const view = new RunView(run, arrays);
  const { clock, lanes, transport } = view;
  const unit = run.series.find((s) => s.group === "impulse_N")?.unit ?? "N s";
  const help = helpDialog();
  const tabs = new Tabs([
    ["Plots", () => view.plotsOf().element],
    ["Portraits", () => new Phase(run, arrays, clock).element],
    ["Events", () => eventList(lanes, clock, unit)],
    ["Summary", () => summary(run, arrays, clock)],
    ["Model", () => modelText(run)],
  ]);
  document.body.append(header(run, help), el("main", {}, view.stage.element, tabs.element, view.timeline), help);
  tabs.select(0, false);
  listenKeys(transport, tabs, help);
  clock.schedule();
  return clock;
}

// #picture=T shows only the mechanism at time T, for thumbnails. #t=T opens the page at that time.
function fromAddress(clock: Clock) {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const time = wanted.get("picture") ?? wanted.get("t");
  if (wanted.has("picture")) document.documentElement.dataset.picture = "";
  if (time && Number.isFinite(Number(time))) clock.seek(Number(time));
}

async function main() {
  startTheme();
  try {
    const { run, arrays } = await readRun();
    document.title = short(run.title || run.model || "Tappet run", 120);
    const clock = build(run, arrays);
    fromAddress(clock);
    (window as unknown as { tappet: unknown }).tappet = { run, arrays, clock };
    document.documentElement.dataset.ready = "";
  } catch (error) {
    document.body.append(el("p", { class: "broken", role: "alert" }, error instanceof Error ? error.message : String(error)));
    throw error;
  }
}

void main();
