// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Starts `tappet studio` (TAPPET_PROGRAM) on a copy of a model, or another command that serves a page, and speaks with it.
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { request } from "node:http";
import { cpus, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const program = process.env.TAPPET_PROGRAM ?? join(here, "..", "..", "build", "tappet");
export const models = join(here, "..", "..", "models");

// Starts the program and waits for the address that it prints.
export async function serve(args) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((done, fail) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      if (text.includes("\n")) done(text.split("\n")[0]);
    });
    child.on("exit", (code) => fail(new Error(`tappet ${args[0]} ended with code ${code}: ${text}`)));
  });
  const { port, pathname } = new URL(address);
  return {
    address, child, port: Number(port), token: pathname.split("/")[1],
    async stop() {
      const ended = new Promise((done) => child.on("exit", done));
      child.kill("SIGINT");
      return ended;
    },
  };
}

export async function startStudio(model, ...more) {
  const folder = mkdtempSync(join(tmpdir(), "tappet-studio-test-"));
  const file = join(folder, basename(model));
  copyFileSync(join(models, model), file);
  const server = await serve(["studio", file, "--headless", ...more]);
  return {
    ...server, file, folder,
    read: () => readFileSync(file, "utf8"),
    async stop() {
      const code = await server.stop();
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

// A request as a page of the studio sends it, with what `other` changes.
export function ask(studio, path, body, other = {}) {
  const origin = `http://127.0.0.1:${studio.port}`;
  const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  const headers = { Host: `127.0.0.1:${studio.port}`, ...(text === undefined ? {} : { Origin: origin, "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) }), ...other.headers };
  for (const key of Object.keys(headers)) if (headers[key] === null) delete headers[key];
  return new Promise((done, fail) => {
    const sent = request({ host: "127.0.0.1", port: studio.port, path: other.path ?? `/${studio.token}/${path}`, method: other.method ?? (text === undefined ? "GET" : "POST"), headers, setHost: false }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }));
    });
    sent.on("error", fail);
    sent.end(text);
  });
}

// The processes that a process has started, from whichever of its threads.
export function childrenOf(pid) {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(/\s+/)).filter(Boolean);
}

// The number of processes that want each core. Bars for times hold on a machine that does nothing else, and tests often
// share theirs: a time is compared with the bar multiplied by this number.
export function crowded() {
  const load = Number(readFileSync("/proc/loadavg", "utf8").split(" ")[0]);
  return Math.max(1, load / cpus().length);
}

// The JSON and the bytes of an answer to run, check or export.
export function unpack({ status, body }) {
  if (status !== 200) throw new Error(`status ${status}: ${body}`);
  const length = body.readUInt32LE(0);
  return { json: JSON.parse(body.subarray(4, 4 + length)), bytes: body.subarray(4 + length) };
}
