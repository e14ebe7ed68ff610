// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The tools of the studio's page: save, compare, examples and templates, exports, parts, long runs.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { frames } from "./browser.mjs";
import { models } from "./studio.mjs";
import { modelText, open as openPage, setText, settled, slide, useStudio } from "./studio_page.mjs";

let browser;
let studio;
let text;
useStudio((its) => ({ browser, studio, text } = its));

const open = (to = studio, options) => openPage(browser, to, options);

test("saving writes the file, and asks before it overwrites a file that changed outside", async () => {
  const { page, close } = await open();
  try {
    await slide(page, "mu", 0.02);
    await settled(page);
    await page.keyboard.press("Control+s");
    await page.waitForFunction(() => document.querySelector("#save").textContent === "Saved");
    assert.equal(studio.read(), await modelText(page));
    writeFileSync(studio.file, text + "# outside\n");
    await slide(page, "mu", 0.03);
    await settled(page);
    page.once("dialog", (d) => d.dismiss());
    await page.locator("#save").click();
    await settled(page);
    assert.equal(studio.read(), text + "# outside\n");
    page.once("dialog", (d) => d.accept());
    await page.locator("#save").click();
    await page.waitForFunction(() => document.querySelector("#save").textContent === "Saved");
    assert.equal(studio.read(), await modelText(page));
  } finally {
    writeFileSync(studio.file, text);
    await close();
  }
});

