// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The parts that show a run: picture, plots, time line. The report page and the studio arrange them differently. In the
// studio another run takes the place of the present one while time, zoom, camera and the choice of plots stay.
import { Clock } from "./clock";
import type { Arrays, Run } from "./data";
import { el } from "./dom";
import { type Lane, Strip, eventTimes, lanesOf, stripLegend } from "./events";
import { count } from "./format";
import { Plots } from "./plots";
import { Range } from "./range";
import { Stage } from "./stage/stage";
import { Transport } from "./transport";

// Slow motion is used only for the strongest impacts. A run that rattles would otherwise never leave it.
function notable(lanes: Lane[]): Float64Array {
  const all = lanes.flatMap((lane) => Array.from(lane.impacts, (time, i) => ({ time, size: lane.sizes[i] })));
  all.sort((a, b) => b.size - a.size);
  return Float64Array.from(all.slice(0, 40), (e) => e.time).sort();
}

export function verdict(run: Run): HTMLElement {
  if (run.status === "running") return el("span", { class: "verdict" }, "… Computing");
  if (run.status === "failed") return el("span", { class: "verdict bad" }, "✕ Failed");
  if (run.status === "interrupted") return el("span", { class: "verdict warn" }, "! Interrupted");
  if (run.unconverged.count > 0) return el("span", { class: "verdict bad" }, `! ${count(run.unconverged.count)} unconverged`);
  if (run.warnings.length) return el("span", { class: "verdict warn" }, `! ${run.warnings.length} ${run.warnings.length === 1 ? "warning" : "warnings"}`);
  return el("span", { class: "verdict good" }, "✓ Completed");
}

// The times of the run. The axis of a run that is still being computed reaches to where it will end.
function spanOf(run: Run, arrays: Arrays): { start: number; end: number; axis: number; shortest: number } {
  const time = arrays.numbers(run.time);
  const [start, last] = [time[0] ?? 0, time[time.length - 1] ?? 1];
  const end = last > start ? last : start + 1e-9;
  const axis = run.status === "running" ? Math.max(end, run.end) : end;
  return { start, end, axis, shortest: Math.max(4 * run.dt, 1e-9 * (end - start)) };
}

export class RunView {
  readonly clock: Clock;
  readonly range: Range;
  readonly stage: Stage;
  readonly transport: Transport;
  readonly timeline: HTMLElement;
  lanes: Lane[];
  private strip: Strip;
  private legend = stripLegend();
  private plots?: Plots;

  constructor(
    public run: Run,
    public arrays: Arrays,
  ) {
    const { start, end, axis, shortest } = spanOf(run, arrays);
    this.lanes = lanesOf(run, arrays);
    this.clock = new Clock(start, end, notable(this.lanes));
    this.range = new Range(start, axis, shortest);
    this.stage = new Stage(run, arrays, this.clock);
    this.transport = new Transport(this.clock, this.stage, this.range, this.frames(), eventTimes(this.lanes));
    this.stage.element.append(this.transport.stageBar());
    this.strip = new Strip(this.lanes, this.clock, this.range);
    this.legend.hidden = !this.lanes.length;
    this.timeline = el("section", { class: "timeline", "aria-label": "Timeline" }, this.transport.element, this.strip.element, this.legend);
  }

  plotsOf(): Plots {
    return (this.plots ??= new Plots(this.run, this.arrays, this.clock, this.range));
  }

  // The times at which the picture changes.
  private frames() {
    const { time } = this.stage.tracks;
    return time.length ? time : this.arrays.numbers(this.run.time);
  }

  replace(run: Run, arrays: Arrays) {
    [this.run, this.arrays] = [run, arrays];
    const { start, end, axis, shortest } = spanOf(run, arrays);
    this.lanes = lanesOf(run, arrays);
    this.stage.replace(run, arrays);
    this.clock.replace(start, end, notable(this.lanes));
    this.plots?.replace(run, arrays);
    this.range.replace(start, axis, shortest);
    this.transport.replace(this.frames(), eventTimes(this.lanes));
    this.strip.replace(this.lanes);
    this.legend.hidden = !this.lanes.length;
    this.clock.schedule();
  }
}
