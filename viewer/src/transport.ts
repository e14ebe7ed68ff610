// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Play, scrub, speed; what the picture shows; the keyboard.
import type { Clock } from "./clock";
import { type Numbers, indexAt } from "./data";
import { el, icon, iconButton } from "./dom";
import { number, timeDigits } from "./format";
import type { Range } from "./range";
import type { Stage } from "./stage/stage";
import { toggleTheme } from "./theme";

export const keys: [string, string][] = [
  ["Space", "play or pause"],
  ["← →", "one frame back or forward; with Shift a fiftieth of the run"],
  ["Home End", "first or last frame"],
  [", .", "previous or next event"],
  ["↑ ↓", "faster or slower"],
  ["+ −", "zoom the picture"],
  ["0", "whole mechanism in view"],
  ["Alt ← → ↑ ↓", "turn the view in space (picture focused)"],
  ["f p l", "force arrows, paths, labels"],
  ["c", "follow the moving parts"],
  ["s", "slow motion near impacts"],
  ["t", "light or dark"],
  ["1 … 5", "plots, portraits, events, summary, model"],
  ["?", "this list"],
];

export class Transport {
  readonly element: HTMLElement;
  private play: HTMLButtonElement;
  private slider: HTMLInputElement;
  private now = el("output", { class: "now", id: "now" });
  private speed = el("select", { "aria-label": "Speed", class: "speed" });
  private of = el("span", { class: "of" });
  private toggles = new Map<string, HTMLInputElement>();
  private digits = 0;

  constructor(
    private clock: Clock,
    private stage: Stage,
    private range: Range,
    private frames: Numbers,
    private events: Float64Array,
  ) {
    this.play = iconButton("play", "Play", () => clock.toggle(), "Space");
    this.play.classList.add("play");
    this.play.id = "play";
    this.slider = el("input", { type: "range", id: "scrub", "aria-label": "Time", min: clock.start, max: clock.end, step: "any", value: clock.start });
    this.slider.addEventListener("input", () => {
      clock.seek(Number(this.slider.value));
    });
    this.speed.addEventListener("change", () => {
      clock.speed = Number(this.speed.value);
      clock.changed();
    });
    this.element = el(
      "div",
      { class: "transport" },
      el("div", { class: "buttons" }, iconButton("back", "Previous event", () => this.toEvent(-1), ","), this.play, iconButton("forward", "Next event", () => this.toEvent(1), ".")),
      el("div", { class: "time" }, this.now, this.of),
      this.slider,
      el("label", { class: "speed-label", title: "Speed relative to real time" }, this.speed),
      this.toggle("slow", "Slow near impacts", clock.slow, (on) => (clock.slow = on), events.length > 0),
    );
    clock.onTime((t) => {
      this.now.textContent = t.toFixed(this.digits);
      this.slider.value = String(t);
      this.slider.style.setProperty("--done", `${(100 * (t - clock.start)) / (clock.end - clock.start || 1)}%`);
      this.slider.setAttribute("aria-valuetext", `${t.toFixed(this.digits)} seconds`);
    });
    clock.onState(() => this.state());
    this.showSpan();
    this.state();
  }

  private showSpan() {
    const { clock } = this;
    this.digits = timeDigits(clock.end - clock.start);
    this.of.textContent = ` / ${clock.end.toFixed(this.digits)} s`;
    this.slider.min = String(clock.start);
    this.slider.max = String(clock.end);
    if (clock.speeds.join() === [...this.speed.options].map((o) => o.value).join()) return;
    this.speed.replaceChildren(...clock.speeds.map((s) => el("option", { value: s }, `${number(s, 3)}×`)));
  }

  // Another run takes the place of the present one.
  replace(frames: Numbers, events: Float64Array) {
    [this.frames, this.events] = [frames, events];
    this.showSpan();
    this.state();
    this.present("slow", events.length > 0);
    for (const [id, there] of this.onStage()) this.present(id, there);
    const follow = this.toggles.get("follow");
    if (follow) follow.checked = this.stage.show.follow;
  }

  private present(id: string, there: boolean) {
    const label = this.toggles.get(id)?.parentElement;
    if (label) label.hidden = !there;
  }

