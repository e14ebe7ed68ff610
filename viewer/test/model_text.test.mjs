// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Changes of the text of a model: what they change, and that they change nothing else.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tappet-text-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const outfile = join(folder, "model_text.mjs");
await build({ entryPoints: [join(here, "..", "src", "studio", "model_text.ts")], bundle: true, format: "esm", outfile, logLevel: "warning" });
const { apply, parameters, pathAt, setIn, setParameter, shifted } = await import(pathToFileURL(outfile).href);

const set = (text, name, value) => apply(text, setParameter(text, name, value));

test("a position is shifted, and a formula stays one", () => {
  for (const [written, by, expected] of [
    ["1", 0.25, "1.25"], ["-0.5", 0.5, "0"], ["1e-3", 2e-3, "0.003"],
    ["l1/2", 0.1, "l1/2 + 0.1"], ["l1/2 + 0.1", 0.2, "l1/2 + 0.3"], ["l1/2 + 0.1", -0.1, "l1/2"], ["l1/2 - 0.1", 0.05, "l1/2 - 0.05"], ["-l*cos(a)", -2, "-l*cos(a) - 2"],
    ["a-1", 3, "a + 2"], ["l*1e-3", 1, "l*1e-3 + 1"], ["e - 3", 1, "e - 2"], ["x2e-3", 1, "x2e - 2"], ["x^-3", 1, "x^-3 + 1"], ["2*-3", 1, "2*-3 + 1"],
    ["a + 1e-2", 0.01, "a + 0.02"], ["(a + 1)", 1, "(a + 1) + 1"], ["l", 0, "l"], ["l + 0.30", 0, "l + 0.30"],
  ]) assert.equal(shifted(written, by), expected, `${written} by ${by}`);
});

test("a parameter of a map in braces", () => {
  const text = "title: a\nparameters: {m: 1, g: 9.81, e_N: 0.7}        # kg, m/s²\n";
  assert.equal(set(text, "g", 3), "title: a\nparameters: {m: 1, g: 3, e_N: 0.7}        # kg, m/s²\n");
});

test("a parameter of a block keeps its comment and the spaces before it", () => {
  const text = "parameters:\n  l1: 0.153    # crank, m\n  l2: 0.306\nrun: {dt: 1e-3}\n";
  assert.equal(set(text, "l1", 0.2), "parameters:\n  l1: 0.2    # crank, m\n  l2: 0.306\nrun: {dt: 1e-3}\n");
});

test("a parameter with a range", () => {
  const text = "parameters:\n  mu: {value: 0.1, from: 0, to: 1} # friction\n";
  assert.deepEqual(parameters(text), [{ name: "mu", value: 0.1, from: 0, to: 1 }]);
  assert.equal(set(text, "mu", 0.25), "parameters:\n  mu: {value: 0.25, from: 0, to: 1} # friction\n");
});

test("formulas have no slider, and numbers in every notation have one", () => {
  const text = "parameters: {a: 2*b, b: -1.5e-3, c: .5, d: '7', e: 1_000, f: +2, g: 0x10}\n";
  assert.deepEqual(parameters(text).map((p) => [p.name, p.value]), [["b", -1.5e-3], ["c", 0.5], ["f", 2]]);
});

test("a name that stands in the text several times is changed once, in the parameters", () => {
  const text = "# mu: 3\ntitle: mu: 2\nparameters: {m: 1, mu: 0.1}\ncontacts: {a: {mu: mu, gap: y}}\n";
  assert.equal(set(text, "mu", 0.2), text.replace("mu: 0.1}", "mu: 0.2}"));
});

test("what is not there is not changed", () => {
  for (const text of ["", "title: x\n", "parameters:\n", "parameters: {a: b}\n", "- 1\n- 2\n", "parameters: [1, 2]\n", "{{{{", "a: 'b\n"])
    assert.equal(set(text, "q", 1), text);
});

test("settings of the run are set, added to a map, or added with their section", () => {
  const run = (text, key, value) => apply(text, setIn(text, "run", key, value));
  assert.equal(run("run: {scheme: a, dt: 1e-3}  # x\n", "dt", "1e-4"), "run: {scheme: a, dt: 1e-4}  # x\n");
  assert.equal(run("run: {dt: 1e-3}\n", "scheme", "b"), "run: {scheme: b, dt: 1e-3}\n");
  assert.equal(run("run:\n  dt: 1e-3 # s\n  end: 1\n", "scheme", "b"), "run:\n  scheme: b\n  dt: 1e-3 # s\n  end: 1\n");
  assert.equal(run("title: x", "dt", "1"), "title: x\nrun: {dt: 1}\n");
});

test("the keys above a place", () => {
  const text = "bodies:\n  rod: {type: planar, mass: 2}\nrun: {dt: 1}\n";
  assert.deepEqual(pathAt(text, text.indexOf("mass") + 2), { path: ["bodies", "rod", "mass"], type: "planar" });
  assert.deepEqual(pathAt(text, text.indexOf("dt") + 1).path, ["run", "dt"]);
});

// In every example: setting any parameter changes only characters of its own line, and setting it back restores the text.
const models = join(here, "..", "..", "models");
const files = readdirSync(models, { recursive: true }).filter((f) => f.endsWith(".yaml"));
test(`the parameters of ${files.length} examples can be set and set back`, () => {
  let tried = 0;
  for (const file of files) {
    const text = readFileSync(join(models, file), "utf8");
    for (const { name, value } of parameters(text)) {
      const other = Number((1.5 * value + 0.125).toPrecision(5));
      const changed = set(text, name, other);
      const [before, now] = [text.split("\n"), changed.split("\n")];
      assert.equal(now.length, before.length, `${file}: ${name}`);
      assert.equal(now.filter((line, i) => line !== before[i]).length, 1, `${file}: ${name}`);
      assert.equal(parameters(changed).find((p) => p.name === name).value, other, `${file}: ${name}`);
      assert.deepEqual(parameters(set(changed, name, value)), parameters(text), `${file}: ${name}`);
      ++tried;
    }
  }
  assert.ok(tried > 200, `${tried} parameters`);
});
