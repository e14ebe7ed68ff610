// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The events in words, for users who search or cannot see the strip.
import type { Clock } from "./clock";
import { el } from "./dom";
import { type Lane, phaseNames } from "./events";
import { number, short, timeDigits } from "./format";

interface Row {
  time: number;
  contact: number;
  what: string;
  detail: string;
}
const most = 400;

// Events at the same instant are listed in the order of cause and effect.
const order = ["impact", "closing", "closed", "stick", "slip", "reversal", "opening"];

function rowsOf(lane: Lane, contact: number, clock: Clock, impulseUnit: string): Row[] {
  const rows: Row[] = [];
  const add = (time: number, what: string, detail = "") => rows.push({ time, contact, what, detail });
  const lasting = (i: number) => `for ${number(lane.to[i] - lane.from[i], 3)} s`;
  lane.impacts.forEach((time, i) => add(time, "impact", `${number(lane.sizes[i], 4)} ${impulseUnit}`));
  lane.marks.forEach(({ time, kind }) => {
    const phase = lane.from.findIndex((from, i) => from === time && phaseNames[lane.kind[i]] === kind);
    add(time, kind, phase >= 0 ? lasting(phase) : "");
  });
  // If the scheme located its events, these are all. Only a phase that lasts from the start is not one of them.
  lane.from.forEach((time, i) => {
    if (!lane.located || time <= clock.start) add(time, phaseNames[lane.kind[i]], lasting(i));
  });
  if (!lane.located)
    lane.to.forEach((time, i) => {
      if (lane.from[i + 1] !== time && time < clock.end) add(time, "opening");
    });
  return rows;
}

export function eventList(lanes: Lane[], clock: Clock, impulseUnit: string): HTMLElement {
  const rows = lanes.flatMap((lane, contact) => rowsOf(lane, contact, clock, impulseUnit));
  rows.sort((a, b) => a.time - b.time || order.indexOf(a.what) - order.indexOf(b.what));
  const body = el("tbody");
  const note = el("p", { class: "hint", role: "status" });
  const filter = el("select", { "aria-label": "Contact" }, el("option", { value: -1 }, "All contacts"));
  for (const [i, lane] of lanes.entries()) if (i < 500) filter.append(el("option", { value: i }, short(lane.name)));
  const kind = el("select", { "aria-label": "Kind of event" });
  const marks = lanes.flatMap((lane) => lane.marks.map((m) => m.kind));
  for (const name of new Set(["all events", "impact", "stick", "slip", "closed", "opening", ...marks])) kind.append(el("option", { value: name }, name));
  const fill = () => {
    const chosen = rows.filter((r) => (filter.value === "-1" || r.contact === Number(filter.value)) && (kind.selectedIndex === 0 || r.what === kind.value));
    const digits = timeDigits(clock.end - clock.start, 20000);
    body.replaceChildren(...chosen.slice(0, most).map((r) =>
      el("tr", {},
        el("td", {}, el("button", { type: "button", class: "link", click: () => clock.seek(r.time) }, `${r.time.toFixed(digits)} s`)),
        el("td", {}, short(lanes[r.contact].name)), el("td", {}, r.what), el("td", { class: "detail" }, r.detail))));
    note.textContent = chosen.length > most ? `The first ${most} of ${chosen.length} events.` : `${chosen.length} events.`;
  };
  filter.addEventListener("change", fill);
  kind.addEventListener("change", fill);
  fill();
  const head = el("tr", {}, ...["Time", "Contact", "Event", ""].map((h) => el("th", { scope: "col" }, h)));
  return el("div", { class: "event-list" }, el("div", { class: "card-head" }, filter, kind), el("table", {}, el("thead", {}, head), body), note);
}
