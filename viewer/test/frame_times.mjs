// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// When a page was on the screen, from a trace of the browser; processor times; whether the machine has time.
import { readFileSync } from "node:fs";
import { childrenOf } from "./studio.mjs";

// Carries out an action on a page that calls performance.mark("from …") and, within an animation frame,
// performance.mark("drawn …"). Returns for each such pair the time in ms until the frame was on the screen.
export async function untilPresented(browser, page, action) {
  await browser.startTracing(page, { categories: ["blink.user_timing", "cc,benchmark", "disabled-by-default-devtools.timeline.frame"] });
  await action();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const marks = (word) => traceEvents.filter((e) => e.cat === "blink.user_timing" && e.name.startsWith(`${word} `)).sort((a, b) => a.ts - b.ts);
  const [from, drawn] = [marks("from"), marks("drawn")];
  const frames = presentedFrames(traceEvents.filter((e) => e.pid === from[0]?.pid));
  return from.map(({ name, ts }) => {
    const mark = drawn.find((d) => d.ts >= ts && d.name.slice(6) === name.slice(5));
    const frame = mark && frames.find(({ begin, end }) => begin <= mark.ts && mark.ts <= end);
    return frame ? (frame.end - ts) / 1000 : NaN;
  });
}

// Where frames begin and when all of them was on the screen, in the order of the latter.
function presentedFrames(events) {
  const open = new Map();
  const frames = [];
  for (const e of events.filter((e) => e.name === "PipelineReporter").sort((a, b) => a.ts - b.ts)) {
    const id = e.id2?.local;
    if (e.ph === "b" && e.args.frame_reporter?.state === "STATE_PRESENTED_ALL") open.set(id, e.ts);
    if (e.ph !== "e" || !open.has(id)) continue;
    frames.push({ begin: open.get(id), end: e.ts });
    open.delete(id);
  }
  return frames;
}

const ticks = (pid) => readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ").slice(11, 13).reduce((sum, t) => sum + 10 * Number(t), 0);

// The processor time in ms of the program with its workers, and of all processes of the browser.
export async function processorTimes(browser, pid) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return { program: ticks(pid) + childrenOf(pid).reduce((sum, p) => sum + ticks(p), 0), browser: processInfo.reduce((sum, p) => sum + 1000 * p.cpuTime, 0) };
}

// The share of the processors that nobody wants, over a second in which this process does nothing.
export async function idleShare() {
  const now = () => readFileSync("/proc/stat", "utf8").split("\n")[0].split(/\s+/).slice(1, 9).map(Number);
  const before = now();
  await new Promise((done) => setTimeout(done, 1000));
  const spent = now().map((t, i) => t - before[i]);
  return (spent[3] + spent[4]) / spent.reduce((sum, t) => sum + t, 0);
}
