// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The curve of a plot with as few points as the eye can tell. A smooth curve of thousands of samples needs some dozens of
// them, and drawing takes a time in proportion to their number.
import type uPlot from "uplot";

const tolerance = 0.2; // pixels by which the curve may differ from the samples

// Joins the points by as few straight lines as pass within the tolerance of all of them. x never decreases.
export class Simplifier {
  private ax = 0; // the last point that is drawn
  private ay = 0;
  private x = 0; // the last point that was given
  private y = 0;
  private low = -Infinity; // the slopes of the lines from the first that pass all points since
  private high = Infinity;
  private empty = true;

  constructor(private to: { moveTo(x: number, y: number): void; lineTo(x: number, y: number): void }) {}

  push(x: number, y: number): void {
    if (this.empty) {
      this.empty = false;
      this.to.moveTo(x, y);
      return this.restart(x, y);
    }
    const dx = x - this.ax;
    if (dx > 0) {
      const slope = (y - this.ay) / dx;
      if (slope >= this.low && slope <= this.high) {
        this.low = Math.max(this.low, (y - tolerance - this.ay) / dx);
        this.high = Math.min(this.high, (y + tolerance - this.ay) / dx);
        this.x = x;
        this.y = y;
        return;
      }
    } else if (Math.abs(y - this.ay) <= tolerance) return;
    this.to.lineTo(this.x, this.y);
    this.restart(this.x, this.y);
    if (x > this.ax) return this.push(x, y);
    this.to.lineTo(x, y);
    this.restart(x, y);
  }

  // Ends the curve. The next point begins another one.
  end() {
    if (!this.empty) this.to.lineTo(this.x, this.y);
    this.empty = true;
  }

  private restart(x: number, y: number) {
    this.ax = this.x = x;
    this.ay = this.y = y;
    this.low = -Infinity;
    this.high = Infinity;
  }
}

// Where many samples share a column of pixels, only its first, lowest, highest and last ones are passed on.
class Columns {
  private column = NaN;
  private first = 0;
  private last = 0;
  private low = 0;
  private high = 0;
  private lowFirst = true;

  constructor(private to: Simplifier) {}

  push(x: number, y: number) {
    const column = Math.floor(x);
    if (column !== this.column) {
      this.flush();
      this.column = column;
      this.first = this.last = this.low = this.high = y;
      return;
    }
    if (y < this.low) {
      this.low = y;
      this.lowFirst = false;
    }
    if (y > this.high) {
      this.high = y;
      this.lowFirst = true;
    }
    this.last = y;
  }
  end() {
    this.flush();
    this.column = NaN;
    this.to.end();
  }
  private flush() {
    if (Number.isNaN(this.column)) return;
    const x = this.column + 0.5;
    this.to.push(x, this.first);
    if (this.high > this.low) {
      this.to.push(x, this.lowFirst ? this.low : this.high);
      this.to.push(x, this.lowFirst ? this.high : this.low);
      this.to.push(x, this.last);
    }
  }
}

// A function from values of a scale to pixels of the canvas.
function toPixels(u: uPlot, scale: string): (value: number) => number {
  const { min, max, distr } = u.scales[scale] as uPlot.Scale & { min: number; max: number };
  const [a, b] = [u.valToPos(min, scale, true), u.valToPos(max, scale, true)];
  const of = distr === 3 ? Math.log10 : (value: number) => value;
  const factor = (b - a) / (of(max) - of(min) || 1);
  const offset = a - factor * of(min);
  return distr === 3 ? (value) => offset + factor * Math.log10(value) : (value) => offset + factor * value;
}

// `steps`: each value holds until the next sample.
export function curvePath(steps: boolean): uPlot.Series.PathBuilder {
  return (u, index, from, to) => {
    const stroke = new Path2D();
    const time = u.data[0];
    const values = u.data[index];
    const [x, y] = [toPixels(u, "x"), toPixels(u, "y")];
    const many = to - from > 4 * u.bbox.width;
    const curve = many ? new Columns(new Simplifier(stroke)) : new Simplifier(stroke);
    let before: number | null = null;
    for (let i = from; i <= to; ++i) {
      const value = values[i];
      if (value === null || value === undefined || !Number.isFinite(value)) {
        curve.end();
        before = null;
        continue;
      }
      const [px, py] = [x(time[i]), y(value)];
      if (steps && before !== null && before !== py) curve.push(px, before);
      curve.push(px, py);
      before = py;
    }
    curve.end();
    return { stroke, fill: null, clip: null, flags: 1 };
  };
}
