// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Parallel coordinates: an axis for each quantity, a line for each run. A range that is chosen on an axis hides the
// runs outside of it everywhere on the page.
import { number, short } from "../format";
import { type Quantity } from "./data";
import { css, shade, shades } from "./colors";
import { Scale, drawColorBar } from "./frame";
import type { Painter } from "./painter";
import { type Drawn, type Scene, drawTitle, plural } from "./plot";
import { pick } from "./scatter";

const mostLines = 4000;
export const mostAxes = 12;

export function parallelAxes({ study }: Pick<Scene, "study">): Quantity[] {
  return [...study.parameters.filter((q) => q.varies), ...study.measures].slice(0, mostAxes);
}

// A number below 2³² that depends on i as if it were random.
function hash(i: number): number {
  let h = Math.imul(i ^ (i >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16) ^ 0x5bd1e995, 0x27d4eb2f);
  return (h ^ (h >>> 15)) >>> 0;
}

// About `most` runs. Every n-th one would be a poor choice, because the values of a grid repeat.
function thinned(indices: number[], most: number): number[] {
  if (indices.length <= most) return indices;
  const limit = (most / indices.length) * 2 ** 32;
  return indices.filter((i) => hash(i) < limit);
}

export function parallel(p: Painter, scene: Scene): Drawn {
  const { study, filter, theme, view } = scene;
  const list = parallelAxes(scene);
  const color = study.quantity(view.color);
  const top = (scene.title ? 40 : 12) + 42;
  const bottom = scene.height - 58;
  const lost = scene.height - 24; // where runs without a value are
  const right = scene.width - (color ? (scene.width < 500 ? 84 : 110) : 46);
  const xs = list.map((_, k) => (list.length > 1 ? 46 + ((right - 46) * k) / (list.length - 1) : (46 + right) / 2));
  const scales = list.map((q) => new Scale(...(q.span[1] > q.span[0] ? q.span : ([q.span[0] - 1 || -1, q.span[0] + 1 || 1] as [number, number])), bottom, top));
  const at = (i: number, k: number) => (Number.isFinite(list[k].values[i]) ? scales[k].at(list[k].values[i]) : lost);
  const line = (runs: number[]) => {
    const points = new Float64Array(runs.length * (2 * list.length + 2));
    let n = 0;
    for (const i of runs) {
      for (let k = 0; k < list.length; ++k) {
        points[n++] = xs[k];
        points[n++] = at(i, k);
      }
      points[n++] = NaN;
      points[n++] = NaN;
    }
    return points;
  };
  const [inside, outside]: number[][] = [[], []];
  for (let i = 0; i < study.size; ++i) (filter.shown[i] ? inside : outside).push(i);
  const [shown, hidden] = [thinned(inside, mostLines), thinned(outside, mostLines / 4)];
  drawTitle(p, scene);
  if (hidden.length) p.line(line(hidden), { color: theme.muted, opacity: 0.08 });
  const opacity = Math.max(0.06, Math.min(0.8, 60 / shown.length ** 0.75));
  drawLines(p, scene, shown, color, line, opacity);
  for (const [k, q] of list.entries()) {
    p.line([xs[k], top, xs[k], bottom], { color: theme.ink, width: 1.2 });
    const apart = list.length > 1 ? xs[1] - xs[0] : 200;
    const shift = apart < 64 && k % 2 ? 1 : 0; // where axes are close, every other label is farther away
    const digits = apart < 64 ? 2 : 4;
    p.text(short(q.name, Math.max(7, Math.floor(apart / 7.5))), xs[k], top - 20 - 23 * shift, { color: theme.ink, anchor: "middle", size: 12, bold: true });
    p.text(number(q.span[1], digits), xs[k], top - 5 - 23 * shift, { color: theme.muted, anchor: "middle", size: 11 });
    p.text(number(q.span[0], digits), xs[k], bottom + 13 + 12 * shift, { color: theme.muted, anchor: "middle", size: 11 });
    const range = filter.ranges.get(q.id);
    if (!range) continue;
    const [a, b] = [Math.min(bottom, scales[k].at(range[0])), Math.max(top, scales[k].at(range[1]))];
    p.rect(xs[k] - 6, b, 12, Math.max(2, a - b), theme.accent, 0.35);
    p.line([xs[k] - 6, b, xs[k] + 6, b, NaN, NaN, xs[k] - 6, a, xs[k] + 6, a], { color: theme.accent, width: 2 });
  }
  const without = inside.some((i) => list.some((q) => !Number.isFinite(q.values[i])));
  if (without) {
    p.line([30, lost, right + 16, lost], { color: theme.danger, dash: [3, 3] });
    p.text("no value", 30, lost + 15, { color: theme.danger, size: 11 });
  }
  if (color) drawColorBar(p, { left: right + 8, top, width: 18, height: bottom - top }, color.span, color.name, theme);
  const all = study.parameters.filter((q) => q.varies).length + study.measures.length;
  const notes = ["Drag along an axis to choose a range, double-click to remove it."];
  if (shown.length < inside.length) notes.push(`${plural(shown.length, "line")} of ${plural(inside.length, "run")} are drawn.`);
  if (all > list.length) notes.push(`The first ${list.length} of ${all} quantities have an axis.`);
  return {
    note: notes.join(" "),
    summary: `Parallel coordinates of ${list.map((q) => q.name).join(", ")}: ${plural(inside.length, "run")} within the chosen ranges.`,
    hit: (mx, my) => {
      let k = 0;
      while (k + 2 < xs.length && mx > xs[k + 1]) ++k;
      const share = xs.length > 1 ? (mx - xs[k]) / (xs[k + 1] - xs[k]) : 0;
      let [best, found] = [14, -1];
      for (const i of inside) {
        const d = Math.abs(at(i, k) + share * (at(i, Math.min(k + 1, xs.length - 1)) - at(i, k)) - my);
        if (d < best) [best, found] = [d, i];
      }
      return found;
    },
    place: (i) => (list.length ? [xs[0], at(i, 0)] : null),
    next: (i, dx, dy) => step(scene, i, dx - dy || dx + dy),
    columns: () => [{ name: "run", unit: "", values: Float64Array.from(inside, (i) => study.number(i)) },
      ...list.map((q) => ({ name: q.name, unit: "", values: pick(inside, (i) => q.values[i], q.exact) }))],
    brush: {
      axis: (mx) => list[xs.findIndex((x) => Math.abs(x - mx) < 14)]?.id ?? null,
      value: (id, my) => {
        const k = list.findIndex((q) => q.id === id);
        return scales[k].value(Math.max(top, Math.min(bottom, my)));
      },
    },
    path: (i) => line([i]),
  };
}

