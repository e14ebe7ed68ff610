// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Studies whose results are known in closed form.
import { Packer } from "./pack.mjs";

// parameters: [{name, values}] on a grid, or [{name, random: values}]. measures: {name: f(parameters, run)} gives a
// number, or a list for a measure with many values. failed(run) gives a message or nothing.
export function study(template, file, { parameters, measures, failed = () => "", kept, found = {}, costs = [], ...over }) {
  const p = new Packer();
  const grid = parameters.filter((q) => q.values);
  const samples = parameters.find((q) => q.random)?.random.length ?? 1;
  const runs = grid.reduce((n, q) => n * q.values.length, samples);
  const points = grid.reduce((n, q) => n * q.values.length, 1);
  let stride = 1;
  const strides = new Map([...grid].reverse().map((q) => [q, (stride *= q.values.length) / q.values.length]));
  const value = (q, run) => (q.values ? q.values[Math.floor(run / strides.get(q)) % q.values.length] : q.random[Math.floor(run / points)]);
  const index = kept ?? Array.from({ length: runs }, (_, i) => i);
  const at = (run) => Object.fromEntries(parameters.map((q) => [q.name, value(q, run)]));
  const messages = index.map((run) => failed(run));
  const exact = index.length <= 200_000;
  const measure = ([name, f]) => {
    const lists = index.map((run, i) => (messages[i] ? NaN : f(at(run), run)));
    if (!lists.some(Array.isArray)) return { name, meaning: `max ${name}`, many: false, data: p.add(lists) };
    const values = lists.flatMap((list) => (Array.isArray(list) ? list : []));
    return { name, meaning: `every ${name}`, many: true, counts: p.add(lists.map((l) => (Array.isArray(l) ? l.length : 0))), data: p.add(values), all: values.length, kept: values.length, most: 1000 };
  };
  const failures = index.filter((_, i) => messages[i]);
  const json = {
    format: 1, title: "A study", name: "study", version: "0.1.0", folder: "out/my study", study_text: "model: x\n",
    settings: { model: "slider_crank", scheme: "moreau-midpoint", dt: "1e-5", end: "", record: 1, set: { g: "9.81" }, options: [["theta", "0.5"]], varied: parameters.map((q) => q.name) },
    counts: { runs, kept: index.length, missing: 0, done: index.length - failures.length, failed: failures.length, refused: 0, interrupted: 0 },
    ...(kept ? { run: p.add(kept, "f64") } : {}),
    parameters: parameters.map((q) => ({ name: q.name, kind: q.values ? "grid" : (q.kind ?? "uniform"), stride: q.values ? strides.get(q) : 0, exact: q.values ? true : exact,
      data: q.values ? p.add(q.values, "f64") : p.add(index.map((run) => value(q, run)), exact ? "f64" : "f32") })),
    measures: Object.entries(measures).map(measure), costs: Object.entries(costs).map(measure), status: p.add(messages.map((m) => (m ? 2 : 1)), "u8"),
    messages: { all: failures.length, runs: p.add(failures.slice(0, 5000), "f64"), texts: messages.filter(Boolean).slice(0, 5000) }, found, ...over,
  };
  p.write(json, template, file);
  return json;
}

export const linear = (from, to, n) => Array.from({ length: n }, (_, k) => from + ((to - from) * k) / (n - 1));
export const geometric = (from, to, n) => linear(Math.log(from), Math.log(to), n).map(Math.exp);

// The golden-ratio sequence: evenly spread and the same every time.
export const spread = (n, from, to, factor = 0.6180339887498949) => Array.from({ length: n }, (_, k) => from + (to - from) * ((k * factor + 0.37) % 1));

// The last values of the logistic map x ← r x (1 − x).
export function logistic(r, values = 100) {
  let x = 0.4;
  for (let k = 0; k < 300; ++k) x = r * x * (1 - x);
  return Array.from({ length: values }, () => (x = r * x * (1 - x)));
}
