// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Starts a run for each change. While one is computed, only the last of the changes that follow waits.
import { number } from "../format";
import type { ModelError, Outcome, Server, Shown, What } from "./server";

// If the last run took longer than this, a letter waits this long for the next one. A change of the page, as with a
// slider, never waits.
const typingPause = 60; // ms
// A run that takes longer than this is cancelled by the next change. A shorter one is shown, so that the picture follows
// a slider that moves without pause.
const patience = 150; // ms

export class Runner {
  runs = 0; // the number of runs that were shown
  private busy = false;
  private waiting: What | null = null;
  private timer = 0;
  private asked = ""; // the last text
  private began = 0; // when the present run was asked for
  private took = 0; // ms, the last one
  private idle: (() => void)[] = [];

  constructor(
    private server: Server,
    private show: (shown: Shown) => void,
    private fail: (errors: ModelError[]) => void,
    private tell: (text: string) => void,
  ) {}

  start(what: What): Promise<void> {
    this.waiting = what;
    if (!this.busy) void this.work();
    return this.settled();
  }

  change(what: What, atOnce: boolean) {
    if (what.text === this.asked) return; // the page asked for it before the editor told
    this.asked = what.text;
    clearTimeout(this.timer);
    if (atOnce || (!this.busy && this.took < typingPause)) void this.start(what);
    else this.timer = window.setTimeout(() => void this.start(what), typingPause);
  }

  // Resolves when everything that was asked for is shown.
  settled(): Promise<void> {
    return this.busy || this.waiting ? new Promise((done) => this.idle.push(done)) : Promise.resolve();
  }

  private async work() {
    this.busy = true;
    while (this.waiting) {
      const what = this.waiting;
      this.waiting = null;
      const began = (this.began = performance.now());
      const watch = window.setInterval(() => void this.watch(began), 250);
      try {
        const outcome = await Promise.race([this.server.run(what), this.overtaken(began)]);
        if (outcome.kind === "run") {
          this.show(outcome.shown);
          ++this.runs;
          const { run } = outcome.shown;
          this.tell(`${run.scheme} · step ${number(run.dt, 4)} s · ${run.steps} steps · ${Math.round(performance.now() - began)} ms`);
        } else if (outcome.kind === "errors") {
          this.fail(outcome.errors);
          this.tell("");
        }
      } catch (error) {
        const away = error instanceof TypeError; // the request did not arrive, as after the computer has slept
        this.tell(away ? "The program does not answer. Is `tappet studio` still running?" : String(error));
        if (away) await this.pause(2000);
        if (away) this.waiting ??= what;
      }
      clearInterval(watch);
      this.took = performance.now() - began;
      this.began = 0;
    }
    this.busy = false;
    for (const done of this.idle.splice(0)) done();
  }

  // Resolves when a newer change waits and the run has had its time. The server then cancels the run.
  private async overtaken(began: number): Promise<Outcome> {
    await this.pause(patience);
    while (!this.waiting && this.began === began) await this.pause(20);
    return { kind: "cancelled" };
  }

  private pause(ms: number): Promise<void> {
    return new Promise((done) => setTimeout(done, ms));
  }

  // A run that takes long: how far it is, and its motion until now. A newer change ends it.
  private async watch(began: number) {
    if (this.waiting) return;
    const { progress, soFar } = (await this.server.progress().catch(() => null)) ?? {};
    if (!progress || this.began !== began) return; // it has ended meanwhile
    if (soFar) this.show(soFar);
    this.tell(`Computing: ${Math.floor((100 * progress.step) / Math.max(1, progress.steps))} %, t = ${number(progress.t, 4)} s`);
  }
}
