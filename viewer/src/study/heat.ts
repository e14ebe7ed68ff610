// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// A heat map: the mean of a quantity in the cells of two others. The cells are the points of a grid, or parts of equal
// width if the runs do not lie on a grid.
import { el } from "../dom";
import { type Quantity, spanOf } from "./data";
import { css, rgbOf, shade } from "./colors";
import { type Axes, Scale, boxOf, drawAxes, drawColorBar } from "./frame";
import type { Painter } from "./painter";
import { type Drawn, type Scene, drawTitle, plural } from "./plot";
import { beside, pick } from "./scatter";

const mostCells = 300; // along an axis
const mostRects = 4000;

// The cells along one axis: cell k lies between edges[k] and edges[k + 1].
interface Cells {
  edges: number[];
  grid: boolean;
}

function cellsOf(q: Quantity, log: boolean, runs: number): Cells {
  const to = (v: number) => (log ? Math.log(v) : v);
  const from = (v: number) => (log ? Math.exp(v) : v);
  const { levels } = q;
  if (levels.length > 1 && (q.meaning.endsWith("grid") || levels.length * levels.length <= 4 * runs)) {
    const middle = levels.slice(1).map((v, k) => (to(v) + to(levels[k])) / 2);
    const last = levels.length - 1;
    const edges = [2 * to(levels[0]) - middle[0], ...middle, 2 * to(levels[last]) - middle[last - 1]].map(from);
    const group = Math.ceil(levels.length / mostCells); // neighbouring values that share a cell
    return { edges: edges.filter((_, k) => k % group === 0 || k === edges.length - 1), grid: true };
  }
  const [low, high] = q.span;
  const count = Math.max(4, Math.min(150, Math.round(Math.sqrt(runs) / 2)));
  const [a, b] = high > low ? [to(low), to(high)] : [to(low) - 0.5, to(low) + 0.5];
  return { edges: Array.from({ length: count + 1 }, (_, k) => from(a + ((b - a) * k) / count)), grid: false };
}

