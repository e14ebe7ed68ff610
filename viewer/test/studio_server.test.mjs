// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The server of the studio without a browser: who is admitted, what runs give, and that nothing brings it down.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, childrenOf, crowded, models, program, startStudio, unpack } from "./studio.mjs";

let studio;
let text;
before(async () => {
  studio = await startStudio("schindler2014/slider_crank.yaml");
  text = studio.read();
});
after(async () => assert.equal(await studio?.stop(), 0));

const run = async (what, other) => unpack(await ask(studio, "api/run", { page: "a", text, ...what }, other));
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

function doubles({ bytes }, { at, n, type }) {
  assert.equal(type, "f64");
  return Array.from({ length: n }, (_, i) => bytes.readDoubleLE(at + 8 * i));
}

test("a run is that of `tappet run`", async () => {
  const answer = await run({});
  assert.equal(answer.json.run.steps, 2000);
  const time = doubles(answer, answer.json.run.time);
  assert.equal(time.length, 2001);
  assert.equal(time[2000], 0.2);
  const out = join(studio.folder, "out");
  execFileSync(program, ["run", studio.file, "--out", out, "--quiet", "--no-report"]);
  const summary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
  assert.deepEqual(answer.json.run.summary.energy, summary.energy);
  const series = answer.json.run.series.find((s) => s.name === "theta1" && s.group === "position");
  assert.equal(answer.bytes.readFloatLE(series.data.at + 4 * 2000), Math.fround(summary.q.theta1));
});

test("parameters, scheme, dt and end can be overridden", async () => {
  const { json } = await run({ set: { mu: 0.2 }, scheme: "moreau-midpoint", dt: 2e-4, end: 0.1 });
  assert.equal(json.run.steps, 500);
  assert.equal(json.run.scheme, "moreau-midpoint");
  assert.equal(json.run.parameters.find((p) => p.name === "mu").value, 0.2);
});

test("an error has its line, column and key", async () => {
  const broken = text.replace("mu: 0.01", "mu: 0.01x");
  const { json } = await run({ text: broken });
  const line = broken.split("\n").findIndex((l) => l.includes("0.01x")) + 1;
  assert.equal(json.errors.length, 1);
  assert.equal(json.errors[0].line, line);
  assert.equal(json.errors[0].key, "parameters.mu");
  const checked = unpack(await ask(studio, "api/check", { page: "a", text: broken })).json;
  assert.deepEqual(checked.errors, json.errors);
  assert.deepEqual(unpack(await ask(studio, "api/check", { page: "a", text })).json.errors, []);
});

// --- who is admitted -------------------------------------------------------------------------------------------------

const refusals = {
  "a foreign Origin": { headers: { Origin: "http://evil.example" } },
  "no Origin": { headers: { Origin: null } },
  "the Origin null": { headers: { Origin: "null" } },
  "another port as Origin": { headers: { Origin: "http://127.0.0.1:1" } },
  "a foreign Host (DNS rebinding)": { headers: { Host: "evil.example" } },
  "a foreign Host with our port": (s) => ({ headers: { Host: `evil.example:${s.port}`, Origin: `http://evil.example:${s.port}` } }),
  "a cross-site request": { headers: { "Sec-Fetch-Site": "cross-site" } },
  "a form": { headers: { "Content-Type": "text/plain" } },
  "no token": { path: "/api/run" },
  "a wrong token": { path: `/${"0".repeat(32)}/api/run` },
  "a token that is too short": (s) => ({ path: `/${s.token.slice(0, 31)}/api/run` }),
  "an empty token": { path: "//api/run" },
  "another method": { method: "PUT" },
};
for (const [what, other] of Object.entries(refusals))
  test(`${what} is refused`, async () => {
    const { status, body } = await ask(studio, "api/run", { page: "a", text }, typeof other === "function" ? other(studio) : other);
    assert.ok(status === 403 || status === 404, `status ${status}`);
    assert.ok(body.length < 200);
  });

test("localhost is the same computer", async () => {
  const { status } = await ask(studio, "api/check", { page: "a", text }, { headers: { Host: `localhost:${studio.port}`, Origin: `http://localhost:${studio.port}` } });
  assert.equal(status, 200);
});

