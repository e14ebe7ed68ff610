// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Debian's Chromium, driven by playwright-core. Every page is watched for errors and requests.
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
export const template = process.env.TAPPET_PAGE ?? join(here, "..", "dist", "report.html");
export const folder = mkdtempSync(join(tmpdir(), "tappet-page-"));

const executablePath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((p) => p && existsSync(p));
if (!executablePath) throw new Error("no Chromium found: install it (Debian: chromium) or set CHROMIUM");

const flags = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export function launch(...more) {
  return chromium.launch({ executablePath, args: [...flags, ...more] });
}

// Opens a page from disk and waits until it is ready. `faults` collects console errors, exceptions and requests beyond
// the file itself. `script` is run before those of the page.
export async function open(browser, file, { width = 1280, height = 720, dark = false, hash = "", script = null } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light" });
  const page = await context.newPage();
  if (script) await page.addInitScript(script);
  const faults = [];
  page.on("console", (m) => m.type() === "error" && faults.push(`console: ${m.text()}`));
  page.on("pageerror", (e) => faults.push(`exception: ${e.message}`));
  page.on("dialog", (d) => (faults.push(`dialog: ${d.message()}`), d.dismiss()));
  const url = pathToFileURL(file).href + hash;
  page.on("request", (r) => {
    if (r.url().split("#")[0] !== url.split("#")[0] && !/^(data|blob):/.test(r.url())) faults.push(`request: ${r.url()}`);
  });
  await page.goto(url);
  await page.waitForSelector("html[data-ready]", { timeout: 20_000 });
  await frames(page, 2);
  return { page, faults, close: () => context.close() };
}

export function frames(page, n = 2) {
  return page.evaluate((k) => new Promise((done) => {
    const next = () => (k-- > 0 ? requestAnimationFrame(next) : done());
    next();
  }), n);
}

export async function seek(page, t) {
  await page.evaluate((time) => window.tappet.clock.seek(time), t);
  await frames(page);
}

export const now = (page) => page.evaluate(() => window.tappet.clock.time);

// The pixels of the picture: the number that differ from the most frequent colour, and their centre.
export async function picture(page) {
  const shot = await page.locator("#stage canvas").screenshot();
  return page.evaluate(async (base64) => {
    const image = new Image();
    image.src = "data:image/png;base64," + base64;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    const counts = new Map();
    let sum = 0;
    pixels.forEach((p, i) => {
      counts.set(p, (counts.get(p) ?? 0) + 1);
      sum = (sum * 31 + p + (i & 7)) >>> 0;
    });
    return { drawn: pixels.length - Math.max(...counts.values()), colors: counts.size, hash: sum };
  }, shot.toString("base64"));
}
