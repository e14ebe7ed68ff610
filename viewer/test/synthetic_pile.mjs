// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// A pile of balls in a container, as the program draws it: balls that sink and turn, energies, contacts.
import { Packer, blank } from "./pack.mjs";

export function pile(template, file, count = 10_000) {
  const p = new Packer();
  const [radius, frames, side] = [0.05, 40, Math.ceil(Math.cbrt(count))];
  const t = Float64Array.from({ length: frames }, (_, i) => i / (frames - 1));
  const time = p.add(t, "f64");
  const origin = p.add([0, 0, 0]);
  const items = [{ kind: "box", label: "box", color: "", fill: false, type: "open", size: [side * 0.11, side * 0.11, 40], count: 1,
    points: p.add([side * 0.055, side * 0.055, 20]) }];
  for (let i = 0; i < count; ++i) {
    const [x, y, z] = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)];
    const turn = (s) => 3 * s + 0.1 * i;
    const track = [
      () => 0.055 + 0.11 * x, () => 0.055 + 0.11 * y, (s) => radius + (0.1 + 0.03 * (1 - s)) * z,
      (s) => Math.cos(turn(s)), (s) => Math.sin(turn(s)), () => 0, () => 0,
    ].flatMap((f) => Array.from(t, f));
    items.push({ kind: "sphere", label: `ball[${i}]`, color: "", radius, count: 1, points: origin, pose: p.add(track) });
  }
  const curve = (name, unit, group, f) => ({ name, unit, group, contact: -1, data: p.add(Array.from(t, f)) });
  const coordinates = Array.from({ length: 60 }, (_, i) => curve(`ball[${i}].z`, "m", "position", (s) => 1 - s));
  const run = blank(p, {
    title: "A pile", model: "pile", time, dt: 1e-3, end: 1, steps: 1000,
    series: [...coordinates, curve("kinetic", "J", "energy", (s) => 1 - s), curve("contacts between colliders", "", "found_count", (s) => 3 * count * s),
      curve("deepest penetration", "m", "penetration", () => 1e-5), curve("residual", "", "residual", () => 1e-5)],
    scene: { planar: false, time, items, forces: [] },
  });
  p.write(run, template, file);
}
