// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Points over two quantities, with lines where there is one value per x; and bifurcation diagrams, which have many
// values per run.
import { short } from "../format";
import type { Column } from "../save";
import { type Quantity, type Series, spanOf } from "./data";
import { css, rgbOf, shade, shades } from "./colors";
import { type Axes, Scale, around, boxOf, drawAxes, drawColorBar } from "./frame";
import type { Painter } from "./painter";
import { type Drawn, type Scene, drawTitle, plural } from "./plot";
import { type Cloud, raster } from "./raster";

const mostDots = 100_000; // more are drawn as a picture
const mostInCurves = 20_000;
export const mostCurves = 8;

interface Points {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  run: Uint32Array | null; // the index of the run of each point; null if there is one point per run
}

function pointsOf(scene: Scene, x: Quantity): Points {
  const series = scene.study.seriesOf(scene.view.y);
  if (series) return flattened(x, series);
  return { x: x.values, y: scene.study.quantity(scene.view.y)!.values, run: null };
}

function flattened(x: Quantity, series: Series): Points {
  const size = series.values.length;
  const points = { x: new Float32Array(size), y: series.values, run: new Uint32Array(size) };
  for (let i = 0; i + 1 < series.first.length; ++i)
    for (let k = series.first[i]; k < series.first[i + 1]; ++k) {
      points.x[k] = x.values[i];
      points.run[k] = i;
    }
  return points;
}

function positive(span: [number, number], values: ArrayLike<number>): [number, number] {
  if (span[0] > 0) return span;
  let low = Infinity;
  for (let i = 0; i < values.length; ++i) if (values[i] > 0 && values[i] < low) low = values[i];
  return low < Infinity ? [low, span[1]] : [NaN, NaN];
}

function axesOf(scene: Scene, points: Points, bar: boolean): Axes {
  const box = boxOf(scene.width, scene.height, bar, scene.title !== "");
  const { logX, logY } = scene.view;
  const span = (values: ArrayLike<number>, log: boolean) => around(log ? positive(spanOf(values), values) : spanOf(values), log);
  const [x, y] = [span(points.x, logX), span(points.y, logY)];
  return { box, x: new Scale(...x, box.left, box.left + box.width, logX), y: new Scale(...y, box.top + box.height - 10, box.top, logY) };
}

function cloudOf(scene: Scene, points: Points, axes: Axes, color: Quantity | undefined): Cloud {
  const size = points.y.length;
  const cloud: Cloud = { size, px: new Float32Array(size), py: new Float32Array(size), share: color ? new Float32Array(size) : null };
  const { shown } = scene.filter;
  const [low, high] = color?.span ?? [0, 1];
  for (let k = 0; k < size; ++k) {
    const i = points.run ? points.run[k] : k;
    const visible = shown[i] && (!color || color.values[i] === color.values[i]);
    cloud.px[k] = visible ? axes.x.at(points.x[k]) : NaN;
    cloud.py[k] = visible ? axes.y.at(points.y[k]) : NaN;
    if (color) cloud.share![k] = high > low ? (color.values[i] - low) / (high - low) : 0.5;
  }
  return cloud;
}

// The curves of a plot: the runs of each value of `color`, in the order of x. There are none if two runs have the same x.
function curvesOf(scene: Scene, x: Quantity, color: Quantity | undefined): { value: number; runs: Uint32Array }[] {
  if (x.kind !== "parameter" || scene.filter.count > mostInCurves) return [];
  const values = color ? color.levels : [NaN];
  if (!values.length || values.length > mostCurves || (color && color.kind !== "parameter")) return [];
  const curves = values.map((value) => {
    const runs: number[] = [];
    for (let i = 0; i < scene.study.size; ++i) if (scene.filter.shown[i] && (!color || color.values[i] === value)) runs.push(i);
    return { value, runs: Uint32Array.from(runs).sort((a, b) => x.values[a] - x.values[b]) };
  });
  const single = curves.every(({ runs }) => runs.every((run, k) => k === 0 || x.values[run] > x.values[runs[k - 1]]));
  return single ? curves : [];
}

function drawCurves(p: Painter, scene: Scene, cloud: Cloud, curves: ReturnType<typeof curvesOf>) {
  for (const [c, { runs }] of curves.entries()) {
    const line = new Float64Array(2 * runs.length);
    runs.forEach((run, k) => {
      line[2 * k] = cloud.px[run];
      line[2 * k + 1] = cloud.py[run];
    });
    const color = scene.theme.palette[c % scene.theme.palette.length];
    p.line(line, { color, width: 1.5, opacity: 0.75 });
    if (runs.length < 1500) p.dots(finite(line), runs.length < 200 ? 3 : 1.6, color);
  }
}

