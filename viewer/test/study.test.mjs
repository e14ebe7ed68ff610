// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { folder, frames, launch, open } from "./browser.mjs";
import { geometric, linear, logistic, spread, study } from "./synthetic_study.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const template = process.env.TAPPET_STUDY_PAGE ?? join(here, "..", "dist", "study.html");
const file = (name) => join(folder, `${name}.html`);
const mu = linear(0.02, 0.3, 60);
const samples = 2000;
const drawn = { a: spread(samples, 0, 1), b: spread(samples, -1, 1, Math.SQRT2 % 1), c: spread(samples, 5, 9, Math.sqrt(7) % 1) };
let browser;

const cases = {
  line: { parameters: [{ name: "mu", values: mu }], measures: { opening: ({ mu }) => 0.01 + mu * mu, deepest: ({ mu }) => 1e-5 * mu }, failed: (run) => (run === 30 || run === 31 ? `no convergence in run ${run}` : "") },
  bifurcation: { parameters: [{ name: "r", values: linear(2.8, 4, 200) }], measures: { strobe: ({ r }) => logistic(r) } },
  heat: { parameters: [{ name: "mu", values: linear(0, 1, 12) }, { name: "e", values: geometric(0.01, 1, 9) }], measures: { loss: ({ mu, e }) => mu + 10 * e }, failed: (run) => (run % 9 === 8 && run > 80 ? "too steep" : "") },
  scatter: { parameters: [{ name: "a", random: drawn.a }, { name: "b", random: drawn.b }], measures: { product: ({ a, b }) => a * b }, failed: (run) => (run === 5 ? "bad" : "") },
  parallel: { parameters: Object.entries(drawn).map(([name, random]) => ({ name, random })), measures: { sum: ({ a, b, c }) => a + b + c } },
};

