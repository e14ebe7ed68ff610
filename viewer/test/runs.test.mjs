// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Pages that the program itself wrote: TAPPET_PROGRAM runs examples, and Chromium opens the pages.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { folder, frames, launch, open, picture, seek } from "./browser.mjs";

const program = process.env.TAPPET_PROGRAM;
const models = process.env.TAPPET_MODELS.split(";");
let browser;

before(async () => (browser = await launch()));
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const execute = promisify(execFile);
async function run(model, ...more) {
  const out = join(folder, String(Math.random()).slice(2));
  mkdirSync(out);
  await execute(program, ["run", model, "--out", out, "--quiet", ...more]);
  return out;
}

// One page is looked at while the program computes the next run.
describe("every model", { concurrency: 2 }, () => {
  // Models with many bodies take long, and some are at rest. A few steps show that the page opens.
  const crowds = models.filter((m) => m.includes("/many/"));
  for (const model of crowds)
    test(`the page of ${model.split("/").at(-1)} opens`, async () => {
      const { page, faults, close } = await open(browser, join(await run(model, "--end", "0.02"), "report.html"));
      try {
        assert.ok((await picture(page)).drawn > 300);
        assert.deepEqual(faults, []);
      } finally {
        await close();
      }
    });

  // Of these four, which took most of the time, the beginning shows the same as the whole.
  const shorter = { rover: "2", circuit_breaker: "4e-3", guided_hopper_bodies: "0.3", escapement: "2" };
  const endOf = (model) => shorter[model.split("/").at(-1).replace(".yaml", "")];
  for (const model of models.filter((m) => !crowds.includes(m)))
    test(`the page of ${model.split("/").at(-1)} shows something that moves`, async () => {
      const { page, faults, close } = await open(browser, join(await run(model, ...(endOf(model) ? ["--end", endOf(model)] : [])), "report.html"));
      try {
        const start = await picture(page);
        assert.ok(start.drawn > 300, `${start.drawn} pixels drawn`);
        const end = await page.evaluate(() => window.tappet.clock.end);
        await seek(page, 0.37 * end);
        assert.notEqual((await picture(page)).hash, start.hash);
        assert.deepEqual(faults, []);
      } finally {
        await close();
      }
    });
});