test("pin, a second scheme and a sweep show runs beside the present one", { timeout: 60_000 }, async () => {
  const { page, faults, close } = await open();
  try {
    const ghosts = () => page.evaluate(() => window.tappet.view.plotsOf().ghosts.length);
    await page.locator(".comparison summary").click();
    await page.locator("#pin").click();
    assert.equal(await ghosts(), 1);
    await slide(page, "mu", 0.02);
    await settled(page);
    assert.equal(await ghosts(), 1);
    await page.locator("#pin").click();
    assert.equal(await ghosts(), 0);
    await page.locator("#second-scheme").selectOption("moreau-midpoint");
    await page.waitForSelector(".beside .stage[data-title=moreau-midpoint]");
    assert.equal(await ghosts(), 1);
    await page.locator("#second-scheme").selectOption("");
    await page.locator("#sweep-parameter").selectOption("e_N");
    await page.locator("#sweep").click();
    await page.waitForFunction(() => document.querySelectorAll(".swept").length === 5, undefined, { timeout: 20_000 });
    assert.equal(await ghosts(), 5);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("examples take the place of the text, and exports are downloaded", { timeout: 60_000 }, async () => {
  const { page, faults, close } = await open();
  try {
    await page.getByRole("button", { name: "Examples" }).click();
    await page.getByRole("dialog").getByRole("button", { name: /^bouncing_ball/ }).click();
    await settled(page);
    assert.match(await page.locator("h1").textContent(), /[Bb]all/);
    assert.equal(studio.read(), text);
    for (const [entry, name] of [["Report page", /\.html$/], ["Numbers (HDF5)", /\.h5$/], ["Table (CSV)", /\.csv$/], ["Picture (PNG)", /\.png$/]]) {
      await page.locator("header .menu summary").click();
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: entry, exact: true }).click()]);
      assert.match(download.suggestedFilename(), name);
      assert.ok(readFileSync(await download.path()).length > 1000, entry);
    }
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("a click on a part goes to its lines, and a body can be dragged", async () => {
  const model = "bodies:\n  ball: {type: planar, mass: 1, inertia: 1, position: [0, 1]} # here\nforces: {g: {type: gravity, acceleration: [0, -9.81, 0]}}\ndraw:\n  - circle: {body: ball, center: [0, 0], radius: 0.2}\n  - ground: {from: [-2, -1], to: [2, -1]}\nrun: {dt: 1e-2, end: 0.4}\n";
  const { page, faults, close } = await open();
  try {
    await setText(page, model);
    assert.equal(await page.locator(".problems .bad").count(), 0, await page.locator(".problems").textContent());
    const at = await page.evaluate(() => {
      const { stage } = window.tappet.view;
      const box = stage.element.getBoundingClientRect();
      for (let y = box.top + 5; y < box.bottom; y += 4)
        for (let x = box.left + 5; x < box.right; x += 4) if (stage.pick(x, y)?.item.kind === "circle") return [x + 8, y + 8];
      return null;
    });
    await page.mouse.click(at[0], at[1]);
    const line = await page.evaluate(() => window.tappet.editor.view.state.doc.lineAt(window.tappet.editor.view.state.selection.main.head).number);
    assert.equal(line, 5);
    await page.mouse.move(at[0], at[1]);
    await page.mouse.down();
    await page.mouse.move(at[0] + 60, at[1] - 30, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    const [, x, y] = /position: \[(\S+), (\S+)\]\} # here/.exec(await modelText(page));
    assert.ok(Number(x) > 0.05 && Number(y) > 1.02, `${x} ${y}`);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("a body whose position is a formula can be dragged, and the formula stays", { timeout: 60_000 }, async () => {
  const { page, faults, close } = await open();
  try {
    await page.getByRole("button", { name: "Examples" }).click();
    await page.locator('[data-model="dry_pendulum"]').first().click();
    await settled(page);
    const before = await modelText(page);
    const at = await page.evaluate(() => {
      const { stage } = window.tappet.view;
      const box = stage.element.getBoundingClientRect();
      for (let y = box.top + 60; y < box.bottom; y += 4)
        for (let x = box.left + 5; x < box.right; x += 4) if (stage.pick(x, y)?.item.label === "bob") return [x + 4, y + 4];
      return null;
    });
    await page.mouse.move(at[0], at[1]);
    await page.mouse.down();
    await page.mouse.move(at[0] + 50, at[1] - 20, { steps: 5 });
    await page.mouse.up();
    await settled(page);
    const [, x, y] = /position: \[l\*sin\(amplitude\) \+ (\S+), -l\*cos\(amplitude\) \+ (\S+)\]/.exec(await modelText(page));
    assert.ok(Number(x) > 0.05 && Number(y) > 0.02, `${x} ${y}`);
    assert.equal(await page.locator(".problems .bad").count(), 0);
    await page.getByRole("button", { name: "Undo" }).click();
    await settled(page);
    assert.equal(await modelText(page), before);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("every template runs and can be undone", { timeout: 120_000 }, async () => {
  const { page, faults, close } = await open();
  try {
    await page.getByRole("button", { name: "Examples" }).click();
    await page.waitForSelector(".gallery .example");
    const names = await page.locator(".gallery h3 ~ .example").evaluateAll((all) => all.slice(0, 6).map((e) => e.dataset.model));
    assert.deepEqual(names.slice(0, 5), ["first_model", "dry_pendulum", "slider_crank", "slider_crank_bodies", "standing_quadruped"]);
    await page.keyboard.press("Escape");
    for (const name of names.slice(0, 5)) {
      await page.getByRole("button", { name: "Examples" }).click();
      await page.locator(`[data-model="${name}"]`).first().click();
      await settled(page);
      assert.equal(await page.locator(".problems .bad").count(), 0, `${name}: ${await page.locator(".problems").textContent()}`);
      assert.equal(await page.evaluate(() => window.tappet.view.run.model_text === window.tappet.editor.text), true, name);
      await page.getByRole("button", { name: "Undo" }).click();
      await settled(page);
      assert.equal(await modelText(page), text, name);
    }
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("another model begins with ranges, time and plots of its own", { timeout: 60_000 }, async () => {
  const { page, faults, close } = await open();
  try {
    await page.evaluate(() => window.tappet.view.clock.seek(0.1));
    await page.locator(".comparison summary").click();
    await page.locator("#pin").click();
    assert.equal(Number(await page.locator("#parameter-e_N").getAttribute("max")), 3 * 0.4);
    for (const [name, most] of [["first_model", 3 * 0.7], ["dry_pendulum", null]]) {
      await page.getByRole("button", { name: "Examples" }).click();
      await page.locator(`[data-model="${name}"]`).first().click();
      await settled(page);
      if (most) assert.ok(Math.abs(Number(await page.locator("#parameter-e_N").getAttribute("max")) - most) < 1e-12);
      await frames(page);
      const { time, ghosts, ghost, scrolled } = await page.evaluate(() => ({
        time: window.tappet.view.clock.time, ghosts: window.tappet.view.plotsOf().ghosts.length,
        ghost: window.tappet.view.stage.ghost, scrolled: document.querySelector(".plots-place").scrollTop,
      }));
      assert.deepEqual({ time, ghosts, ghost, scrolled }, { time: 0, ghosts: 0, ghost: null, scrolled: 0 }, name);
    }
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("a video of the motion is downloaded", { timeout: 60_000 }, async () => {
  const { page, faults, close } = await open();
  try {
    await page.evaluate(() => {
      const { clock } = window.tappet.view;
      clock.slow = false;
      clock.speed = clock.speeds.at(-1);
    });
    await page.locator("header .menu summary").click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Video of the motion" }).click()]);
    assert.match(download.suggestedFilename(), /\.(webm|mp4)$/);
    assert.ok(readFileSync(await download.path()).length > 5000);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("a run above a second shows its motion so far, and a change ends it", { timeout: 60_000 }, async () => {
  const { page, faults, close } = await open();
  try {
    await page.evaluate((t) => window.tappet.editor.replaceAll(t), text.replace("dt: 1e-4, end: 0.2", "dt: 1e-6, end: 1.9"));
    await page.waitForFunction(() => window.tappet.view.run.status === "running", undefined, { timeout: 20_000 });
    const first = await page.evaluate(() => window.tappet.view.clock.end);
    assert.ok(first > 0 && first < 1.9, `${first} s`);
    assert.match(await page.locator(".verdict").textContent(), /Computing/);
    assert.match(await page.locator(".state").textContent(), /Computing: \d+ %/);
    assert.equal(await page.evaluate(() => window.tappet.view.range.to), 1.9);
    await page.waitForFunction((t) => window.tappet.view.clock.end > t, first, { timeout: 20_000 });
    const began = Date.now();
    await setText(page, text);
    assert.equal(await page.evaluate(() => window.tappet.view.run.status), "done");
    assert.ok(Date.now() - began < 5000);
    await frames(page);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("a pile opens with what matters and stands in its box", { timeout: 120_000 }, async () => {
  const { page, faults, close } = await open(studio, { width: 1280, height: 720 });
  try {
    const pile = readFileSync(`${models}/many/spheres_in_box.yaml`, "utf8").replace("n: 10", "n: 3").replace("end: 2", "end: 0.1");
    await setText(page, pile);
    assert.deepEqual(await page.locator(".card").evaluateAll((cards) => cards.map((card) => card.dataset.group)), ["energy", "found_count", "penetration", "residual"]);
    const { box, balls, crowd } = await page.evaluate(() => {
      const { items } = window.tappet.view.run.scene;
      return { box: items.find((i) => i.kind === "box"), balls: items.filter((i) => i.kind === "sphere").length, crowd: window.tappet.view.stage.view.crowd !== null };
    });
    assert.deepEqual([box.size, box.fill, box.type], [[1.2, 1.2, 4], false, "open"]);
    assert.deepEqual([balls, crowd], [300, true]);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});
