// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The time cursor plays, scrubs and slows down near impacts. Everything else listens to it.

export class Clock {
  time: number;
  playing = false;
  slow = true;
  speed: number;  // simulated seconds per second
  speeds: number[];
  private listeners: ((time: number) => void)[] = [];
  private stateListeners: (() => void)[] = [];
  private last = 0;
  private pending = false;

  constructor(
    public start: number,
    public end: number,
    private impacts: Float64Array,  // ascending; the impacts that are worth slowing down for
  ) {
    this.time = start;
    this.speed = naturalSpeed(end - start);
    this.speeds = speedsAround(this.speed);
  }

  // Another run takes the place of the present one. The time stays, if the run has it.
  replace(start: number, end: number, impacts: Float64Array) {
    const before = naturalSpeed(this.end - this.start);
    const natural = naturalSpeed(end - start);
    [this.start, this.end, this.impacts] = [start, end, impacts];
    if (natural !== before) {
      this.speed *= natural / before;
      this.speeds = speedsAround(natural);
      this.speed = this.speeds.reduce((a, b) => (Math.abs(b - this.speed) < Math.abs(a - this.speed) ? b : a));
    }
    this.time = Math.min(end, Math.max(start, this.time));
    this.changed();
  }

  onTime(listener: (time: number) => void) {
    this.listeners.push(listener);
  }
  onState(listener: () => void) {
    this.stateListeners.push(listener);
  }

  seek(time: number) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.schedule();
  }

  toggle(playing = !this.playing) {
    if (playing && this.time >= this.end) this.time = this.start;
    this.playing = playing;
    this.last = 0;
    this.changed();
    this.schedule();
  }

  faster(direction: number) {
    const i = this.speeds.indexOf(this.speed) + direction;
    if (i >= 0 && i < this.speeds.length) this.speed = this.speeds[i];
    this.changed();
  }

  changed() {
    for (const listener of this.stateListeners) listener();
  }

  schedule() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  private frame(now: number) {
    this.pending = false;
    if (this.playing) {
      const elapsed = this.last ? Math.min(0.1, (now - this.last) / 1000) : 0;
      this.last = now;
      this.advance(elapsed);
    }
    this.tell();
    if (this.playing) this.schedule();
  }

  tell() {
    for (const listener of this.listeners) listener(this.time);
  }

  private advance(elapsed: number) {
    this.time += elapsed * this.speed * (this.slow ? this.slowdown() : 1);
    if (this.time >= this.end) {
      this.time = this.end;
      this.playing = false;
      this.changed();
    }
  }

  // Reduces the speed to a fifth within a fifth of a second (of viewing time) around an impact, with a smooth start.
  private slowdown(): number {
    const reach = 0.2 * this.speed;
    let distance = Infinity;
    for (const impact of this.impacts) distance = Math.min(distance, Math.abs(impact - this.time));
    if (distance >= reach) return 1;
    return 0.2 + 0.8 * (distance / reach) ** 2;
  }
}

function speedsAround(natural: number): number[] {
  return [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8].map((f) => f * natural);
}

// Real time if the run lasts some seconds. Otherwise the 1-2-5 number that plays it in about twelve seconds.
function naturalSpeed(span: number): number {
  if (!(span > 0)) return 1;
  if (span >= 3 && span <= 30) return 1;
  const wanted = span / 12;
  const decade = 10 ** Math.floor(Math.log10(wanted));
  const factor = [1, 2, 5, 10].reduce((a, b) =>
    Math.abs(Math.log(b * decade) - Math.log(wanted)) < Math.abs(Math.log(a * decade) - Math.log(wanted)) ? b : a,
  );
  return factor * decade;
}