test("events that the scheme located stand in the list at their own times", async () => {
  const out = await run(models.find((m) => m.endsWith("two_carts.yaml")));
  const { page, faults, close } = await open(browser, join(out, "report.html"));
  try {
    const { events } = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
    const reversal = events.find((e) => e.kind === "reversal");
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByLabel("Kind of event").selectOption("reversal");
    const first = page.locator(".event-list tbody tr").first();
    assert.match(await first.textContent(), /reversal/);
    await first.getByRole("button").click();
    assert.equal(await page.evaluate(() => window.tappet.clock.time), reversal.t);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

const withEvents = [["slider_crank", "--scheme", "event-driven", "--option", "accumulate=close", "--end", "0.05"], ["two_carts"], ["sliding_block"]];
for (const [model, ...more] of withEvents)
test(`events of ${model} stand in the list at the times of summary.json, and no phase begins before its cause`, async () => {
  const out = await run(models.find((m) => m.endsWith(`${model}.yaml`)), ...more);
  const { page, faults, close } = await open(browser, join(out, "report.html"));
  try {
    const { events } = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
    const told = events.filter((e) => e.kind !== "impact").map((e) => `${e.t} ${e.kind} ${e.contact}`);
    const shown = await page.evaluate(() => window.tappet.run.contacts.flatMap((c) => c.marks.map((m) => `${m.time} ${m.kind} ${c.name}`)));
    assert.ok(told.length > 3, "events to compare");
    assert.deepEqual(shown.sort(), told.sort());
    await page.getByRole("tab", { name: "Events" }).click();
    for (const kind of new Set(events.map((e) => e.kind))) {
      await page.getByLabel("Kind of event").selectOption(kind);
      const first = events.find((e) => e.kind === kind);
      const rows = await page.locator(".event-list tbody tr").count();
      const fromStart = rows - events.filter((e) => e.kind === kind).length;
      assert.ok(fromStart >= 0 && fromStart <= 4, `${rows} rows of ${kind}`); // and phases that last from the start on
      await page.locator(".event-list tbody tr").nth(fromStart).getByRole("button").click();
      assert.equal(await page.evaluate(() => window.tappet.clock.time), first.t);
    }
    // Bars begin and end at events that were located, or with the run.
    const times = new Set([0, ...events.map((e) => e.t)]);
    const froms = await page.evaluate(() => window.tappet.run.contacts.flatMap((c) => Array.from(window.tappet.arrays.numbers(c.phases.from))));
    for (const from of froms) assert.ok(times.has(from), `a phase from ${from}`);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("the feet of a robot have a lane, a curve of forces and an arrow each", async () => {
  const out = await run(models.find((m) => m.endsWith("standing_quadruped.yaml")), "--end", "1");
  const { page, faults, close } = await open(browser, join(out, "report.html"));
  try {
    const feet = ["front_left-ground", "front_right-ground", "hind_left-ground", "hind_right-ground"];
    assert.deepEqual(await page.locator(".lane-name").allTextContents(), feet);
    const card = page.locator('.card[data-group="found_N"]');
    assert.deepEqual(await card.locator(".entry .name").allTextContents(), feet);
    const { total, arrows } = await page.evaluate(() => {
      const { run, arrays } = window.tappet;
      const forces = run.series.filter((s) => s.group === "found_N").map((s) => arrays.numbers(s.data));
      return { total: forces.reduce((sum, f) => sum + f[f.length - 1], 0), arrows: run.scene.forces.length };
    });
    assert.ok(Math.abs(total - 117.72) < 0.05 * 117.72, `${total} N on all feet`);
    assert.equal(arrows, 4);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("metres and radians have plots of their own", async () => {
  const out = await run(models.find((m) => m.endsWith("slider_crank_bodies.yaml")), "--end", "0.01");
  const { page, faults, close } = await open(browser, join(out, "report.html"));
  try {
    const units = await page.locator('.card[data-group="position"]').evaluateAll((cards) => cards.map((c) => c.dataset.unit));
    assert.deepEqual(units, ["m", "rad"]);
    for (const unit of units) {
      const values = await page.locator(`.card[data-unit="${unit}"] .value`).allTextContents();
      for (const value of values) assert.ok(value.endsWith(` ${unit}`) || value.startsWith("0"), value);
    }
    const choice = page.locator('.card[data-unit="rad"] select');
    assert.match(await choice.locator("option:checked").textContent(), /Positions \[rad\]/);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("a disc that rolls is drawn, and a link from joint to foot", async () => {
  const file = join(folder, "disc.yaml");
  writeFileSync(file, `bodies:\n  disc: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.02], position: [0, 0, 0.2], velocity: [1, 0, 0], spin: [0, 0, 5],\n` +
    `         rotation: {axis: [1, 0, 0], angle: -pi/2}}\n` +
    `  leg: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 2, 1]}\n` +
    `joints:\n  roll: {type: rolling, bodies: [disc, ground], radius: 0.2, axis: [0, 0, 1], normal: [0, 0, 1]}\n` +
    `  hip: {type: spherical, bodies: [ground, leg], at: [0, 2, 1.3]}\n` +
    `colliders:\n  foot: {type: sphere, body: leg, radius: 0.05, center: [0, 0, -0.4]}\n  floor: {type: plane, body: ground, normal: [0, 0, 1]}\n` +
    `run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.1}\n`);
  const { page, faults, close } = await open(browser, join(await run(file), "report.html"));
  try {
    const items = await page.evaluate(() => window.tappet.run.scene.items.map((i) => ({ kind: i.kind, label: i.label, radius: i.radius,
      start: Array.from({ length: i.count ?? 0 }, (_, p) => [0, 1, 2].map((k) => { const a = window.tappet.arrays.numbers(i.points); return a[(3 * p + k) * (a.length / (3 * i.count))]; })) })));
    const disc = items.find((i) => i.kind === "cylinder" && i.label === "disc");
    assert.ok(disc && Math.abs(disc.radius - 0.2) < 1e-6, "a flat cylinder");
    const link = items.find((i) => i.kind === "line" && i.label === "leg");
    assert.ok(link, "a line of the leg");
    const close3 = (a, b) => a.every((x, k) => Math.abs(x - b[k]) < 1e-5);
    assert.ok(close3(link.start[0], [0, 2, 1.3]) && close3(link.start[1], [0, 2, 0.6]), JSON.stringify(link.start));
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("hovering shows the value that the run recorded at that time", async () => {
  const csv = join(folder, "table.csv");
  const out = await run(models.find((m) => m.endsWith("slider_crank.yaml")), "--csv", csv);
  const [head, ...rows] = readFileSync(csv, "utf8").trim().split("\n").map((line) => line.split(","));
  const [t, theta] = ["t", "theta1"].map((name) => head.findIndex((h) => h === name));
  assert.ok(t >= 0 && theta >= 0, head.join());
  const { page, faults, close } = await open(browser, join(out, "report.html"));
  try {
    const card = page.locator('.card[data-group="position"]');
    const box = await card.locator(".u-over").boundingBox();
    for (const part of [0.21, 0.5, 0.83]) {
      await page.mouse.move(box.x + part * box.width, box.y + box.height / 2);
      await frames(page);
      const time = Number((await card.locator(".when").textContent()).replace(" s", ""));
      const shown = Number((await card.locator(".value").first().textContent()).split(" ")[0].replace("−", "-"));
      const row = rows.reduce((a, b) => (Math.abs(b[t] - time) < Math.abs(a[t] - time) ? b : a));
      assert.ok(Math.abs(shown - row[theta]) <= 5.1e-6 * Math.abs(row[theta]), `${shown} against ${row[theta]}`);
    }
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("the slider-crank of a hundred thousand steps is a page below 8 MB", async () => {
  const out = await run(models.find((m) => m.endsWith("slider_crank.yaml")), "--dt", "2e-6", "--end", "0.2");
  assert.ok(statSync(join(out, "report.html")).size < 8e6);
  const { page, close } = await open(browser, join(out, "report.html"));
  const ready = await page.evaluate(() => performance.now());
  console.log(`${(statSync(join(out, "report.html")).size / 1e6).toFixed(1)} MB, ready after ${ready.toFixed(0)} ms`);
  await page.locator("#tab-3").click();
  assert.match(await page.locator(".alert.note").textContent(), /of 100001 recorded steps/);
  await close();
});

test("names of a model file that are markup, quotes or very long are shown as text", async () => {
  const hostile = `</script><img src=x onerror=alert(1)><script>alert(2)</script>`;
  for (const contact of [`<img src=x onerror=alert(1)>'"&`, "c".repeat(10_000)]) {
    const file = join(folder, "hostile.yaml");
    writeFileSync(file, `title: ${JSON.stringify(hostile)}\nsource: ${"s".repeat(10_000)}\ncoordinates:\n  x: {position: 1, velocity: 0}\n` +
      `lagrangian: {kinetic: x'^2/2, potential: 10*x}\ncontacts:\n  ? ${JSON.stringify(contact)}\n  : {gap: x, e_N: 0.5, mu: 0}\n` +
      `draw:\n  - circle: {center: [0, x], radius: 0.1, label: ${JSON.stringify(hostile)}}\nrun: {scheme: moreau-midpoint, dt: 1e-3, end: 1}\n`);
    const { page, faults, close } = await open(browser, join(await run(file), "report.html"));
    assert.equal(await page.locator("h1").textContent(), hostile);
    assert.equal(await page.evaluate(() => window.tappet.run.contacts[0].name), contact);
    assert.equal(await page.locator(".lane-name").textContent(), contact.length > 20 ? contact.slice(0, 19) + "…" : contact);
    for (const tab of [1, 2, 3, 4]) await page.locator(`#tab-${tab}`).click();
    assert.equal(await page.locator("img").count(), 0);
    assert.deepEqual(faults, []);
    await close();
  }
});
