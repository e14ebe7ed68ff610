// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The studio through a day: random edits, reloads, several pages. With TAPPET_LONG it is a long day.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { childrenOf } from "./studio.mjs";
import { open as openPage, setText, settled, slide, useStudio } from "./studio_page.mjs";

let browser;
let studio;
let text;
useStudio((its) => ({ browser, studio, text } = its));
const open = (to = studio, options) => openPage(browser, to, options);

test("after a sleep of the computer the page shows the last change", { timeout: 120_000 }, async () => {
  const { page, faults, close } = await open();
  try {
    const all = [studio.child.pid, ...childrenOf(studio.child.pid).map(Number)];
    for (const pid of all) process.kill(pid, "SIGSTOP");
    for (const mu of [0.02, 0.025, 0.03]) {
      await slide(page, "mu", mu);
      await new Promise((done) => setTimeout(done, 400)); // long enough that each gives way to the next
    }
    for (const pid of all.reverse()) process.kill(pid, "SIGCONT");
    await settled(page);
    const value = await page.evaluate(() => window.tappet.view.run.parameters.find((p) => p.name === "mu").value);
    assert.equal(value, 0.03);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("a copy of the page has a worker of its own, and a page that is loaded again keeps its worker", { timeout: 180_000 }, async () => {
  const { page, close } = await open();
  try {
    const idOf = (p) => p.evaluate(() => sessionStorage.getItem("tappet-page"));
    const first = await idOf(page);
    for (let i = 0; i < 5; ++i) {
      await page.reload();
      await page.waitForSelector("html[data-ready]");
      assert.equal(await idOf(page), first);
    }
    const copy = await page.context().newPage(); // the browser copies the storage of a page with its tab
    await copy.addInitScript((id) => sessionStorage.getItem("tappet-page") ?? sessionStorage.setItem("tappet-page", id), first);
    await copy.goto(studio.address);
    await copy.waitForSelector("html[data-ready]");
    assert.notEqual(await idOf(copy), first);
    assert.equal(await idOf(page), first);
  } finally {
    await close();
  }
});

// The memory of the program and its workers, in MB.
function memory(pid) {
  const size = (p) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${p}/status`, "utf8"))?.[1] ?? 0) / 1024;
  return size(pid) + childrenOf(pid).reduce((sum, p) => sum + size(p), 0);
}
const [edits, reloads] = process.env.TAPPET_LONG ? [1000, 100] : [60, 10];
test(`${edits} random edits, ${reloads} reloads and three pages at once leave memory and file as they were`, { timeout: 1_500_000 }, async () => {
  const pages = await Promise.all([open(), open(), open()]);
  try {
    // A generator of its own, so that a failure can be repeated.
    let seed = 12345;
    const random = (n) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % n;
    const pieces = ["mu", ": ", "{", "}", "\n", "  ", "0.5", "-", "#", "'", "[", "]", "*", "theta1", "run", "x", ",", "é", "\t", "1e300", "dt: 1e-3"];
    const short = text.replace("end: 0.2", "end: 0.01");
    const edit = (page) => page.evaluate(([at, length, insert, back, original]) => {
      const { editor } = window.tappet;
      if (back) return editor.replaceAll(original);
      const size = editor.text.length;
      const from = Math.floor((at / 2 ** 31) * (size + 1));
      editor.edit({ from, to: Math.min(size, from + length), insert });
    }, [random(2 ** 31), random(6), pieces[random(pieces.length)], random(12) === 0, short]);
    for (const { page } of pages) await setText(page, short);
    const heap = async () => (await pages[0].page.context().newCDPSession(pages[0].page)).send("Runtime.getHeapUsage");
    const collect = async () => (await pages[0].page.context().newCDPSession(pages[0].page)).send("HeapProfiler.collectGarbage");
    for (let i = 0; i < edits / 5; ++i) await edit(pages[i % 3].page); // warm
    for (const { page } of pages) await setText(page, short);
    await collect();
    const [program, script] = [memory(studio.child.pid), (await heap()).usedSize];
    for (let i = 0; i < edits; ++i) {
      await edit(pages[i % 3].page);
      if (i % 10 === 0) await settled(pages[i % 3].page);
    }
    for (const { page } of pages) {
      await settled(page);
      await setText(page, short);
      assert.equal(await page.evaluate(() => window.tappet.view.run.steps), 100);
    }
    await collect();
    const [programAfter, scriptAfter] = [memory(studio.child.pid), (await heap()).usedSize];
    console.log(`# memory: program ${program.toFixed(0)} → ${programAfter.toFixed(0)} MB, page ${(script / 2 ** 20).toFixed(1)} → ${(scriptAfter / 2 ** 20).toFixed(1)} MB`);
    assert.ok(programAfter < 1.2 * program + 4, "the program");
    assert.ok(scriptAfter < 1.2 * script + 2 ** 20, "the page");
    pages[1].page.on("dialog", (d) => d.accept());
    for (let i = 0; i < reloads; ++i) {
      await pages[1].page.reload();
      if (i % 10 === 9) await pages[1].page.waitForSelector("html[data-ready]");
    }
    await pages[1].page.waitForSelector("html[data-ready]");
    assert.equal(await pages[1].page.evaluate(() => window.tappet.view.run.steps), 2000);
    assert.ok(memory(studio.child.pid) < 1.2 * programAfter + 4, `after reloads: ${memory(studio.child.pid).toFixed(0)} MB`);
    assert.equal(studio.read(), text);
    for (const { faults } of pages) assert.deepEqual(faults.filter((f) => !/Failed to fetch|ERR_ABORTED/.test(f)), []);
  } finally {
    for (const { close } of pages) await close();
  }
});
