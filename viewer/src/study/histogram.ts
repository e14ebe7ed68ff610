// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The distribution of a quantity, with the quantiles of 5, 50 and 95 %.
import { number } from "../format";
import type { Numbers } from "../data";
import { Scale, around, boxOf, drawAxes } from "./frame";
import type { Painter } from "./painter";
import { type Drawn, type Scene, drawTitle, plural } from "./plot";

export const quantiles = [0.05, 0.5, 0.95];

// The values of the shown runs in ascending order, without NaN.
export function sorted(scene: Pick<Scene, "study" | "filter">, id: string): Float32Array | Float64Array {
  const { study, filter } = scene;
  const series = study.seriesOf(id);
  const values: Numbers = series ? series.values : study.quantity(id)!.values;
  const kept = values instanceof Float64Array ? new Float64Array(values.length) : new Float32Array(values.length);
  let n = 0;
  for (let i = 0; i < study.size; ++i) {
    if (!filter.shown[i]) continue;
    const [from, to] = series ? [series.first[i], series.first[i + 1]] : [i, i + 1];
    for (let k = from; k < to; ++k) if (Number.isFinite(values[k])) kept[n++] = values[k];
  }
  return kept.subarray(0, n).sort();
}

// Between the two nearest values, as `tappet study` prints it.
export function quantileOf(values: ArrayLike<number>, share: number): number {
  const at = share * (values.length - 1);
  const i = Math.floor(at);
  return values.length ? values[i] + (at - i) * (values[Math.min(i + 1, values.length - 1)] - values[i]) : NaN;
}

function binsOf(values: ArrayLike<number>, width: number): { low: number; step: number; counts: Uint32Array } {
  const [low, high] = [values[0], values[values.length - 1]];
  const count = high > low ? Math.max(5, Math.min(Math.floor(width / 5), 80, Math.ceil(Math.sqrt(values.length)))) : 1;
  const step = high > low ? (high - low) / count : Math.abs(low) * 0.1 || 1;
  const counts = new Uint32Array(count);
  for (let i = 0; i < values.length; ++i) ++counts[Math.min(count - 1, Math.max(0, Math.floor((values[i] - low) / step)))];
  return { low: high > low ? low : low - step / 2, step, counts };
}

export function histogram(p: Painter, scene: Scene): Drawn {
  const { study, view, theme, filter } = scene;
  const values = sorted(scene, view.x);
  const name = (study.quantity(view.x) ?? study.seriesOf(view.x))!.name;
  const box = boxOf(scene.width, scene.height, false, scene.title !== "");
  box.top += 16;
  box.height -= 16;
  const { low, step, counts } = values.length ? binsOf(values, box.width) : { low: 0, step: 1, counts: new Uint32Array(1) };
  const most = Math.max(1, counts.reduce((a, b) => Math.max(a, b), 0));
  const x = new Scale(...around([low, low + step * counts.length], false, 0.02), box.left, box.left + box.width);
  const y = new Scale(0, 1.05 * most, box.top + box.height, box.top);
  drawTitle(p, scene);
  drawAxes(p, { box, x, y }, name, study.seriesOf(view.x) ? "values" : "runs", theme);
  counts.forEach((n, k) => {
    const [from, to] = [x.at(low + k * step), x.at(low + (k + 1) * step)];
    p.rect(from + 0.5, y.at(n), Math.max(1, to - from - 1), y.at(0) - y.at(n), theme.palette[0], 0.75);
  });
  const marks = values.length ? quantiles.map((q) => quantileOf(values, q)) : [];
  let free = -Infinity; // labels must not overlap
  for (const [k, value] of marks.entries()) {
    const at = x.at(value);
    p.line([at, box.top - 2, at, box.top + box.height], { color: theme.force, width: 1.5, dash: k === 1 ? [] : [5, 4] });
    const label = `${100 * quantiles[k]} %`;
    if (at - 14 > free) {
      p.text(label, at, box.top - 6, { color: theme.force, anchor: "middle", size: 11 });
      free = at + 16;
    }
  }
  const without = filter.count - values.length;
  const note = !study.seriesOf(view.x) && without > 0 ? `${plural(without, "run has", "runs have")} no value and ${without === 1 ? "is" : "are"} left out.` : "";
  return {
    note: [marks.length ? `5 %: ${number(marks[0])}, median: ${number(marks[1])}, 95 %: ${number(marks[2])}.` : "No run has a value.", note].filter(Boolean).join(" "),
    summary: `Histogram of ${name}, ${plural(values.length, "value")}. Quantiles: ${marks.map((v, k) => `${100 * quantiles[k]} %: ${number(v)}`).join(", ")}. ${note}`,
    hit: (mx, my) => (my < box.top || my > box.top + box.height ? -1 : nearest(scene, x.value(mx))),
    place: (i) => {
      const q = study.quantity(view.x);
      return q && filter.shown[i] && Number.isFinite(q.values[i]) ? [x.at(q.values[i]), box.top + box.height - 6] : null;
    },
    next: (i, dx, dy) => ranked(scene, i, dx - dy),
    columns: () => [
      { name: `${name} from`, unit: "", values: Float64Array.from(counts, (_, k) => low + k * step) },
      { name: `${name} to`, unit: "", values: Float64Array.from(counts, (_, k) => low + (k + 1) * step) },
      { name: study.seriesOf(view.x) ? "values" : "runs", unit: "", values: Float64Array.from(counts) },
    ],
  };
}

// The run whose value is nearest.
function nearest({ study, filter, view }: Scene, value: number): number {
  const series = study.seriesOf(view.x);
  const values = series ? series.values : study.quantity(view.x)!.values;
  let [best, found] = [Infinity, -1];
  for (let i = 0; i < study.size; ++i) {
    if (!filter.shown[i]) continue;
    const [from, to] = series ? [series.first[i], series.first[i + 1]] : [i, i + 1];
    for (let k = from; k < to; ++k) if (Math.abs(values[k] - value) < best) [best, found] = [Math.abs(values[k] - value), i];
  }
  return found;
}

// The run with the next larger or smaller value. Runs with equal values follow each other by number.
function ranked({ study, filter, view }: Scene, from: number, direction: number): number {
  const values = study.quantity(view.x)?.values;
  if (!values) return Math.max(0, Math.min(study.size - 1, from + direction));
  const before = (a: number, b: number) => direction * (values[a] - values[b]) < 0 || (values[a] === values[b] && direction * (a - b) < 0);
  let found = -1;
  for (let i = 0; i < study.size; ++i)
    if (filter.shown[i] && Number.isFinite(values[i]) && (from < 0 || before(from, i)) && (found < 0 || before(i, found))) found = i;
  return found;
}