test("the page may not be framed, cached or guessed, and its address is not passed on", async () => {
  const { status, headers } = await ask(studio, "");
  assert.equal(status, 200);
  assert.match(headers["content-security-policy"], /frame-ancestors 'none'/);
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers["referrer-policy"], "no-referrer");
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.match(studio.token, /^[0-9a-f]{32}$/);
  assert.equal(headers["access-control-allow-origin"], undefined);
});

test("what is sent to the same computer is not compressed first", async () => {
  for (const path of ["", "api/models", "api/keys"]) {
    const plain = await ask(studio, path);
    const offered = await ask(studio, path, undefined, { headers: { "Accept-Encoding": "gzip, deflate, br" } });
    assert.equal(offered.headers["content-encoding"], undefined, path);
    assert.equal(Number(offered.headers["content-length"]), plain.body.length, path);
    assert.ok(offered.body.equals(plain.body), path);
  }
});

test("only the loopback interface listens", async () => {
  const hex = studio.port.toString(16).toUpperCase().padStart(4, "0");
  const listening = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((f) => readFileSync(f, "utf8").split("\n"))
    .map((line) => line.trim().split(/\s+/)).filter((cells) => cells[3] === "0A" && cells[1].endsWith(`:${hex}`));
  assert.deepEqual(listening.map((cells) => cells[1]), [`0100007F:${hex}`]);
});

// --- paths -----------------------------------------------------------------------------------------------------------

