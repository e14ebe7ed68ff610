// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The run as the page holds it. The format is described in docs/report-format.md.

export interface ArrayRef {
  at: number;
  n: number;
  type: "f32" | "f64" | "u8";
}
export type Numbers = Float32Array | Float64Array | Uint8Array;
export type Scalar = number | ArrayRef;

export interface Series {
  name: string;
  unit: string;
  group: string;
  contact: number;
  data: ArrayRef;
}
export interface Contact {
  name: string;
  mu: number;
  e_N: number;
  impacts: { time: ArrayRef; size: ArrayRef };
  phases: { from: ArrayRef; to: ArrayRef; kind: ArrayRef };
  marks?: { time: number; kind: string }[];  // events that the scheme listed in addition to impacts
  located?: boolean;  // the scheme located when it opens, sticks and slips; the marks hold all of that
  found?: boolean; // a pair of colliders
}
export interface Item {
  kind: string;
  label: string;
  color: string;
  body?: string;
  line?: number; // of the model file, where it is described
  pose?: ArrayRef;
  points?: ArrayRef;
  count?: number;
  size?: number[];
  radius?: Scalar;
  angle?: Scalar;
  width?: Scalar;
  coils?: Scalar;
  type?: string;
  fixed?: boolean;
  fill?: boolean;
  loops?: number[]; // a polygon of several closed curves: the number of points of each
  vertices?: number[]; // of a solid, from its point along the axes of its body
  faces?: number[][]; // the corners of its faces, counter-clockwise as seen from outside
}
export interface Force {
  contact: number;
  at: ArrayRef;
  force: ArrayRef;
}
export interface Scene {
  planar: boolean;
  time: ArrayRef;
  items: Item[];
  forces: Force[];
}
export interface Summary {
  steps?: number;
  wall_s?: number;
  us_per_step?: number;
  energy?: { kinetic: number; potential: number; total: number; initial: number };
  violation?: { max: number; contact: string; time: number };
  contact_reduction?: { on: boolean; found: { max: number; mean: number }; kept: { max: number; mean: number }; counted_steps: number };
  joint_violation?: { max: number; joint: string; time: number };
  impulsive_steps?: number;
  iterations?: { mean: number; max: number };
  residual?: { max: number };
  unconverged_steps?: number;
}
export interface Run {
  format: number;
  title: string;
  model: string;
  source: string;
  scheme: string;
  version: string;
  created: string;
  dt: number;
  end: number;
  steps: number;
  status: "done" | "failed" | "interrupted" | "running"; // running: the studio shows a run until now
  message: string;
  summary: Summary;
  parameters: { name: string; value: number; formula?: string }[];
  options: { name: string; value: string }[];
  warnings: string[];
  unconverged: { count: number; times: ArrayRef };
  sampling: { steps: number; kept: number; note: string };
  model_text: string;
  time: ArrayRef;
  series: Series[];
  contacts: Contact[];
  scene: Scene;
}

// All arrays of the page, decoded when they are first needed.
export class Arrays {
  private decoded = new Map<number, Numbers>();
  // "packed": as in a page (docs/report-format.md); "plain": numbers as they are in memory.
  constructor(private bytes: Uint8Array<ArrayBuffer>, private form: "packed" | "plain" = "packed") {}

  numbers(ref: ArrayRef): Numbers {
    let values = this.decoded.get(ref.at);
    if (!values || values.length !== ref.n) {
      values = this.form === "plain" ? view(this.bytes, ref) : decode(this.bytes, ref);
      this.decoded.set(ref.at, values);
    }
    return values;
  }
}

function view(bytes: Uint8Array<ArrayBuffer>, { at, n, type }: ArrayRef): Numbers {
  const start = bytes.byteOffset + at;
  if (type === "u8") return new Uint8Array(bytes.buffer, start, n);
  return type === "f32" ? new Float32Array(bytes.buffer, start, n) : new Float64Array(bytes.buffer, start, n);
}

function decode(bytes: Uint8Array, { at, n, type }: ArrayRef): Numbers {
  const size = type === "f32" ? 4 : type === "f64" ? 8 : 1;
  if (at < 0 || at + n * size > bytes.length) throw new Error("the run in this page is damaged: array out of range");
  if (type === "u8") return bytes.slice(at, at + n);
  const raw = new Uint8Array(n * size);
  for (let plane = 0; plane < size; ++plane)
    for (let i = 0, from = at + plane * n; i < n; ++i) raw[i * size + plane] = bytes[from + i];
  if (type === "f64") return new Float64Array(raw.buffer);
  const bits = new Uint32Array(raw.buffer);
  for (let i = 1; i < n; ++i) bits[i] = (bits[i] + bits[i - 1]) >>> 0;
  return new Float32Array(raw.buffer);
}

function base64(text: string): Uint8Array<ArrayBuffer> {
  const decoder = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (decoder) return decoder.call(Uint8Array, text); // new browsers; several times faster
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The JSON object of the page and its arrays. `what` is what the page shows: a run or a study.
export async function readPage<T extends { format: number }>(what: string): Promise<{ json: T; arrays: Arrays }> {
  const text = (id: string) => document.getElementById(id)?.textContent?.trim() ?? "";
  const source = text("tappet-run");
  if (!source || source.startsWith("<!--")) throw new Error(`this page holds no ${what}: it is the empty template`);
  const json = JSON.parse(source) as T;
  if (json.format !== 1) throw new Error(`this page holds a ${what} of format ${String(json.format)}; expected 1`);
  const packed = text("tappet-arrays");
  return { json, arrays: new Arrays(packed ? await inflate(base64(packed)) : new Uint8Array(0)) };
}

export async function readRun(): Promise<{ run: Run; arrays: Arrays }> {
  const { json, arrays } = await readPage<Run>("run");
  return { run: json, arrays };
}

// The last index whose value is not above x (0 if x is before the first).
export function indexAt(values: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function nearestIndex(values: ArrayLike<number>, x: number): number {
  const i = indexAt(values, x);
  return i + 1 < values.length && values[i + 1] - x < x - values[i] ? i + 1 : i;
}
