// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// A chart as SVG: phase portraits in the page, and every plot that is saved.
import { svg } from "./dom";
import { number, short } from "./format";
import { type Theme, dashes } from "./theme";
import { niceTicks } from "./ticks";

export interface Curve {
  name: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  color: string;
  dash: number[];
}
export interface Chart {
  title: string;
  xLabel: string;
  yLabel: string;
  x: [number, number];
  y: [number, number];
  log?: boolean; // y as a power of ten
  curves: Curve[];
  lines?: { from: [number, number]; to: [number, number]; label: string }[];
}
export interface Placed {
  element: SVGSVGElement;
  toScreen(x: number, y: number): [number, number];
  inner: { left: number; top: number; width: number; height: number };
}

export function chart(spec: Chart, width: number, height: number, theme: Theme, legend = true): Placed {
  const rows = legend && spec.curves.length > 1 ? Math.ceil(spec.curves.length / 4) : 0;
  const inner = { left: 68, top: (spec.title ? 34 : 12) + 18 * rows, width: 0, height: 0 };
  inner.width = width - inner.left - 16;
  inner.height = height - inner.top - 46;
  const v = (y: number) => (spec.log ? Math.log10(Math.max(y, 1e-300)) : y);
  const [y0, y1] = [v(spec.y[0]), v(spec.y[1])];
  const toScreen = (x: number, y: number): [number, number] => [
    inner.left + ((x - spec.x[0]) / (spec.x[1] - spec.x[0])) * inner.width,
    inner.top + (1 - (v(y) - y0) / (y1 - y0)) * inner.height,
  ];
  const element = svg("svg", {
    xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height,
    "font-family": "system-ui, sans-serif", "font-size": 12,
  });
  const clip = `clip${Math.random().toString(36).slice(2)}`;
  element.append(
    svg("defs", {}, svg("clipPath", { id: clip }, svg("rect", { x: inner.left, y: inner.top, width: inner.width, height: inner.height }))),
    svg("rect", { width, height, fill: theme.panel }),
  );
  if (spec.title) element.append(text(short(spec.title, 90), inner.left, 20, theme.ink, "start", 14));
  axes(element, spec, inner, toScreen, theme);
  const plot = svg("g", { "clip-path": `url(#${clip})`, fill: "none" });
  for (const line of spec.lines ?? []) {
    const [a, b] = [toScreen(...line.from), toScreen(...line.to)];
    plot.append(svg("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], stroke: theme.muted, "stroke-dasharray": "6 4", "stroke-width": 1.5 }));
  }
  for (const curve of spec.curves)
    plot.append(svg("path", {
      d: pathOf(curve, toScreen, inner), stroke: curve.color, "stroke-width": 1.5, "stroke-linejoin": "round",
      "stroke-dasharray": curve.dash.join(" ") || undefined,
    }));
  element.append(plot);
  if (rows) legendOf(element, spec.curves, inner.left, (spec.title ? 34 : 12) + 6, (width - inner.left) / 4, theme);
  return { element, toScreen, inner };
}

function text(value: string, x: number, y: number, color: string, anchor: string, size = 12) {
  return svg("text", { x, y, fill: color, "text-anchor": anchor, "font-size": size }, value);
}

function axes(element: SVGElement, spec: Chart, inner: Placed["inner"], toScreen: Placed["toScreen"], theme: Theme) {
  const bottom = inner.top + inner.height;
  const group = svg("g", { stroke: theme.line, "stroke-width": 1 });
  element.append(group);
  for (const x of niceTicks(...spec.x, inner.width / 80)) {
    const px = toScreen(x, spec.y[0])[0];
    group.append(svg("line", { x1: px, x2: px, y1: inner.top, y2: bottom }));
    element.append(text(number(x, 5), px, bottom + 16, theme.muted, "middle"));
  }
  const decades = spec.log ? [Math.log10(spec.y[0]), Math.log10(spec.y[1])] : spec.y;
  for (const tick of niceTicks(decades[0], decades[1], inner.height / 40)) {
    const y = spec.log ? 10 ** tick : tick;
    const py = toScreen(spec.x[0], y)[1];
    group.append(svg("line", { x1: inner.left, x2: inner.left + inner.width, y1: py, y2: py }));
    element.append(text(number(y, 4), inner.left - 8, py + 4, theme.muted, "end"));
  }
  element.append(text(short(spec.xLabel, 60), inner.left + inner.width / 2, bottom + 36, theme.ink, "middle"));
  const label = text(short(spec.yLabel, 48), 0, 0, theme.ink, "middle");
  label.setAttribute("transform", `translate(13 ${inner.top + inner.height / 2}) rotate(-90)`);
  element.append(label);
}

function legendOf(element: SVGElement, curves: Curve[], left: number, top: number, column: number, theme: Theme) {
  for (const [i, curve] of curves.entries()) {
    const [x, y] = [left + (i % 4) * column, top + 18 * Math.floor(i / 4)];
    element.append(
      svg("line", { x1: x, x2: x + 22, y1: y, y2: y, stroke: curve.color, "stroke-width": 2, "stroke-dasharray": curve.dash.join(" ") || undefined }),
      text(short(curve.name, Math.floor(column / 8) - 4), x + 28, y + 4, theme.ink, "start"),
    );
  }
}

// Points closer than half a pixel to the last drawn one are left out.
function pathOf(curve: Curve, toScreen: Placed["toScreen"], inner: Placed["inner"]): string {
  const parts: string[] = [];
  let [lastX, lastY, pen, skipped] = [NaN, NaN, false, ""];
  const limit = 4 * (inner.height + inner.width);
  for (let i = 0; i < curve.x.length; ++i) {
    const [x, y] = toScreen(curve.x[i], curve.y[i]);
    if (!Number.isFinite(x + y)) {
      pen = false;
      continue;
    }
    const point = `${x.toFixed(1)} ${Math.max(-limit, Math.min(limit, y)).toFixed(1)}`;
    if (pen && Math.abs(x - lastX) < 0.5 && Math.abs(y - lastY) < 0.5) {
      skipped = point;
      continue;
    }
    if (skipped && pen) parts.push(`L${skipped}`);
    parts.push(`${pen ? "L" : "M"}${point}`);
    [lastX, lastY, pen, skipped] = [x, y, true, ""];
  }
  return parts.join("");
}

export function curveStyle(theme: Theme, i: number): { color: string; dash: number[] } {
  return { color: theme.palette[i % theme.palette.length], dash: dashes[i % dashes.length] };
}

export function span(values: Iterable<ArrayLike<number>>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const list of values)
    for (let i = 0; i < list.length; ++i) {
      if (list[i] < low) low = list[i];
      if (list[i] > high) high = list[i];
    }
  if (!(low <= high)) return [0, 1];
  const margin = high > low ? 0.06 * (high - low) : Math.abs(high) * 0.1 || 1;
  return [low - margin, high + margin];
}
