// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Opens pages of the studio in Chromium and acts on them.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { frames, launch } from "./browser.mjs";
import { startStudio } from "./studio.mjs";

// A browser and a studio for all tests of a file. `take` is told them before the first test.
export function useStudio(take, model = "schindler2014/slider_crank.yaml") {
  let browser;
  let studio;
  before(async () => {
    browser = await launch();
    studio = await startStudio(model);
    take({ browser, studio, text: studio.read() });
  });
  after(async () => {
    await browser?.close();
    assert.equal(await studio?.stop(), 0);
  });
}

// Opens the studio and watches for errors. Requests may only go to the studio itself.
export async function open(browser, to, { width = 1400, height = 800, dark = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", acceptDownloads: true });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (m) => m.type() === "error" && faults.push(`console: ${m.text()}`));
  page.on("pageerror", (e) => faults.push(`exception: ${e.message}`));
  page.on("request", (r) => {
    if (!r.url().startsWith(to.address) && !/^(data|blob):/.test(r.url())) faults.push(`request: ${r.url()}`);
  });
  await page.goto(to.address, { timeout: 120_000 });
  await page.waitForSelector("html[data-ready]", { timeout: 120_000 });
  await frames(page, 2);
  return { page, faults, close: () => context.close() };
}

// Waits until everything that was asked for is shown.
export const settled = (page) => page.evaluate(() => new Promise((done) => setTimeout(() => window.tappet.runner.settled().then(done), 80)));
export const modelText = (page) => page.evaluate(() => window.tappet.editor.text);
export const setText = async (page, value) => {
  await page.evaluate((t) => window.tappet.editor.replaceAll(t), value);
  await settled(page);
};
export const slide = (page, name, value) => page.evaluate(([n, v]) => {
  const slider = document.querySelector(`[data-parameter="${n}"]`);
  slider.value = v;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}, [name, value]);
export const end = (page, name) => page.evaluate((n) => {
  const { run, arrays } = window.tappet.view;
  const values = arrays.numbers(run.series.find((s) => s.name === n).data);
  return values[values.length - 1];
}, name);
export const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
