// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
import { Clock } from "./clock";
import { type Arrays, type Run, readRun } from "./data";
import { el, iconButton } from "./dom";
import { eventList } from "./event_list";
import { type Lane, Strip, eventTimes, lanesOf, stripLegend } from "./events";
import { count, number, short } from "./format";
import { Phase } from "./phase";
import { Plots } from "./plots";
import { Range } from "./range";
import { Stage } from "./stage/stage";
import { modelText, summary } from "./summary";
import { Tabs } from "./tabs";
import { startTheme, toggleTheme } from "./theme";
import { Transport, keys } from "./transport";

// Slow motion is used only for the strongest impacts. A run that rattles would otherwise never leave it.
function notable(lanes: Lane[]): Float64Array {
  const all = lanes.flatMap((lane) => Array.from(lane.impacts, (time, i) => ({ time, size: lane.sizes[i] })));
  all.sort((a, b) => b.size - a.size);
  return Float64Array.from(all.slice(0, 40), (e) => e.time).sort();
}

function verdict(run: Run): HTMLElement {
  if (run.status === "failed") return el("span", { class: "verdict bad" }, "✕ Failed");
  if (run.status === "interrupted") return el("span", { class: "verdict warn" }, "! Interrupted");
  if (run.unconverged.count > 0) return el("span", { class: "verdict bad" }, `! ${count(run.unconverged.count)} unconverged`);
  if (run.warnings.length) return el("span", { class: "verdict warn" }, `! ${run.warnings.length} ${run.warnings.length === 1 ? "warning" : "warnings"}`);
  return el("span", { class: "verdict good" }, "✓ Completed");
}

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
  const time = arrays.numbers(run.time);
  const [start, end] = [time[0] ?? 0, time[time.length - 1] ?? 1];
  const lanes = lanesOf(run, arrays);
  const clock = new Clock(start, end > start ? end : start + 1e-9, notable(lanes));
  const range = new Range(clock.start, clock.end, Math.max(4 * run.dt, 1e-9 * (clock.end - clock.start)));
  const stage = new Stage(run, arrays, clock);
  const transport = new Transport(clock, stage, range, stage.tracks.time.length ? stage.tracks.time : time, eventTimes(lanes));
  const unit = run.series.find((s) => s.group === "impulse_N")?.unit ?? "N s";
  const help = helpDialog();
  const tabs = new Tabs([
    ["Plots", () => new Plots(run, arrays, clock, range).element],
    ["Portraits", () => new Phase(run, arrays, clock).element],
    ["Events", () => eventList(lanes, clock, unit)],
    ["Summary", () => summary(run, arrays, clock)],
    ["Model", () => modelText(run)],
  ]);
  stage.element.append(transport.stageBar());
  document.body.append(
    header(run, help),
    el("main", {}, stage.element, tabs.element,
      el("section", { class: "timeline", "aria-label": "Timeline" }, transport.element, new Strip(lanes, clock, range).element, lanes.length ? stripLegend() : null)),
    help,
  );
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