  private onStage(): [keyof Stage["show"], boolean][] {
    const { tracks, view, travels } = this.stage;
    return [
      ["forces", tracks.forces.length > 0],
      ["paths", tracks.items.some((d) => d.item.kind === "path")],
      ["labels", view.name === "plane" && tracks.items.some((d) => d.item.label)],
      ["follow", travels],
    ];
  }

  // The switches of the picture, which lie over it.
  stageBar(): HTMLElement {
    const { show } = this.stage;
    const set = (key: keyof typeof show) => (on: boolean) => {
      show[key] = on;
      this.clock.schedule();
    };
    return el(
      "div",
      { class: "stage-bar" },
      ...this.onStage().map(([key, there]) => this.toggle(key, key[0].toUpperCase() + key.slice(1), show[key], set(key), there)),
      iconButton("minus", "Zoom out", () => this.stage.view.zoom(0.8), "−"),
      iconButton("plus", "Zoom in", () => this.stage.view.zoom(1.25), "+"),
      iconButton("fit", "Whole mechanism in view", () => this.stage.view.fit(), "0"),
    );
  }

  private toggle(id: string, label: string, on: boolean, action: (on: boolean) => void, present: boolean): HTMLElement {
    const box = el("input", { type: "checkbox", id: `toggle-${id}` });
    box.checked = on;
    box.addEventListener("change", () => action(box.checked));
    this.toggles.set(id, box);
    return el("label", { class: "toggle", hidden: !present }, box, label);
  }

  private state() {
    this.play.replaceChildren(icon(this.clock.playing ? "pause" : "play"));
    this.play.setAttribute("aria-label", this.clock.playing ? "Pause" : "Play");
    this.play.title = `${this.clock.playing ? "Pause" : "Play"} (Space)`;
    this.speed.value = String(this.clock.speed);
  }

  private toEvent(direction: number) {
    const { events, clock } = this;
    if (!events.length) return clock.seek(direction > 0 ? clock.end : clock.start);
    const margin = 1e-9 * (clock.end - clock.start);
    let i = indexAt(events, clock.time + direction * margin);
    if (direction > 0 && events[i] <= clock.time + margin) ++i;
    if (direction < 0 && events[i] >= clock.time - margin) --i;
    clock.seek(i < 0 ? clock.start : i >= events.length ? clock.end : events[i]);
  }

  private frame(by: number) {
    const i = indexAt(this.frames, this.clock.time * (1 + 1e-12));
    const exact = Math.abs(this.frames[i] - this.clock.time) < 1e-9 * (this.clock.end - this.clock.start);
    const next = by < 0 && !exact ? i : i + by;
    this.clock.seek(this.frames[Math.max(0, Math.min(this.frames.length - 1, next))]);
  }

  private flip(id: string) {
    const box = this.toggles.get(id);
    if (!box?.closest("[hidden]")) box?.click();
  }

  // Returns true if the key was one of ours.
  key(e: KeyboardEvent): boolean {
    const { clock } = this;
    const leap = (clock.end - clock.start) / 50;
    const actions: Record<string, () => void> = {
      " ": () => clock.toggle(),
      ArrowLeft: () => (e.shiftKey ? clock.seek(clock.time - leap) : this.frame(-1)),
      ArrowRight: () => (e.shiftKey ? clock.seek(clock.time + leap) : this.frame(1)),
      ArrowUp: () => clock.faster(1),
      ArrowDown: () => clock.faster(-1),
      Home: () => clock.seek(clock.start),
      End: () => clock.seek(clock.end),
      ",": () => this.toEvent(-1),
      ".": () => this.toEvent(1),
      "+": () => this.stage.view.zoom(1.25),
      "-": () => this.stage.view.zoom(0.8),
      "0": () => this.stage.view.fit(),
      f: () => this.flip("forces"),
      p: () => this.flip("paths"),
      l: () => this.flip("labels"),
      c: () => this.flip("follow"),
      s: () => this.flip("slow"),
      t: () => toggleTheme(),
      Escape: () => this.range.all(),
    };
    const action = actions[e.key];
    action?.();
    return action !== undefined;
  }
}