function finite(points: Float64Array): number[] {
  const kept: number[] = [];
  for (let i = 0; i < points.length; i += 2) if (Number.isFinite(points[i] + points[i + 1])) kept.push(points[i], points[i + 1]);
  return kept;
}

function drawDots(p: Painter, scene: Scene, cloud: Cloud, axes: Axes, drawn: number): string {
  const { theme } = scene;
  const { box } = axes;
  if (drawn > mostDots) {
    p.image(raster(cloud, box, rgbOf(theme.palette[0]), theme.dark), box.left, box.top, box.width, box.height);
    return `${plural(drawn, "point")}; each pixel shows ${cloud.share ? "the mean colour" : "the number"} of the points in it.`;
  }
  const radius = drawn > 30_000 ? 0.65 : drawn > 4000 ? 1.1 : drawn > 800 ? 2 : 3.2;
  const groups: number[][] = Array.from({ length: cloud.share ? shades : 1 }, () => []);
  for (let i = 0; i < cloud.size; ++i) {
    if (!Number.isFinite(cloud.px[i] + cloud.py[i])) continue;
    const share = cloud.share ? Math.min(shades - 1, Math.floor(cloud.share[i] * shades)) : 0;
    groups[share].push(cloud.px[i], cloud.py[i]);
  }
  for (const [i, group] of groups.entries()) p.dots(group, radius, cloud.share ? css(shade((i + 0.5) / shades, theme.dark)) : theme.palette[0], cloud.share ? 0.95 : 0.7);
  return "";
}

// Where a failed run is marked: at its place if x and y are parameters, otherwise at the x axis.
function failedAt(scene: Scene, axes: Axes, x: Quantity, i: number): { x: number; y: number; rug: boolean } {
  const y = scene.study.quantity(scene.view.y);
  const known = y?.kind === "parameter" && Number.isFinite(axes.y.at(y.values[i]));
  return { x: axes.x.at(x.values[i]), y: known ? axes.y.at(y.values[i]) : axes.box.top + axes.box.height - 4, rug: !known };
}

// Crosses at the failed runs, or marks at the axis if they have no y. Returns their number.
function drawFailed(p: Painter, scene: Scene, axes: Axes, x: Quantity): number {
  const bottom = axes.box.top + axes.box.height;
  const seen = new Set<number>();
  const marks: number[] = [];
  let failed = 0;
  for (let i = 0; i < scene.study.size; ++i) {
    if (!scene.study.failed(i) || !scene.filter.shown[i]) continue;
    ++failed;
    const at = failedAt(scene, axes, x, i);
    const pixel = Math.round(2 * at.x) + (at.rug ? 0 : 100_000 * Math.round(at.y));
    if (!Number.isFinite(at.x) || seen.has(pixel)) continue;
    seen.add(pixel);
    if (at.rug) marks.push(at.x, bottom - 9, at.x, bottom, NaN, NaN);
    else marks.push(at.x - 3, at.y - 3, at.x + 3, at.y + 3, NaN, NaN, at.x - 3, at.y + 3, at.x + 3, at.y - 3, NaN, NaN);
  }
  p.line(marks, { color: scene.theme.danger, width: 1.5 });
  return failed;
}

function drawLegend(p: Painter, scene: Scene, axes: Axes, color: Quantity, curves: ReturnType<typeof curvesOf>) {
  const { box } = axes;
  const x = box.left + box.width + 12;
  p.text(short(color.name, 12), x, box.top + 8, { color: scene.theme.ink, size: 11.5 });
  for (const [c, { value }] of curves.entries()) {
    const y = box.top + 26 + 18 * c;
    p.line([x, y - 4, x + 16, y - 4], { color: scene.theme.palette[c % scene.theme.palette.length], width: 2.5 });
    p.text(String(Number(value.toPrecision(4))), x + 21, y, { color: scene.theme.ink, size: 11.5 });
  }
}

