// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Pages that the program itself wrote: TAPPET_PROGRAM runs shipped models, Chromium opens what comes out.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { folder, frames, launch, open, picture, seek } from "./browser.mjs";

const program = process.env.TAPPET_PROGRAM;
const models = process.env.TAPPET_MODELS.split(";");
let browser;

before(async () => (browser = await launch()));
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(model, ...more) {
  const out = join(folder, String(Math.random()).slice(2));
  mkdirSync(out);
  execFileSync(program, ["run", model, "--out", out, "--quiet", ...more], { stdio: ["ignore", "ignore", "ignore"] });
  return out;
}

// Crowds take long and some of them rest: a few steps show that the page opens.
const crowds = models.filter((m) => m.includes("/many/"));
for (const model of crowds)
  test(`the page of ${model.split("/").at(-1)} opens`, async () => {
    const { page, faults, close } = await open(browser, join(run(model, "--end", "0.02"), "report.html"));
    try {
      assert.ok((await picture(page)).drawn > 300);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

for (const model of models.filter((m) => !crowds.includes(m)))
  test(`the page of ${model.split("/").at(-1)} shows something that moves`, async () => {
    const { page, faults, close } = await open(browser, join(run(model), "report.html"));
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

test("events that the scheme located stand in the list at their own times", async () => {
  const out = run(models.find((m) => m.endsWith("two_carts.yaml")));
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

test("hovering shows the value that the run recorded at that time", async () => {
  const csv = join(folder, "table.csv");
  const out = run(models.find((m) => m.endsWith("slider_crank.yaml")), "--csv", csv);
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
  const out = run(models.find((m) => m.endsWith("slider_crank.yaml")), "--dt", "2e-6", "--end", "0.2");
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
    const { page, faults, close } = await open(browser, join(run(file), "report.html"));
    assert.equal(await page.locator("h1").textContent(), hostile);
    assert.equal(await page.evaluate(() => window.tappet.run.contacts[0].name), contact);
    assert.equal(await page.locator(".lane-name").textContent(), contact.length > 20 ? contact.slice(0, 19) + "…" : contact);
    for (const tab of [1, 2, 3, 4]) await page.locator(`#tab-${tab}`).click();
    assert.equal(await page.locator("img").count(), 0);
    assert.deepEqual(faults, []);
    await close();
  }
});
