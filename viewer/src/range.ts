// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The span of time that plots and the events strip show together.

export class Range {
  from: number;
  to: number;
  private listeners: (() => void)[] = [];

  constructor(
    public start: number,
    public end: number,
    private shortest: number, // a few steps
  ) {
    this.from = start;
    this.to = end;
  }

  onChange(listener: () => void) {
    this.listeners.push(listener);
  }

  // Another run takes the place of the present one. What was zoomed in stays in view.
  replace(start: number, end: number, shortest: number) {
    const zoomed = this.zoomed;
    [this.start, this.end, this.shortest] = [start, end, shortest];
    if (zoomed) this.set(this.from, this.to);
    else this.all();
  }

  set(from: number, to: number) {
    const span = Math.max(Math.min(to - from, this.end - this.start), this.shortest);
    const left = Math.min(Math.max(from, this.start), this.end - span);
    if (left === this.from && left + span === this.to) return;
    this.from = left;
    this.to = left + span;
    for (const listener of this.listeners) listener();
  }

  zoom(factor: number, about = (this.from + this.to) / 2) {
    this.set(about - (about - this.from) / factor, about + (this.to - about) / factor);
  }
  pan(by: number) {
    this.set(this.from + by, this.to + by);
  }
  all() {
    this.set(this.start, this.end);
  }
  get zoomed(): boolean {
    return this.to - this.from < (this.end - this.start) * (1 - 1e-9);
  }

  // While the run plays, a plot should show the time cursor. The range follows it page by page.
  follow(time: number) {
    if (this.zoomed && (time < this.from || time > this.to)) this.set(time - 0.1 * (this.to - this.from), time + 0.9 * (this.to - this.from));
  }

  // The wheel zooms. Shift with the wheel, or a sideways wheel, pans. `plot` is the element that spans the range.
  listenWheel(plot: HTMLElement) {
    plot.addEventListener(
      "wheel",
      (e) => {
        const box = plot.getBoundingClientRect();
        if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
          e.preventDefault();
          this.pan(((e.deltaX || e.deltaY) / box.width) * (this.to - this.from));
        } else if (e.ctrlKey || e.altKey || document.activeElement === plot || this.zoomed) {
          // Otherwise the wheel scrolls the panel as usual.
          e.preventDefault();
          this.zoom(Math.exp(-e.deltaY * 0.002), this.from + ((e.clientX - box.left) / box.width) * (this.to - this.from));
        }
      },
      { passive: false },
    );
  }
}