export function scatter(p: Painter, scene: Scene): Drawn {
  const { study, view, theme, filter } = scene;
  const x = study.quantity(view.x)!;
  const points = pointsOf(scene, x);
  const yName = (study.quantity(view.y) ?? study.seriesOf(view.y))!.name;
  const color = study.quantity(view.color);
  const axes = axesOf(scene, points, color !== undefined);
  const cloud = cloudOf(scene, points, axes, color);
  const curves = points.run ? [] : curvesOf(scene, x, color);
  let drawn = 0;
  for (let i = 0; i < cloud.size; ++i) if (Number.isFinite(cloud.px[i] + cloud.py[i])) ++drawn;
  drawTitle(p, scene);
  drawAxes(p, axes, x.name, yName, theme);
  let note = "";
  p.clipped(axes.box.left, axes.box.top, axes.box.width, axes.box.height, () => {
    if (curves.length) drawCurves(p, scene, cloud, curves);
    else note = drawDots(p, scene, cloud, axes, drawn);
  });
  const failed = drawFailed(p, scene, axes, x);
  if (color && curves.length) drawLegend(p, scene, axes, color, curves);
  else if (color) drawColorBar(p, axes.box, color.span, color.name, theme);
  const marks = failed ? ` ${plural(failed, "failed run")}: ${study.quantity(view.y)?.kind === "parameter" ? "crosses" : "marks at the axis"}.` : "";
  return {
    note: [note, marks.trim(), study.seriesOf(view.y)?.note].filter(Boolean).join(" "),
    summary: `${yName} over ${x.name}${color ? `, coloured by ${color.name}` : ""}: ${plural(drawn, "point")} of ${plural(filter.count, "run")}.${marks}`,
    ...finding(scene, points, cloud, axes, x),
    columns: () => table(scene, points, x, yName, color),
  };
}

function finding(scene: Scene, points: Points, cloud: Cloud, axes: Axes, x: Quantity): Pick<Drawn, "hit" | "place" | "next"> {
  const runOf = (k: number) => (points.run ? points.run[k] : k);
  const bottom = axes.box.top + axes.box.height;
  const firstOf = (i: number) => (points.run ? scene.study.seriesOf(scene.view.y)!.first[i] : i);
  const place = (i: number): [number, number] | null => {
    const k = firstOf(i);
    const has = !points.run || points.run[k] === i;
    if (has && Number.isFinite(cloud.px[k] + cloud.py[k])) return [cloud.px[k], cloud.py[k]];
    if (!scene.study.failed(i) || !scene.filter.shown[i]) return null;
    const mark = failedAt(scene, axes, x, i);
    return [mark.x, mark.y];
  };
  const hit = (mx: number, my: number) => {
    let [best, found] = [16 ** 2, -1];
    for (let k = 0; k < cloud.size; ++k) {
      const d = (cloud.px[k] - mx) ** 2 + (cloud.py[k] - my) ** 2;
      if (d < best) [best, found] = [d, runOf(k)];
    }
    for (let i = 0; i < scene.study.size; ++i) {
      if (!scene.study.failed(i) || !scene.filter.shown[i]) continue;
      const mark = failedAt(scene, axes, x, i);
      const d = (mark.x - mx) ** 2 + (mark.rug ? Math.max(0, bottom - 9 - my) : mark.y - my) ** 2;
      if (d < best) [best, found] = [d, i];
    }
    return found;
  };
  return { hit, place, next: (i, dx, dy) => beside(scene, place, i, dx, dy) };
}

// The run that lies next in the direction of an arrow key. Distance across the direction counts double.
export function beside(scene: Scene, place: (i: number) => [number, number] | null, from: number, dx: number, dy: number): number {
  const start = from >= 0 ? place(from) : null;
  let [best, found] = [Infinity, -1];
  for (let i = 0; i < scene.study.size; ++i) {
    if (i === from || !scene.filter.shown[i]) continue;
    const at = place(i);
    if (!at) continue;
    const [ex, ey] = start ? [at[0] - start[0], at[1] - start[1]] : [at[0], 0];
    const along = ex * dx + ey * dy;
    if (start && !(along > 0.01)) continue;
    const across = Math.abs(ex * dy) + Math.abs(ey * dx);
    const far = start ? along + (dx ? 0.3 : 2) * across : at[0];
    if (far < best) [best, found] = [far, i];
  }
  return found;
}

function table(scene: Scene, points: Points, x: Quantity, yName: string, color: Quantity | undefined): Column[] {
  const kept: number[] = [];
  for (let k = 0; k < points.y.length; ++k) if (scene.filter.shown[points.run ? points.run[k] : k]) kept.push(k);
  const run = (k: number) => (points.run ? points.run[k] : k);
  const columns: Column[] = [
    { name: "run", unit: "", values: Float64Array.from(kept, (k) => scene.study.number(run(k))) },
    { name: x.name, unit: "", values: pick(kept, (k) => x.values[run(k)], x.exact) },
    { name: yName, unit: "", values: pick(kept, (k) => points.y[k], scene.study.quantity(scene.view.y)?.exact ?? false) },
  ];
  if (color) columns.push({ name: color.name, unit: "", values: pick(kept, (k) => color.values[run(k)], color.exact) });
  return columns;
}

export function pick(kept: ArrayLike<number>, value: (k: number) => number, exact: boolean): ArrayLike<number> {
  const values = exact ? new Float64Array(kept.length) : new Float32Array(kept.length);
  for (let i = 0; i < kept.length; ++i) values[i] = value(kept[i]);
  return values;
}