function drawLines(p: Painter, scene: Scene, runs: number[], color: Quantity | undefined, line: (runs: number[]) => Float64Array, opacity: number) {
  const { theme, study } = scene;
  const failed = runs.filter((i) => study.failed(i));
  const fine = runs.filter((i) => !study.failed(i));
  // Each line is drawn alone, so that many lines in one place are darker.
  if (!color) for (const i of fine) p.line(line([i]), { color: theme.palette[0], opacity });
  else {
    const groups: number[][] = Array.from({ length: shades }, () => []);
    const [low, high] = color.span;
    for (const i of fine) {
      const share = high > low ? (color.values[i] - low) / (high - low) : 0.5;
      if (Number.isFinite(share)) groups[Math.min(shades - 1, Math.floor(share * shades))].push(i);
    }
    for (const [k, group] of groups.entries()) if (group.length) p.line(line(group), { color: css(shade((k + 0.5) / shades, theme.dark)), opacity: Math.min(0.9, 1.6 * opacity) });
  }
  for (const i of failed) p.line(line([i]), { color: theme.danger, opacity: Math.min(0.9, 2 * opacity) });
}

function step({ study, filter }: Scene, from: number, direction: number): number {
  for (let i = from + direction; i >= 0 && i < study.size; i += direction) if (filter.shown[i]) return i;
  return from < 0 ? 0 : from;
}
