// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Requests to the program that delivered the page (docs/studio.md).
import { Arrays, type Run } from "../data";

export interface ModelError {
  line: number; // from 1; 0: nowhere in the file
  column: number;
  key: string;
  message: string;
}
export interface Shown {
  run: Run;
  arrays: Arrays;
}
export type Outcome = { kind: "run"; shown: Shown } | { kind: "errors"; errors: ModelError[] } | { kind: "cancelled" };
export interface What {
  text: string;
  set?: Record<string, number>;
  scheme?: string;
}
export interface Key {
  key: string;
  about: string;
  required: boolean;
}
export interface Keys {
  sections: Key[];
  run: Key[];
  lagrangian: Key[];
  entries: Record<string, { keys: Key[]; types?: { name: string; about: string; keys: Key[] }[] }>;
  schemes: { name: string; about: string }[];
}
export interface Gallery {
  examples: { name: string; folder: string; title: string; text: string }[];
  templates: { name: string; what: string }[];
}
export interface Progress {
  step: number;
  steps: number;
  t: number;
}
// How far a run is. `soFar` is its motion until now, if the page has not seen it yet.
export interface Interim {
  progress: Progress | null;
  soFar?: Shown;
}

// The page keeps its id when it is loaded again, so that its worker is used again. The copy of a page that the browser
// makes in another tab has the same id at first. It takes another one, because one worker computes for one page.
async function pageId(): Promise<string> {
  const known = sessionStorage.getItem("tappet-page");
  // A page that is loaded again may still hold its id for a moment.
  for (let attempt = 0; known && attempt < 4; ++attempt) {
    if (await holds(known)) return known;
    await new Promise((done) => setTimeout(done, 30));
  }
  const id = crypto.randomUUID();
  sessionStorage.setItem("tappet-page", id);
  await holds(id);
  return id;
}

// Whether no other page has this id. It is then that of this page until it is closed.
function holds(id: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((tell) => {
    void navigator.locks.request(`tappet-${id}`, { ifAvailable: true }, (lock) => {
      tell(lock !== null);
      return lock && new Promise(() => {});
    });
  });
}

async function send(path: string, body: object): Promise<Response> {
  const response = await fetch(`api/${path}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  return response;
}

// JSON and bytes in one body: four bytes with the length of the JSON text, the text, the bytes.
async function frame(response: Response): Promise<{ json: Record<string, unknown>; bytes: Uint8Array<ArrayBuffer> }> {
  const body = await response.arrayBuffer();
  if (!response.ok) throw new Error(problem(response.status, new TextDecoder().decode(body)));
  const length = new DataView(body).getUint32(0, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, length))) as Record<string, unknown>;
  return { json, bytes: new Uint8Array(body, 4 + length) };
}

function problem(status: number, text: string): string {
  try {
    return (JSON.parse(text) as { error: string }).error;
  } catch {
    return `the program answered with status ${status}`;
  }
}

export class Server {
  private readonly load = crypto.randomUUID();
  private number = 0; // of requests since the page was loaded
  private seen = 0; // the number of the last motion so far

  private constructor(private readonly id: string) {}

  static async connect(): Promise<Server> {
    return new Server(await pageId());
  }

  // What tells the program the order of requests, which may overtake each other.
  private get turn() {
    return { load: this.load, number: ++this.number };
  }

  // `lane` distinguishes runs of one page that go on at the same time.
  async run(what: What, lane = ""): Promise<Outcome> {
    const { json, bytes } = await frame(await send("run", { ...what, page: this.id + lane, ...this.turn }));
    if (json.cancelled) return { kind: "cancelled" };
    if (json.errors) return { kind: "errors", errors: json.errors as ModelError[] };
    return { kind: "run", shown: { run: json.run as Run, arrays: new Arrays(bytes, "plain") } };
  }
  async progress(): Promise<Interim> {
    const { json, bytes } = await frame(await send("progress", { page: this.id, seen: this.seen }));
    const { progress, seen, run } = json as { progress: Progress | null; seen?: number; run?: Run };
    if (!seen || !run) return { progress };
    this.seen = seen;
    return { progress, soFar: { run, arrays: new Arrays(bytes, "plain") } };
  }
  async exported(what: What, kind: string): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
    const { json, bytes } = await frame(await send("export", { ...what, kind, page: `${this.id}-export`, ...this.turn }));
    if (json.errors) throw new Error((json.errors as ModelError[])[0].message);
    return { name: json.name as string, bytes };
  }
  // The new version, or null if the file has changed on disk.
  async save(text: string, version: string, overwrite: boolean): Promise<string | null> {
    const response = await send("save", { text, version, overwrite });
    if (response.status === 409) return null;
    const body = await response.text();
    if (!response.ok) throw new Error(problem(response.status, body));
    return (JSON.parse(body) as { version: string }).version;
  }
  model(): Promise<{ text: string; version: string; file: string; name: string }> {
    return this.get("model");
  }
  keys(): Promise<Keys> {
    return this.get("keys");
  }
  gallery(): Promise<Gallery> {
    return this.get("models");
  }
  private async get<T>(path: string): Promise<T> {
    const response = await fetch(`api/${path}`);
    if (!response.ok) throw new Error(problem(response.status, await response.text()));
    return (await response.json()) as T;
  }
}