function cellAt({ edges }: Cells, value: number): number {
  if (!(value >= edges[0] && value <= edges[edges.length - 1])) return -1;
  let [low, high] = [0, edges.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (edges[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

interface Map2 {
  x: Cells;
  y: Cells;
  width: number;
  value: Float64Array; // NaN: none of its runs has a value
  count: Uint32Array; // of runs with a value
  failed: Uint32Array;
  first: Int32Array; // the first run of a cell, with a value if there is one
  most: number; // runs in one cell
}

function mapOf(scene: Scene, qx: Quantity, qy: Quantity, q: Quantity): Map2 {
  const { study, filter, view } = scene;
  const [x, y] = [cellsOf(qx, view.logX, study.size), cellsOf(qy, view.logY, study.size)];
  const width = x.edges.length - 1;
  const size = width * (y.edges.length - 1);
  const map = { x, y, width, value: new Float64Array(size), count: new Uint32Array(size), failed: new Uint32Array(size), first: new Int32Array(size).fill(-1), most: 0 };
  for (let i = 0; i < study.size; ++i) {
    if (!filter.shown[i]) continue;
    const [cx, cy] = [cellAt(x, qx.values[i]), cellAt(y, qy.values[i])];
    if (cx < 0 || cy < 0) continue;
    const cell = cy * width + cx;
    const value = q.values[i];
    if (Number.isFinite(value)) {
      if (!map.count[cell]++) map.first[cell] = i;
      map.value[cell] += value;
    } else {
      if (map.first[cell] < 0) map.first[cell] = i;
      if (study.failed(i)) ++map.failed[cell];
    }
    map.most = Math.max(map.most, map.count[cell] + map.failed[cell]);
  }
  for (let c = 0; c < size; ++c) map.value[c] = map.count[c] ? map.value[c] / map.count[c] : NaN;
  return map;
}

function drawCells(p: Painter, scene: Scene, map: Map2, axes: Axes, share: (v: number) => number) {
  const { theme } = scene;
  for (let c = 0; c < map.value.length; ++c) {
    const [cx, cy] = [c % map.width, Math.floor(c / map.width)];
    const [x0, x1] = [axes.x.at(map.x.edges[cx]), axes.x.at(map.x.edges[cx + 1])];
    const [y0, y1] = [axes.y.at(map.y.edges[cy + 1]), axes.y.at(map.y.edges[cy])];
    if (map.count[c]) p.rect(x0, y0, x1 - x0 + 0.5, y1 - y0 + 0.5, css(shade(share(map.value[c]), theme.dark)));
    else if (map.failed[c]) hatch(p, x0, y0, x1, y1, theme.danger);
  }
}

function hatch(p: Painter, x0: number, y0: number, x1: number, y1: number, color: string) {
  p.rect(x0, y0, x1 - x0, y1 - y0, color, 0.12);
  const lines: number[] = [];
  const first = Math.ceil((x0 + y0) / 6) * 6; // lines x + y = c, so that neighbouring cells fit together
  for (let c = first; c < x1 + y1; c += 6) {
    const a = Math.max(x0, c - y1);
    const b = Math.min(x1, c - y0);
    if (b > a) lines.push(a, c - a, b, c - b, NaN, NaN);
  }
  p.line(lines, { color, width: 1.2 });
}

// With many cells each pixel is looked up.
function drawPixels(p: Painter, scene: Scene, map: Map2, axes: Axes, share: (v: number) => number) {
  const { box } = axes;
  const [width, height] = [Math.max(1, Math.round(box.width)), Math.max(1, Math.round(box.height))];
  const canvas = el("canvas", { width, height });
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(width, height);
  const columns = Array.from({ length: width }, (_, i) => cellAt(map.x, axes.x.value(box.left + i + 0.5)));
  const danger = rgbOf(scene.theme.danger);
  for (let row = 0; row < height; ++row) {
    const cy = cellAt(map.y, axes.y.value(box.top + row + 0.5));
    if (cy < 0) continue;
    for (let column = 0; column < width; ++column) {
      const cell = cy * map.width + columns[column];
      if (columns[column] < 0) continue;
      if (map.count[cell]) image.data.set([...shade(share(map.value[cell]), scene.theme.dark), 255], 4 * (row * width + column));
      else if (map.failed[cell]) image.data.set([...danger, (row + column) % 6 < 2 ? 255 : 30], 4 * (row * width + column));
    }
  }
  context.putImageData(image, 0, 0);
  p.image(canvas, box.left, box.top, box.width, box.height);
}

export function heat(p: Painter, scene: Scene): Drawn {
  const { study, view, theme } = scene;
  const [qx, qy, q] = [study.quantity(view.x)!, study.quantity(view.y)!, study.quantity(view.color)!];
  const map = mapOf(scene, qx, qy, q);
  const box = boxOf(scene.width, scene.height, true, scene.title !== "");
  const ends = (cells: Cells): [number, number] => [cells.edges[0], cells.edges[cells.edges.length - 1]];
  const axes: Axes = { box, x: new Scale(...ends(map.x), box.left, box.left + box.width, view.logX), y: new Scale(...ends(map.y), box.top + box.height, box.top, view.logY) };
  const span = spanOf(map.value);
  const share = (v: number) => (span[1] > span[0] ? (v - span[0]) / (span[1] - span[0]) : 0.5);
  drawTitle(p, scene);
  drawAxes(p, axes, qx.name, qy.name, theme);
  if (map.value.length <= mostRects) drawCells(p, scene, map, axes, share);
  else drawPixels(p, scene, map, axes, share);
  if (span[0] <= span[1]) drawColorBar(p, box, span, q.name, theme);
  const failed = map.failed.reduce((sum, n) => sum + n, 0);
  const notes = [];
  if (map.most > 1) notes.push(`A cell shows the mean of its runs, at most ${map.most}.`);
  if (failed) notes.push(`${plural(failed, "failed run")}; cells in which every run failed are hatched.`);
  const place = (i: number): [number, number] | null => {
    const [cx, cy] = [cellAt(map.x, qx.values[i]), cellAt(map.y, qy.values[i])];
    if (cx < 0 || cy < 0) return null;
    if (!map.x.grid || !map.y.grid) return [axes.x.at(qx.values[i]), axes.y.at(qy.values[i])];
    return [(axes.x.at(map.x.edges[cx]) + axes.x.at(map.x.edges[cx + 1])) / 2, (axes.y.at(map.y.edges[cy]) + axes.y.at(map.y.edges[cy + 1])) / 2];
  };
  return {
    note: notes.join(" "),
    summary: `Heat map of ${q.name} over ${qx.name} and ${qy.name}: ${map.width} by ${map.y.edges.length - 1} cells. ${notes.join(" ")}`,
    hit: (mx, my) => {
      const [cx, cy] = [cellAt(map.x, axes.x.value(mx)), cellAt(map.y, axes.y.value(my))];
      return cx < 0 || cy < 0 ? -1 : map.first[cy * map.width + cx];
    },
    place,
    next: (i, dx, dy) => beside(scene, place, i, dx, dy),
    columns: () => {
      const kept: number[] = [];
      for (let i = 0; i < study.size; ++i) if (scene.filter.shown[i]) kept.push(i);
      return [{ name: "run", unit: "", values: Float64Array.from(kept, (i) => study.number(i)) },
        ...[qx, qy, q].map((one) => ({ name: one.name, unit: "", values: pick(kept, (i) => one.values[i], one.exact) }))];
    },
  };
}
