// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The study as the page holds it. src/study/page/page_data.cpp writes it.
import { type ArrayRef, type Arrays, type Numbers } from "../data";

export interface StudyJson {
  format: number;
  title: string;
  name: string;
  version: string;
  folder: string;
  settings: Settings;
  counts: { runs: number; kept: number; missing: number; done: number; failed: number; refused: number; interrupted: number };
  run?: ArrayRef; // the numbers of the runs, if the page does not hold all of them
  // stride 0: `data` has one value per run. Otherwise run k has the value data[floor(k / stride) mod n].
  parameters: { name: string; kind: "grid" | "uniform" | "normal" | "table"; stride: number; data: ArrayRef; exact: boolean }[];
  measures: MeasureJson[];
  costs: MeasureJson[];
  status: ArrayRef;
  messages: { all: number; runs: ArrayRef; texts: string[] };
  found: Found;
  study_text: string;
}
export interface Settings {
  model: string;
  scheme: string;
  dt: string; // a formula of the parameters of the model; "" if the model has its own
  end: string;
  record: number;
  set: Record<string, string>;
  options: [string, string][];
  varied: string[];
}
export interface MeasureJson {
  name: string;
  meaning: string;
  many: boolean;
  data: ArrayRef;
  counts?: ArrayRef; // of measures with many values: the number of values of each run
  all?: number;
  kept?: number;
  most?: number;
}
export interface Found {
  asked?: { kind: string; measure?: string; level?: number; quantile?: number; confidence?: number; within?: number; method?: string; numbers?: number; targets?: string[]; largest?: boolean };
  thresholds?: { others: number[]; low: number; high: number; trouble: string }[];
  quantile?: { value: number; low: number; high: number; samples: number; reached: boolean };
  optimum?: { values: number[]; measured: number | null; method: string; trouble: string };
  fit?: { values: number[]; deviations: number[]; half_width: number[]; chi2: number; trouble: string };
}

export const statusNames = ["missing", "done", "failed", "refused", "interrupted"];

// A number that every run has: a parameter, a measure or a cost. What a run does not have is NaN.
export class Quantity {
  private cache?: Numbers;
  private range?: [number, number];
  private values_?: number[];

  constructor(
    readonly id: string,
    readonly name: string,
    readonly meaning: string,
    readonly kind: "parameter" | "measure" | "cost",
    readonly exact: boolean,
    private read: () => Numbers,
  ) {}

  get values(): Numbers {
    return (this.cache ??= this.read());
  }
  // The least and the largest finite value; [NaN, NaN] if there is none.
  get span(): [number, number] {
    return (this.range ??= spanOf(this.values));
  }
  // All different values in ascending order, or an empty list if there are more than 2000.
  get levels(): number[] {
    return (this.values_ ??= levelsOf(this.values, 2000));
  }
  get varies(): boolean {
    return this.span[1] > this.span[0];
  }
}

// A measure with many values per run: those of run i are values[first[i]] … values[first[i + 1] − 1].
export interface Series {
  id: string;
  name: string;
  meaning: string;
  values: Numbers;
  first: Uint32Array;
  note: string;
}

export class Study {
  readonly size: number; // the number of runs in the page
  readonly parameters: Quantity[];
  readonly measures: Quantity[];
  readonly costs: Quantity[];
  readonly series: Series[] = [];
  readonly status: Numbers;
  readonly messages = new Map<number, string>(); // by number of the run
  private numbers?: Numbers;

  constructor(
    readonly json: StudyJson,
    private arrays: Arrays,
  ) {
    this.size = json.counts.kept;
    this.status = arrays.numbers(json.status);
    if (json.run) this.numbers = arrays.numbers(json.run);
    this.parameters = json.parameters.map((p, i) => new Quantity(`p${i}`, p.name, `parameter, ${p.kind}`, "parameter", p.exact, () => this.parameter(i)));
    const single = (list: MeasureJson[], letter: string, kind: "measure" | "cost") =>
      list.flatMap((m, i) => (m.many ? [] : [new Quantity(`${letter}${i}`, m.name, m.meaning, kind, false, () => arrays.numbers(m.data))]));
    this.measures = single(json.measures, "m", "measure");
    this.costs = single(json.costs, "c", "cost").filter((q) => q.varies);
    for (const [i, m] of json.measures.entries()) if (m.many) this.series.push(this.readSeries(`s${i}`, m));
    const runs = arrays.numbers(json.messages.runs);
    for (const [k, text] of json.messages.texts.entries()) this.messages.set(runs[k], text);
  }

  private parameter(i: number): Numbers {
    const { stride, data } = this.json.parameters[i];
    const given = this.arrays.numbers(data);
    if (!stride) return given;
    const values = new Float64Array(this.size);
    for (let k = 0; k < this.size; ++k) values[k] = given[Math.floor(this.number(k) / stride) % given.length];
    return values;
  }

  private readSeries(id: string, m: MeasureJson): Series {
    const counts = this.arrays.numbers(m.counts!);
    const first = new Uint32Array(this.size + 1);
    for (let i = 0; i < this.size; ++i) first[i + 1] = first[i] + counts[i];
    const note = m.kept! < m.all! ? `Of each run the last ${m.most} values of ${m.name} are shown; study.h5 holds all of them.` : "";
    return { id, name: m.name, meaning: m.meaning, values: this.arrays.numbers(m.data), first, note };
  }

  number(index: number): number {
    return this.numbers ? this.numbers[index] : index;
  }
  // The index of a run in the page; −1 if the page does not hold it.
  index(run: number): number {
    if (!this.numbers) return Number.isInteger(run) && run >= 0 && run < this.size ? run : -1;
    return this.numbers.indexOf(run);
  }
  failed(index: number): boolean {
    return this.status[index] === 2 || this.status[index] === 3;
  }
  get quantities(): Quantity[] {
    return [...this.parameters, ...this.measures, ...this.costs];
  }
  quantity(id: string): Quantity | undefined {
    return this.quantities.find((q) => q.id === id);
  }
  seriesOf(id: string): Series | undefined {
    return this.series.find((s) => s.id === id);
  }
}

export function spanOf(values: ArrayLike<number>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; ++i) {
    const v = values[i];
    if (v < low && v > -Infinity) low = v;
    if (v > high && v < Infinity) high = v;
  }
  return low <= high ? [low, high] : [NaN, NaN];
}

function levelsOf(values: ArrayLike<number>, most: number): number[] {
  const found = new Set<number>();
  for (let i = 0; i < values.length; ++i) {
    if (!Number.isFinite(values[i])) continue;
    found.add(values[i]);
    if (found.size > most) return [];
  }
  return [...found].sort((a, b) => a - b);
}