before(async () => {
  for (const [name, given] of Object.entries(cases)) study(template, file(name), given);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function withPage(path, options, check) {
  const { page, faults, close } = await open(browser, path, options);
  try {
    await check(page);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
}

// The number of pixels of the plot that differ from its background.
const inked = (page) => page.evaluate(() => {
  const canvas = document.querySelector("#plot");
  const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  return pixels.reduce((n, p) => n + (p !== pixels[0] ? 1 : 0), 0);
});
const kindOf = (page) => page.locator(".plot-area").getAttribute("data-kind");
const place = (page, index) => page.evaluate((i) => window.tappet.area.drawn.place(i), index);

async function clickPlot(page, [x, y]) {
  await page.locator("#plot").click({ position: { x, y } });
  await frames(page);
}
const card = (page) => page.locator(".run-body").textContent();

test("each study opens without an error or a request, with the plot that suits it", async () => {
  const expected = { line: "scatter", bifurcation: "bifurcation", heat: "heat", scatter: "scatter", parallel: "parallel" };
  for (const [name, kind] of Object.entries(expected))
    await withPage(file(name), {}, async (page) => {
      assert.equal(await kindOf(page), kind, name);
      assert.ok((await inked(page)) > 3000, name);
    });
});

test("every kind of plot can be chosen and is drawn", async () => {
  await withPage(file("heat"), {}, async (page) => {
    for (const kind of ["scatter", "heat", "parallel", "histogram"]) {
      await page.locator("#kind").selectOption(kind);
      await frames(page, 3);
      assert.equal(await kindOf(page), kind);
      assert.ok((await inked(page)) > 3000, kind);
    }
    assert.equal(await page.locator("#kind option[value=bifurcation]").count(), 0, "there is no measure with many values");
  });
});

test("after a plot without a choice of axes, parameters and the measure lie on them", async () => {
  await withPage(file("parallel"), {}, async (page) => {
    const names = () => page.evaluate(() => ["x", "y", "color"].map((key) => window.tappet.study.quantity(window.tappet.view[key])?.name ?? ""));
    await page.locator("#kind").selectOption("scatter");
    assert.deepEqual(await names(), ["a", "sum", ""]);
    await page.locator("#choose-x").selectOption({ label: "b" });
    await page.locator("#kind").selectOption("heat"); // keeps what was chosen
    assert.deepEqual((await names()).slice(0, 2), ["b", "sum"]);
    await page.locator("#kind").selectOption("parallel");
    await page.locator("#kind").selectOption("heat");
    assert.deepEqual(await names(), ["a", "b", "sum"]);
  });
});

test("an axis has at least two numbers, however short it is", async () => {
  const { outputFiles } = await build({ entryPoints: [join(here, "..", "src", "study", "frame.ts")], bundle: true, write: false, format: "esm" });
  const { Scale } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
  for (const [low, high] of [[0, 1.05 * 430], [0, 1.05 * 19], [0, 1.05], [-3.2, 0.1], [0.93, 1.07], [0, 105]]) {
    const ticks = new Scale(low, high, 100, 0).ticks(2);
    assert.ok(ticks.length >= 2 && ticks.length <= 6, `${low} … ${high}: ${ticks.join(" ")}`);
  }
});

test("a click on a point shows its run, with the command that repeats it", async () => {
  await withPage(file("line"), {}, async (page) => {
    for (const run of [0, 17, 59]) {
      await clickPlot(page, await place(page, run));
      const text = await card(page);
      assert.ok(text.includes(`Run ${run}: done`), text);
      assert.ok(text.includes(`tappet study 'out/my study' --show ${run}`), text);
      assert.ok(text.includes(`tappet run slider_crank --scheme moreau-midpoint --dt 1e-5 --option theta=0.5 --set g=9.81 --set mu=${mu[run]}`), text);
      assert.ok(text.includes(String(Number((0.01 + mu[run] ** 2).toPrecision(6))).slice(0, 6)), text);
    }
  });
});

test("points lie where their values are", async () => {
  await withPage(file("line"), {}, async (page) => {
    const [[x0, y0], [x1, y1], [x2, y2]] = [await place(page, 0), await place(page, 20), await place(page, 59)];
    const share = (mu[20] - mu[0]) / (mu[59] - mu[0]);
    assert.ok(Math.abs((x1 - x0) / (x2 - x0) - share) < 1e-3);
    const height = (mu[20] ** 2 - mu[0] ** 2) / (mu[59] ** 2 - mu[0] ** 2);
    assert.ok(Math.abs((y1 - y0) / (y2 - y0) - height) < 1e-3);
  });
});

test("a bifurcation diagram has all values of a run; a click on one shows the run", async () => {
  await withPage(file("bifurcation"), {}, async (page) => {
    assert.match(await page.locator("#plot").getAttribute("aria-label"), /20.000 points of 200 runs/);
    const box = await page.locator("#plot").boundingBox();
    const [x] = await place(page, 60); // r = 3.16: a cycle of two values, (r + 1 ± √((r − 3)(r + 1))) / 2r
    const r = 2.8 + (1.2 * 60) / 199;
    const [low] = [-1].map((s) => (r + 1 + s * Math.sqrt((r - 3) * (r + 1))) / (2 * r));
    const all = cases.bifurcation.parameters[0].values.flatMap((v) => logistic(v));
    const span = [Math.min(...all), Math.max(...all)];
    const known = await place(page, 0); // one value, 1 − 1/r
    const scale = await page.evaluate(() => [window.tappet.area.drawn.place(0)[1], window.tappet.area.drawn.place(30)[1]]);
    const fixed = (v) => 1 - 1 / v;
    const perUnit = (scale[1] - scale[0]) / (fixed(2.8 + (1.2 * 30) / 199) - fixed(2.8));
    assert.ok(perUnit < 0 && Math.abs(perUnit) * (span[1] - span[0]) < box.height);
    await clickPlot(page, [x, known[1] + perUnit * (low - fixed(2.8))]);
    assert.ok((await card(page)).includes("Run 60: done"), await card(page));
    assert.ok((await card(page)).includes("100 values"));
  });
});

test("failed runs are marked, and their messages are listed", async () => {
  await withPage(file("line"), {}, async (page) => {
    assert.match(await page.locator("#plot-note").textContent(), /2 failed runs: marks at the axis/);
    await clickPlot(page, await place(page, 30));
    assert.match(await card(page), /Run 30: failed[^]*no convergence in run 30/);
    assert.match(await page.locator(".verdict").first().textContent(), /2 failed/);
    await page.locator("#failures").getByRole("button", { name: "31" }).click();
    assert.match(await card(page), /Run 31: failed/);
  });
  await withPage(file("heat"), {}, async (page) => {
    assert.match(await page.locator("#plot-note").textContent(), /3 failed runs; cells in which every run failed are hatched/);
    await clickPlot(page, await place(page, 107));
    assert.match(await card(page), /Run 107: failed[^]*too steep/);
  });
});

test("the cells of a heat map lie on the grid, on a logarithmic axis where the values are geometric", async () => {
  await withPage(file("heat"), {}, async (page) => {
    assert.ok(await page.locator("#log-y").isChecked());
    assert.equal(await page.locator("#log-x").isChecked(), false);
    const [first, next, above] = [await place(page, 0), await place(page, 9), await place(page, 1)];
    const [corner] = [await place(page, 107)];
    assert.ok(Math.abs(corner[0] - first[0] - 11 * (next[0] - first[0])) < 1, "eleven steps in x");
    assert.ok(Math.abs(corner[1] - first[1] - 8 * (above[1] - first[1])) < 1, "eight equal steps in log y");
    for (const run of [0, 40, 66]) {
      await clickPlot(page, await place(page, run));
      assert.ok((await card(page)).includes(`Run ${run}: done`));
    }
  });
});

test("the keyboard selects runs", async () => {
  await withPage(file("line"), {}, async (page) => {
    await page.locator("#plot").focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await card(page), /Run 0: done/);
    for (let k = 0; k < 3; ++k) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    assert.match(await card(page), /Run 2: done/);
    await page.keyboard.press("r");
    await page.keyboard.type("42");
    await page.keyboard.press("Enter");
    assert.match(await card(page), /Run 42: done/);
    await page.locator("#plot").focus();
    await page.keyboard.press("?");
    assert.ok(await page.locator("dialog[open]").isVisible());
  });
});

test("a range that is dragged on an axis of parallel coordinates hides the runs outside of it", async () => {
  await withPage(file("parallel"), {}, async (page) => {
    const box = await page.locator("#plot").boundingBox();
    const ends = (values) => [values.indexOf(Math.min(...values)), values.indexOf(Math.max(...values))];
    const [lowest, highest] = ends(drawn.a);
    const [x, bottom] = await place(page, lowest);
    const [, top] = await place(page, highest);
    await page.mouse.move(box.x + x, box.y + bottom);
    await page.mouse.down();
    await page.mouse.move(box.x + x, box.y + (top + bottom) / 2, { steps: 5 });
    await page.mouse.up();
    await frames(page, 3);
    const [from, to] = await page.evaluate(() => window.tappet.filter.ranges.get("p0"));
    assert.ok(Math.abs(to - 0.5) < 0.01 && from < 0.001, `${from} to ${to}`);
    const inside = drawn.a.filter((v) => v >= from && v <= to).length;
    assert.equal(await page.evaluate(() => window.tappet.filter.count), inside);
    assert.match((await page.locator("#shown-runs").textContent()).replace(/\s/g, ""), new RegExp(`${inside}of2000runs`));
    await page.locator(".ranges summary").click();
    await page.getByLabel("a to").fill("0.25");
    await page.getByLabel("a to").press("Enter");
    await page.getByLabel("b from").fill("0");
    await page.getByLabel("b from").press("Enter");
    assert.equal(await page.evaluate(() => window.tappet.filter.count), drawn.a.filter((v, i) => v >= from && v <= 0.25 && drawn.b[i] >= 0).length);
    await page.getByRole("button", { name: "Show all runs" }).click();
    assert.equal(await page.evaluate(() => window.tappet.filter.count), samples);
  });
});

test("histograms have the quantiles of the values", async () => {
  await withPage(file("scatter"), {}, async (page) => {
    await page.waitForFunction(() => document.querySelectorAll(".distributions tbody td").length === 6);
    const values = drawn.a.map((a, i) => a * drawn.b[i]).filter((_, i) => i !== 5).sort((p, q) => p - q);
    const quantile = (share) => {
      const at = share * (values.length - 1);
      return values[Math.floor(at)] + (at % 1) * (values[Math.min(Math.floor(at) + 1, values.length - 1)] - values[Math.floor(at)]);
    };
    const cells = (await page.locator(".distributions tbody td").allTextContents()).map((c) => Number(c.replace("−", "-")));
    [0, 0.05, 0.5, 0.95, 1].forEach((share, k) => assert.ok(Math.abs(cells[k] - quantile(share)) < 1e-5 * Math.abs(quantile(share)) + 1e-7, `${cells[k]} against ${quantile(share)}`));
    assert.equal(cells[5], samples - 1);
    await page.locator(".small-plot").click();
    await frames(page, 3);
    assert.equal(await kindOf(page), "histogram");
  });
});

test("what a search found stands at the top", async () => {
  const given = { parameters: [{ name: "omega", random: spread(20, 10, 90) }], measures: { lift: ({ omega }) => omega - 50 } };
  const texts = {
    threshold: [{ asked: { kind: "threshold", measure: "lift", level: 0 }, thresholds: [{ others: [], low: 49.5, high: 50.5, trouble: "" }] }, /lift crosses 0 at these values of omega[^]*50± 0.5/],
    quantile: [{ asked: { kind: "quantile", measure: "lift", quantile: 0.9, confidence: 0.95, within: 0.1 }, quantile: { value: 31.5, low: 31, high: 32, samples: 20, reached: false } }, /90 % quantile of lift is 31.5[^]*not known within 0.1/],
    fit: [{ asked: { kind: "fit", method: "nelder-mead", numbers: 7, targets: ["lift"] }, fit: { values: [42], deviations: [0.5], half_width: [1.25], chi2: 6, trouble: "it stopped" } }, /omega42± 1.25[^]*it stopped/],
  };
  for (const [name, [found, expected]] of Object.entries(texts)) {
    study(template, file(name), { ...given, found });
    await withPage(file(name), {}, async (page) => assert.match(await page.locator(".found").textContent(), expected));
  }
});

test("a plot is saved as CSV with the values, and as SVG and PNG", async () => {
  const save = async (page, name) => {
    await page.locator(".menu summary").click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    return readFileSync(await download.path());
  };
  await withPage(file("line"), {}, async (page) => {
    const lines = (await save(page, "CSV")).toString().trim().split("\n");
    assert.equal(lines[0], "run,mu,opening");
    assert.equal(lines.length, 61);
    const [run, x, y] = lines[18].split(",").map(Number);
    assert.deepEqual([run, x], [17, mu[17]]);
    assert.ok(Math.abs(y - (0.01 + mu[17] ** 2)) < 1e-8);
  });
  for (const name of Object.keys(cases))
    await withPage(file(name), {}, async (page) => {
      assert.match((await save(page, "SVG")).toString(), /^<svg[^]*<(path|rect|image) [^]*<\/svg>$/, name);
      assert.equal((await save(page, "PNG")).subarray(1, 4).toString(), "PNG");
    });
});

test("texts of a study are shown as text and nothing of them runs", async () => {
  const hostile = `</script><script>alert("x")</script><img src=x onerror=alert(1)>'"&`;
  const long = "q".repeat(10_000);
  for (const name of [hostile, long]) {
    study(template, file("hostile"), { title: name, name, folder: name, study_text: name,
      settings: { model: name, scheme: name, dt: name, end: "", record: 1, set: { [name]: name }, options: [[name, name]], varied: [name] },
      parameters: [{ name, values: linear(0, 1, 9) }], measures: { [name]: () => 1, other: ({}, run) => run }, failed: (run) => (run === 3 ? name : ""),
      found: { asked: { kind: "fit", method: name, numbers: 1, targets: [name] }, fit: { values: [1], deviations: [1], half_width: [1], chi2: 1, trouble: name } } });
    await withPage(file("hostile"), {}, async (page) => {
      if (name === hostile) assert.equal(await page.locator("h1").textContent(), hostile);
      for (const kind of ["scatter", "parallel", "histogram", "heat"]) {
        await page.locator("#kind").selectOption(kind);
        await frames(page, 2);
      }
      await page.locator("#run-number").fill("3");
      await page.locator("#run-number").press("Enter");
      assert.equal(await page.locator("img, main script").count(), 0);
      const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      assert.ok(inner <= outer, `page is ${inner} wide in a window of ${outer}`);
    });
  }
});

test("the command is safe to paste into a shell", async () => {
  study(template, file("shell"), { folder: "a'b; rm -rf $HOME", parameters: [{ name: "x", values: [1, 2] }], measures: { m: () => 1 } });
  await withPage(file("shell"), {}, async (page) => {
    await page.locator("#run-number").fill("1");
    await page.locator("#run-number").press("Enter");
    assert.ok((await card(page)).includes(`tappet study 'a'\\''b; rm -rf $HOME' --show 1`), await card(page));
  });
});

test("if the end is a formula, only the command that can use it is shown", async () => {
  const settings = { model: "m", scheme: "", dt: "", end: "2*pi/x", record: 1, set: {}, options: [], varied: ["x"] };
  study(template, file("formula"), { settings, parameters: [{ name: "x", values: [1, 2] }], measures: { m: () => 1 } });
  await withPage(file("formula"), {}, async (page) => {
    await page.locator("#run-number").fill("1");
    await page.locator("#run-number").press("Enter");
    assert.match(await card(page), /--show 1[^]*formula of the parameters/);
    assert.doesNotMatch(await card(page), /tappet run/);
  });
});

test("a page with a part of the runs says so and keeps their numbers", async () => {
  study(template, file("part"), { ...cases.line, kept: [3, 10, 40], failed: () => "" });
  await withPage(file("part"), {}, async (page) => {
    assert.match(await page.locator(".alert.note").textContent(), /holds 3 of 60 runs/);
    await clickPlot(page, await place(page, 1));
    assert.ok((await card(page)).includes(`--set mu=${mu[10]}`), await card(page));
    await page.locator("#run-number").fill("11");
    await page.locator("#run-number").press("Enter");
    assert.match(await page.locator(".run-card [role=status]").textContent(), /does not hold that run/);
  });
});

test("studies without a result, with one run, or with constant values open", async () => {
  const odd = {
    failed: { parameters: [{ name: "x", values: [1, 2, 3] }], measures: { m: () => 1 }, failed: () => "all bad" },
    one: { parameters: [{ name: "x", values: [1] }], measures: { m: () => 1 } },
    constant: { parameters: [{ name: "x", values: [1, 2, 3] }, { name: "y", values: [5] }], measures: { m: () => 7 } },
    infinite: { parameters: [{ name: "x", values: [1, 2, 3] }], measures: { m: (_, run) => (run ? Infinity : 1) } },
    empty: { parameters: [{ name: "x", values: [1, 2, 3, 4] }], measures: { many: (_, run) => (run ? [] : [1, 2]) } },
  };
  for (const [name, given] of Object.entries(odd)) {
    study(template, file(name), given);
    await withPage(file(name), {}, async (page) => {
      for (const kind of await page.locator("#kind option").evaluateAll((options) => options.map((o) => o.value))) {
        await page.locator("#kind").selectOption(kind);
        await frames(page, 2);
      }
    });
  }
});

test("the page is usable on a phone's width and in the dark", async () => {
  for (const name of Object.keys(cases))
    await withPage(file(name), { width: 390, height: 844, dark: true }, async (page) => {
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 390, `${name}: ${width} px wide`);
      assert.ok((await inked(page)) > 1500);
      await page.keyboard.press("t");
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    });
});

// The time that passes depends on what else runs on the machine and is only printed. The processor time of the page must
// stay below the two seconds in which a page is to open.
test("the page of a million runs opens with less than 2 s of processor time", async () => {
  const n = 1_000_000;
  const studies = {
    grid: { parameters: [{ name: "mu", values: linear(0, 1, 1000) }, { name: "e", values: linear(0, 1, 1000) }], measures: { loss: ({ mu, e }) => Math.sin(9 * mu) * e }, failed: (run) => (run % 1000 === 7 ? "bad" : "") },
    random: { parameters: [{ name: "mu", random: spread(n, 0, 1) }], measures: { loss: ({ mu }, run) => Math.sin(9 * mu) + ((run * 0.7548776662) % 1) } },
    many: { parameters: Object.entries({ a: 0.618, b: 0.7548, c: 0.8191 }).map(([name, f]) => ({ name, random: spread(n, 0, 1, f + 1e-7 * Math.SQRT2) })), measures: { ab: ({ a, b }) => a * b, bc: ({ b, c }) => b * c } },
  };
  for (const [name, given] of Object.entries(studies)) {
    study(template, file(name), given);
    const context = await browser.newContext();
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(`file://${file(name)}`, { waitUntil: "commit" });
    await page.waitForSelector("html[data-ready]", { timeout: 60_000 });
    const wall = await page.evaluate(() => performance.now());
    const metrics = Object.fromEntries((await session.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value]));
    console.log(`${name}: ${(statSync(file(name)).size / 1e6).toFixed(1)} MB, ready after ${(wall / 1000).toFixed(2)} s, ${metrics.ThreadTime.toFixed(2)} s of processor time`);
    assert.ok(metrics.ThreadTime > 0 && metrics.ThreadTime < 2, `${metrics.ThreadTime} s`);
    if (name === "many") {
      const lines = await page.evaluate(() => Number(/([\d\s]+) lines/.exec(document.querySelector("#plot-note").textContent)[1].replace(/\s/g, "")));
      assert.ok(lines > 3500 && lines < 4500, `${lines} lines`);
    }
    if (name === "random") assert.match(await page.locator("#plot-note").textContent(), /1.000.000 points; each pixel shows the number/);
    await context.close();
    rmSync(file(name));
  }
});
