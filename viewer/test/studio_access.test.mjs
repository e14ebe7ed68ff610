// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Who cannot see well or has no mouse can use the studio: axe-core, the keyboard, zoom, dark mode, a phone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { picture } from "./browser.mjs";
import { modelText, open as openPage, setText, settled, slide, useStudio } from "./studio_page.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
let browser;
let studio;
useStudio((its) => ({ browser, studio } = its));
const open = (to = studio, options) => openPage(browser, to, options);

// The policy of the page forbids foreign scripts, so axe comes through the debugger.
async function seriousFaults(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: readFileSync(axe, "utf8") });
  const { result } = await session.send("Runtime.evaluate", {
    expression: "axe.run(document, { resultTypes: ['violations'] }).then((r) => JSON.stringify(r.violations.map((v) => ({ id: v.id, impact: v.impact, nodes: v.nodes.map((n) => n.target.join(' ') + ': ' + n.failureSummary).slice(0, 4) }))))",
    awaitPromise: true,
  });
  return JSON.parse(result.value).filter((v) => v.impact === "serious" || v.impact === "critical");
}

for (const [what, options] of [["light", {}], ["dark", { dark: true }], ["on a phone", { width: 390, height: 800 }], ["at 200 %", { width: 700, height: 400 }]])
  test(`accessibility, ${what}: axe finds no serious fault`, { timeout: 60_000 }, async () => {
    const { page, faults, close } = await open(studio, options);
    try {
      assert.deepEqual(await seriousFaults(page), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "no sideways scrolling");
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

for (const dark of [false, true])
  test(`accessibility of what opens and of what goes wrong, ${dark ? "dark" : "light"}`, { timeout: 120_000 }, async () => {
    const { page, faults, close } = await open(studio, { dark });
    try {
      const text = await modelText(page);
      const states = {
        "runs that are compared": async () => {
          await page.locator(".comparison summary").click();
          await page.locator("#pin").click();
          await page.locator("#sweep").click();
          await page.waitForFunction(() => document.querySelectorAll(".swept").length === 5, undefined, { timeout: 20_000 });
        },
        "a menu": () => page.locator("header .menu summary").click(),
        "the examples": async () => {
          await page.getByRole("button", { name: "Examples" }).click();
          await page.waitForSelector(".gallery .example");
        },
        "an error": async () => {
          await page.keyboard.press("Escape");
          await setText(page, text.replace("d: 2*(b + c)", "d: 2*(b + cc)"));
          await page.locator(".problems .bad").first().click();
        },
        "a warning": () => setText(page, text.replace("l1: 0.153", "l1: 0.4")),
        "a long run": async () => {
          await page.evaluate((t) => window.tappet.editor.replaceAll(t), text.replace("dt: 1e-4, end: 0.2", "dt: 1e-6, end: 1.9"));
          await page.waitForFunction(() => window.tappet.view.run.status === "running", undefined, { timeout: 20_000 });
        },
      };
      for (const [what, show] of Object.entries(states)) {
        await show();
        assert.deepEqual(await seriousFaults(page), [], what);
      }
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

test("everything can be reached with the keyboard", async () => {
  const { page, close } = await open();
  try {
    await slide(page, "mu", 0.02); // so that there is something to save
    await settled(page);
    const before = await modelText(page);
    const seen = new Set();
    for (let i = 0; i < 120; ++i) {
      if (await page.evaluate(() => document.activeElement.closest(".cm-editor") !== null)) await page.keyboard.press("Escape");
      await page.keyboard.press("Tab");
      seen.add(await page.evaluate(() => {
        const e = document.activeElement;
        return e.id || e.className || e.tagName;
      }));
    }
    for (const wanted of ["save", "scheme", "dt", "parameter-mu", "play"]) assert.ok(seen.has(wanted), `${wanted} in ${[...seen].join(" ")}`);
    await page.locator("#parameter-mu").focus();
    await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.notEqual(await modelText(page), before);
    assert.ok((await picture(page)).drawn > 300);
  } finally {
    await close();
  }
});
