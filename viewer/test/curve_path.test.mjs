// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Curves are drawn with few points and pass all samples within a fifth of a pixel.
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const file = join(dirname(fileURLToPath(import.meta.url)), "..", "src", "curve_path.ts");
const { outputFiles } = await build({ entryPoints: [file], bundle: true, write: false, format: "esm" });
const { Simplifier } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);

function simplified(points) {
  const corners = [];
  const curve = new Simplifier({ moveTo: (x, y) => corners.push([x, y]), lineTo: (x, y) => corners.push([x, y]) });
  for (const [x, y] of points) curve.push(x, y);
  curve.end();
  return corners;
}

// The distance in y of a sample from the nearest line over its x.
function distance(corners, [x, y]) {
  let nearest = Infinity;
  for (let i = 1; i < corners.length; ++i) {
    const [[x0, y0], [x1, y1]] = [corners[i - 1], corners[i]];
    if (x < x0 || x > x1) continue;
    if (x0 === x1) nearest = Math.min(nearest, y >= Math.min(y0, y1) && y <= Math.max(y0, y1) ? 0 : Math.min(Math.abs(y - y0), Math.abs(y - y1)));
    else nearest = Math.min(nearest, Math.abs(y - (y0 + ((y1 - y0) * (x - x0)) / (x1 - x0))));
  }
  return nearest;
}

// A line of length h deviates from a curve by h² |y''| / 8, which is at most a fifth of a pixel: 300 pixels with
// |y''| ≤ 50 (0.01 / 0.15)² need at most 111 of them.
test("a smooth curve of 2000 samples needs some dozens of points", () => {
  const points = Array.from({ length: 2000 }, (_, i) => [0.15 * i, 60 + 50 * Math.sin(0.01 * i)]);
  const corners = simplified(points);
  assert.ok(corners.length <= 112, `${corners.length}`);
  for (const point of points) assert.ok(distance(corners, point) < 0.2001);
});

test("a curve passes all samples, also where it jumps", () => {
  let seed = 1;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
  for (let trial = 0; trial < 200; ++trial) {
    let [x, y] = [0, 50];
    const points = Array.from({ length: 300 }, () => {
      const kind = random();
      x += kind < 0.2 ? 0 : random();
      y += kind < 0.1 ? 80 * (random() - 0.5) : 0.6 * (random() - 0.5);
      return [x, y];
    });
    const corners = simplified(points);
    assert.deepEqual(corners[0], points[0]);
    for (const point of points) assert.ok(distance(corners, point) < 0.4001, `trial ${trial}: ${distance(corners, point)}`);
    for (let i = 1; i < corners.length; ++i) assert.ok(corners[i][0] >= corners[i - 1][0]);
  }
});
