// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The page of a study as `tappet view` serves it: a selected run is carried out again, and its page is shown.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { ask, program, serve } from "./studio.mjs";

// Masses that fall freely from h. A negative mass is refused.
const model = `parameters: {m: 2, g: 10, h: 1}
coordinates: {z: {position: h, velocity: 0}}
lagrangian: {kinetic: m*z'^2/2, potential: m*g*z}
run: {scheme: moreau-midpoint, dt: 1e-2, end: 0.1}
`;
let browser;
let view;
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "tappet-study-test-"));
  writeFileSync(join(folder, "falling.yaml"), model);
  execFileSync(program, ["study", "falling.yaml", "--vary", "h=1,2,3", "--vary", "m=2,-1", "--measure", "height=final:z", "--out", "falls"], { cwd: folder, stdio: ["ignore", "ignore", "ignore"] });
  view = await serve(["view", join(folder, "falls"), "--headless"]);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  assert.equal(await view?.stop(), 0);
  rmSync(folder, { recursive: true, force: true });
});

test("a selected run is carried out again and its motion is shown", async () => {
  const page = await browser.newPage();
  const faults = [];
  page.on("pageerror", (e) => faults.push(e.message));
  page.on("console", (m) => m.type() === "error" && faults.push(m.text()));
  await page.goto(view.address);
  await page.waitForSelector("html[data-ready]");
  assert.equal(await page.locator("h1").textContent(), "falling_study");
  assert.equal(await page.locator(".run-page").isVisible(), false);
  await page.locator("#run-number").fill("4");
  await page.locator("#run-number").press("Enter");
  const frame = page.frameLocator(".run-page iframe");
  await frame.locator("html[data-ready]").waitFor({ state: "attached", timeout: 20_000 });
  assert.match(await page.locator(".run-page h2").textContent(), /Run 4/);
  assert.ok(existsSync(join(folder, "falls", "run-4", "report.html")));
  // Run 4: h = 3, m = 2. After 0.1 s the mass has fallen by g t²/2 = 0.05.
  const { q } = JSON.parse(readFileSync(join(folder, "falls", "run-4", "summary.json"), "utf8"));
  assert.ok(Math.abs(q.z - 2.95) < 1e-12, String(q.z));
  assert.deepEqual(faults, []);
  await page.close();
});

test("a run that the model refuses shows why", async () => {
  const reply = await ask(view, "run/1");
  assert.equal(reply.status, 422);
  assert.match(reply.headers["content-type"], /^text\/plain/);
  assert.match(String(reply.body), /mass/);
});

test("other addresses and other visitors are refused", async () => {
  for (const path of ["run/", "run/-1", "run/1x", "run/99", "run/../study.h5", "study.h5", "run/123456789012345678901"])
    assert.notEqual((await ask(view, path)).status, 200, path);
  assert.equal((await ask(view, "run/1", undefined, { headers: { Host: "example.org" } })).status, 403);
  assert.equal((await ask(view, "run/1", undefined, { path: "/0123/run/1" })).status, 403);
  assert.notEqual((await ask(view, "run/1", {})).status, 200);
});
