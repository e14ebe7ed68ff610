// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The axes of a plot, and where values lie on the screen.
import { number, short } from "../format";
import type { Theme } from "../theme";
import { niceTicks } from "../ticks";
import { css, shade, shades } from "./colors";
import type { Painter } from "./painter";

// A value on an axis: `low` lies at the position `from`, `high` at `to`.
export class Scale {
  private a: number;
  private b: number;

  constructor(readonly low: number, readonly high: number, readonly from: number, readonly to: number, readonly log = false) {
    const [l, h] = log ? [Math.log10(low), Math.log10(high)] : [low, high];
    this.b = (to - from) / (h - l || 1);
    this.a = from - this.b * l;
  }
  at(value: number): number {
    return this.a + this.b * (this.log ? Math.log10(value) : value);
  }
  value(position: number): number {
    const v = (position - this.a) / this.b;
    return this.log ? 10 ** v : v;
  }
  ticks(wanted: number): number[] {
    if (!this.log || this.high / this.low < 30) {
      const ticks = niceTicks(this.low, this.high, wanted);
      return ticks.length > 1 ? ticks : niceTicks(this.low, this.high, 2.5 * wanted); // one number tells no scale
    }
    const [l, h] = [Math.log10(this.low), Math.log10(this.high)];
    return niceTicks(Math.ceil(l - 1e-9), Math.floor(h + 1e-9) + 1e-9, Math.min(wanted, h - l)).filter(Number.isInteger).map((e) => 10 ** e);
  }
}

// The ends of an axis with a margin.
export function around([low, high]: [number, number], log: boolean, margin = 0.04): [number, number] {
  if (!(low <= high)) return log ? [0.1, 1] : [0, 1];
  if (log) {
    const factor = (high / low) ** margin * (high === low ? 2 : 1);
    return [low / factor, high * factor];
  }
  const more = high > low ? margin * (high - low) : Math.abs(high) * 0.1 || 1;
  return [low - more, high + more];
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
export interface Axes {
  box: Box;
  x: Scale;
  y: Scale;
}

export function boxOf(width: number, height: number, bar: boolean, title = false): Box {
  const left = width < 500 ? 56 : 70;
  const top = title ? 40 : 12;
  return { left, top, width: width - left - (bar ? (width < 500 ? 70 : 92) : 18), height: height - top - 48 };
}

export function drawAxes(p: Painter, { box, x, y }: Axes, xLabel: string, yLabel: string, theme: Theme) {
  const bottom = box.top + box.height;
  for (const tick of x.ticks(Math.max(2, box.width / 80))) {
    const at = x.at(tick);
    p.line([at, box.top, at, bottom], { color: theme.line });
    p.text(number(tick, 5), at, bottom + 17, { color: theme.muted, anchor: "middle" });
  }
  for (const tick of y.ticks(Math.max(2, box.height / 42))) {
    const at = y.at(tick);
    p.line([box.left, at, box.left + box.width, at], { color: theme.line });
    p.text(number(tick, 4), box.left - 7, at + 4, { color: theme.muted, anchor: "end" });
  }
  p.line([box.left, bottom, box.left + box.width, bottom], { color: theme.muted });
  p.text(short(xLabel, Math.floor(box.width / 8)), box.left + box.width / 2, bottom + 38, { color: theme.ink, anchor: "middle", size: 12.5 });
  p.text(short(yLabel, Math.floor(box.height / 8)), 14, box.top + box.height / 2, { color: theme.ink, anchor: "middle", size: 12.5, turned: true });
}

export function drawColorBar(p: Painter, box: Box, span: [number, number], label: string, theme: Theme) {
  const x = box.left + box.width + 14;
  const scale = new Scale(span[0], span[1] > span[0] ? span[1] : span[0] + 1, box.top + box.height, box.top + 18);
  const step = (scale.from - scale.to) / shades;
  for (let i = 0; i < shades; ++i) p.rect(x, scale.from - (i + 1) * step, 12, step + 0.6, css(shade((i + 0.5) / shades, theme.dark)));
  for (const tick of scale.ticks(Math.max(3, box.height / 60))) p.text(number(tick, 3), x + 17, scale.at(tick) + 4, { color: theme.muted, size: 11 });
  p.text(short(label, box.width < 400 ? 8 : 12), x, box.top + 6, { color: theme.ink, size: 11.5 });
}