for (const path of ["../../../../etc/passwd", "..%2f..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "api/../../etc/passwd", "\\..\\..\\etc\\passwd", "api/model/../../../../etc/passwd", "slider_crank.yaml"])
  test(`the path ${path} leads nowhere`, async () => {
    const { status, body } = await ask(studio, path);
    assert.notEqual(status, 200);
    assert.ok(!body.includes("root:"));
  });

const reads = (file) => `coordinates: {x: {position: 0}}\nlagrangian: {kinetic: x'^2/2, potential: "x*table(t, ${file})"}\nrun: {dt: 1e-3, end: 0.01}\n`;
test("a model reads files beside it and nowhere else", async () => {
  writeFileSync(join(studio.folder, "near.csv"), "0,1\n1,2\n");
  writeFileSync(join(studio.folder, "..", "tappet-far.csv"), "0,1\n1,2\n");
  mkdirSync(join(studio.folder, "inside"), { recursive: true });
  writeFileSync(join(studio.folder, "inside", "near.csv"), "0,1\n1,2\n");
  symlinkSync("/etc", join(studio.folder, "link"));
  const check = async (file) => unpack(await ask(studio, "api/check", { page: "a", text: reads(file) })).json.errors;
  assert.deepEqual(await check("near.csv"), []);
  assert.deepEqual(await check("inside/near.csv"), []);
  for (const file of ["../tappet-far.csv", "/etc/passwd", "inside/../../tappet-far.csv", "link/passwd", "/dev/stdin", "/proc/self/environ"]) {
    const [error] = await check(file);
    assert.match(error?.message ?? "nothing", /outside the folder of the model/, file);
  }
});

// --- sizes and slowness ----------------------------------------------------------------------------------------------

test("100 MB are refused, and the server goes on", async () => {
  const answer = await ask(studio, "api/run", `{"page":"a","text":"${"x".repeat(100 << 20)}"}`).catch((error) => ({ status: error.code }));
  assert.ok([413, "ECONNRESET", "EPIPE"].includes(answer.status), String(answer.status));
  assert.equal((await run({})).json.run.steps, 2000);
});

test("slow clients do not keep others from being served, and are dropped", { timeout: 60_000 }, async () => {
  const slow = Array.from({ length: 40 }, () => connect(studio.port, "127.0.0.1"));
  for (const socket of slow) {
    socket.on("error", () => {});
    socket.resume();
    socket.write("POST / HTTP/1.1\r\n");
  }
  const began = performance.now();
  assert.equal((await run({})).json.run.steps, 2000);
  assert.ok(performance.now() - began < 3000, `${performance.now() - began} ms`);
  const dropped = Promise.all(slow.map((socket) => new Promise((done) => socket.on("close", done))));
  await Promise.race([dropped, pause(30_000).then(() => assert.fail("a slow client is still connected after 30 s"))]);
});

test("what is not JSON, and JSON of other kinds, is answered with an error", async () => {
  for (const body of ["", "{", "[]", "1", "null", '"x"', "\0\xff", '{"page":1}', '{"page":"' + "p".repeat(65) + '"}'])
    assert.equal((await ask(studio, "api/run", body)).status, 400, body);
  for (const what of [{ text: 1 }, { text: null }, { text: "" }, { text, set: 3 }, { text, set: { mu: [] } }, { text, dt: "x", scheme: {} }, { text, dt: -1 }, { text, scheme: "none" }])
    assert.equal((await ask(studio, "api/run", { page: "a", ...what })).status, 200);
});

test("a run that records nothing is an error with its place", async () => {
  const { json } = await run({ text: text.replace("end: 0.2", "end: 0.2, record: none") });
  assert.match(json.errors[0].message, /records nothing/);
});

test("hostile names in a model are data", async () => {
  const names = ["<img src=x onerror=alert(1)>", "../../../tmp/x", "a\\u0000b", "%s%n", "é".repeat(300)];
  for (const name of names) {
    const { json } = await run({ text: `title: "${name}"\ncoordinates: {y: {position: 1}}\nlagrangian: {kinetic: y'^2/2, potential: 0}\ncontacts: {"${name}": {gap: y}}\nrun: {dt: 1e-2, end: 0.1}\n` });
    assert.ok(json.run ? json.run.steps === 10 : json.errors.length === 1, JSON.stringify(json).slice(0, 300));
  }
});

// --- typing errors that would take long ------------------------------------------------------------------------------

test("too many steps are refused with the line of `run`", async () => {
  const { json } = await run({ text: text.replace("dt: 1e-4", "dt: 1e-14") });
  assert.match(json.errors[0].message, /steps; the studio computes at most 2000000/);
  assert.ok(json.errors[0].line > 0);
});

test("a model that needs too much memory is an error, and the next run works", { timeout: 120_000 }, async () => {
  const small = await startStudio("first_model.yaml", "--most-memory", "512", "--most-seconds", "20");
  try {
    const huge = "bodies: {b: {for: {i: 1..9999999}, type: point, mass: 1, position: [i, 0, 0]}}\nrun: {dt: 1e-3, end: 1}\n";
    const { json } = unpack(await ask(small, "api/run", { page: "a", text: huge }));
    assert.equal(json.errors.length, 1);
    assert.ok(unpack(await ask(small, "api/run", { page: "a", text: small.read() })).json.run.steps > 0);
  } finally {
    assert.equal(await small.stop(), 0);
  }
});

const long = () => text.replace("end: 0.2", "end: 150");
test("a new request cancels the run before it within 50 ms, or kills it", { timeout: 60_000 }, async () => {
  const times = [];
  for (let i = 0; i < 5; ++i) {
    const first = run({ text: long() });
    await pause(400);
    const began = performance.now();
    const second = ask(studio, "api/check", { page: "a", text });
    assert.deepEqual((await first).json, { cancelled: true });
    times.push(performance.now() - began);
    assert.deepEqual(unpack(await second).json.errors, []);
  }
  times.sort((a, b) => a - b);
  console.log(`# cancelled after ${times.map((t) => t.toFixed(0)).join(", ")} ms; ${crowded().toFixed(1)} processes per core`);
  assert.ok(times[2] < 50 * crowded(), `median ${times[2]} ms`);
});

// The change comes while the run before it begins, computes, writes its answer or ends, and while it is killed.
test("a change at any time of a run leads to the new run", { timeout: 180_000 }, async () => {
  const some = text.replace("end: 0.2", "end: 8");
  const began = performance.now();
  await run({ text: some });
  const whole = performance.now() - began;
  for (let i = 0; i < 30; ++i) {
    const first = run({ text: some, load: "z", number: 2 * i });
    await pause((1.2 * whole * i) / 30);
    const { json } = await run({ load: "z", number: 2 * i + 1 });
    assert.equal(json.run?.steps, 2000, JSON.stringify(json).slice(0, 300));
    assert.ok((await first).json.cancelled || (await first).json.run, "the first one is cancelled or done");
  }
});

test("a request that arrives after a newer one changes nothing", { timeout: 60_000 }, async () => {
  const newest = run({ text: long(), load: "x", number: 5 });
  await pause(300);
  assert.deepEqual((await run({ load: "x", number: 4 })).json, { cancelled: true });
  assert.ok(unpack(await ask(studio, "api/progress", { page: "a", seen: 0 })).json.progress, "the newer one goes on");
  assert.equal((await run({ load: "y", number: 1 })).json.run.steps, 2000, "a page that was loaded again counts anew");
  assert.deepEqual((await newest).json, { cancelled: true });
  for (const [load, number] of [[1, 1], ["y", "2"], [null, {}], ["y", 0.5]]) assert.equal((await run({ load, number })).json.run.steps, 2000, "what is no order is ignored");
});

test("progress of a long run can be asked for, and other pages go on", { timeout: 60_000 }, async () => {
  const first = run({ text: long() });
  await pause(600);
  const { progress } = unpack(await ask(studio, "api/progress", { page: "a" })).json;
  assert.ok(progress.step > 0 && progress.step < progress.steps, JSON.stringify(progress));
  let motion;
  for (let i = 0; i < 50 && !motion?.json.run; ++i) {
    await pause(100);
    motion = unpack(await ask(studio, "api/progress", { page: "a", seen: 0 }));
  }
  const { seen, run: soFar } = motion.json;
  assert.equal(soFar.status, "running");
  assert.ok(soFar.time.n > 10 && motion.bytes.length > 8 * soFar.time.n);
  assert.equal(unpack(await ask(studio, "api/progress", { page: "a", seen: seen + 1000 })).json.run, undefined);
  assert.equal((await run({ page: "b" })).json.run.steps, 2000);
  await ask(studio, "api/check", { page: "a", text });
  assert.deepEqual((await first).json, { cancelled: true });
});

test("a worker that is killed is replaced", { timeout: 60_000 }, async () => {
  const first = run({ text: long() });
  await pause(400);
  const workers = childrenOf(studio.child.pid);
  assert.ok(workers.length > 0);
  for (const worker of workers) process.kill(Number(worker), "SIGKILL");
  assert.match((await first).json.errors[0].message, /killed/);
  assert.equal((await run({})).json.run.steps, 2000);
});

// --- the file --------------------------------------------------------------------------------------------------------

test("the file changes only on save, and not if it has changed outside", async () => {
  const { version } = JSON.parse((await ask(studio, "api/model")).body);
  assert.equal(studio.read(), text);
  const saved = await ask(studio, "api/save", { text: text + "# one\n", version });
  assert.equal(saved.status, 200);
  assert.equal(studio.read(), text + "# one\n");
  assert.equal((await ask(studio, "api/save", { text: "lost", version })).status, 409, "an old version");
  writeFileSync(studio.file, text + "# outside\n");
  const next = JSON.parse(saved.body).version;
  assert.equal((await ask(studio, "api/save", { text: "lost", version: next })).status, 409, "changed outside");
  assert.equal(studio.read(), text + "# outside\n");
  assert.equal((await ask(studio, "api/save", { text, version: next, overwrite: true })).status, 200);
  assert.equal(studio.read(), text);
  assert.equal((await ask(studio, "api/save", { text: 1, version: next })).status, 400);
  assert.ok(readdirSync(studio.folder).every((f) => !f.startsWith(".")), "no draft is left");
});

test("exports are the files that `tappet run` writes", { timeout: 60_000 }, async () => {
  const exported = async (kind) => unpack(await ask(studio, "api/export", { page: "x", text, kind }));
  const report = await exported("report");
  assert.equal(report.json.name, "report.html");
  assert.match(report.bytes.toString("utf8", 0, 200), /^<!doctype html>/);
  assert.equal((await exported("hdf5")).bytes.toString("latin1", 1, 4), "HDF");
  const table = (await exported("csv")).bytes.toString().trim().split("\n");
  assert.equal(table.filter((line) => !line.startsWith("#")).length, 2002);
});

test("keys and examples are listed", async () => {
  const keys = JSON.parse((await ask(studio, "api/keys")).body);
  assert.ok(keys.schemes.some((s) => s.name === "moreau-midpoint"));
  const revolute = keys.entries.joints.types.find((t) => t.name === "revolute");
  assert.ok(revolute.keys.some((k) => k.key === "at"));
  const { examples, templates } = JSON.parse((await ask(studio, "api/models")).body);
  assert.equal(examples.find((e) => e.name === "first_model").text, readFileSync(join(models, "first_model.yaml"), "utf8"));
  assert.ok(templates.length >= 5);
});
