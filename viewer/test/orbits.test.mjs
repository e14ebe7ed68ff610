// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { folder, frames, launch, open } from "./browser.mjs";
import { Packer, blank } from "./pack.mjs";

const template = process.env.TAPPET_ORBITS_PAGE ?? join(dirname(fileURLToPath(import.meta.url)), "..", "dist", "orbits.html");
const file = join(folder, "orbits.html");
let browser;

// Circles of growing radius. They are unstable from the middle on, and every second one has a motion.
function branch() {
  const p = new Packer();
  const points = Array.from({ length: 21 }, (_, i) => {
    const [at, period] = [1 + i / 20, 2 + i / 10];
    const t = Float64Array.from({ length: 41 }, (_, k) => (k * period) / 40);
    const x = Array.from(t, (s) => at * Math.cos((2 * Math.PI * s) / period));
    const time = p.add(t, "f64");
    const scene = { planar: true, time, items: [{ type: "circle", center: [p.add(x), 0], radius: 0.1, label: "mass" }], forces: [] };
    const run = blank(p, { title: "Circle", dt: period / 40, end: period, steps: 40, time, scene, series: [{ name: "x", unit: "m", group: "position", contact: -1, data: p.add(x) }] });
    return { at, period, stable: i < 10, kind: i === 10 ? "flip" : "", note: "", multipliers: [[-at / 1.5, 0]], slowest_impact: 1, nearest_miss: null,
      events: "impact <stop>", q: [at], u: [0], ...(i % 2 === 0 ? { run } : {}) };
  });
  p.write({ format: 1, title: "Circles <b>", source: "", parameter: "r", q: ["x"], u: ["x"], branches: [{ returns: 1, points }] }, template, file);
}

before(async () => {
  branch();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const shown = (page) => page.evaluate(() => ({ period: window.tappet.view.run.end, playing: window.tappet.view.clock.playing }));

test("the diagram has stable parts solid and unstable parts dashed, and a click shows the motion of an orbit", async () => {
  const { page, faults, close } = await open(browser, file);
  const dashes = await page.locator(".chart path").evaluateAll((paths) => paths.map((path) => path.getAttribute("stroke-dasharray")));
  assert.equal(dashes.filter((d) => d).length, 1);
  assert.equal(dashes.filter((d) => !d).length, 1);
  assert.equal(await page.locator(".chart text", { hasText: /^flip$/ }).count(), 1);
  assert.ok(Math.abs((await shown(page)).period - 2) < 1e-9);
  const box = await page.locator(".chart").boundingBox();
  await page.mouse.click(box.x + box.width - 40, box.y + 40); // the last orbit is at the top right
  await frames(page);
  assert.ok(Math.abs((await shown(page)).period - 4) < 1e-9);
  assert.ok((await shown(page)).playing);
  const details = await page.locator(".diagram dl").textContent();
  assert.match(details, /unstable, period 4 s/);
  assert.match(details, /impact <stop>/);
  await page.locator(".chart").focus();
  await page.keyboard.press("ArrowLeft");
  await frames(page);
  assert.ok(Math.abs((await shown(page)).period - 3.8) < 1e-9);
  assert.deepEqual(faults, []);
  await close();
});
