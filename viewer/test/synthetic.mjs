// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Runs in closed form, for tests of the page: a bouncing ball, the kinematics of a slider-crank, a rolling ball in space.
import { Packer, blank } from "./pack.mjs";

export const ball = { g: 9.81, e: 0.6, height: 1, radius: 0.1 };

// Height, velocity and impacts of a ball dropped from `height` above its rest position.
export function bounce(t) {
  let [start, v] = [Math.sqrt((2 * ball.height) / ball.g), ball.e * Math.sqrt(2 * ball.g * ball.height)];
  if (t < start) return { z: ball.height - (ball.g * t * t) / 2, v: -ball.g * t };
  while (v > 1e-4) {
    const flight = (2 * v) / ball.g;
    if (t < start + flight) return { z: v * (t - start) - (ball.g * (t - start) ** 2) / 2, v: v - ball.g * (t - start) };
    start += flight;
    v *= ball.e;
  }
  return { z: 0, v: 0 };
}

function impactsOfBall(end) {
  const times = [];
  const sizes = [];
  let [t, v] = [Math.sqrt((2 * ball.height) / ball.g), Math.sqrt(2 * ball.g * ball.height)];
  while (t < end && v > 1e-3) {
    times.push(t);
    sizes.push((1 + ball.e) * v);
    v *= ball.e;
    t += (2 * v) / ball.g;
  }
  return { times, sizes, rest: t };
}

export function bouncingBall(template, file, over = {}) {
  const p = new Packer();
  const n = 2001;
  const t = Float64Array.from({ length: n }, (_, i) => i * 1e-3);
  const states = Array.from(t, bounce);
  const { times, sizes, rest } = impactsOfBall(2);
  const z = p.add(states.map((s) => s.z));
  const time = p.add(t, "f64");
  const zeros = new Array(n).fill(0);
  const closed = (i) => t[i] > rest;
  const impulse = t.reduce((list, _, i) => (list.push(closed(i) ? 9.81e-3 : 0), list), []);
  for (const [k, at] of times.entries()) impulse[Math.ceil(at / 1e-3)] = sizes[k];
  const run = blank(p, {
    title: "Bouncing ball", model: "bouncing_ball", source: "Acary 2012 §5.1", dt: 1e-3, end: 2, steps: 2000,
    summary: { steps: 2000, wall_s: 0.0021, us_per_step: 1.05, energy: { kinetic: 0, potential: 0, total: 0, initial: 9.81 },
      violation: { max: 3.1e-6, contact: "floor", time: times[0] }, impulsive_steps: times.length, iterations: { mean: 1.1, max: 3 }, residual: { max: 2e-16 }, unconverged_steps: 0 },
    parameters: [{ name: "g", value: 9.81 }, { name: "e_N", value: 0.6 }, { name: "R", value: 0.1 }],
    model_text: "title: Bouncing ball\ncoordinates:\n  z: {position: 1, velocity: 0}\n",
    time,
    series: [
      { name: "z", unit: "m", group: "position", contact: -1, data: z },
      { name: "z'", unit: "m/s", group: "velocity", contact: -1, data: p.add(states.map((s) => s.v)) },
      { name: "floor", unit: "m", group: "gap", contact: 0, data: z },
      { name: "floor", unit: "N s", group: "impulse_N", contact: 0, data: p.add(impulse) },
      { name: "kinetic", unit: "J", group: "energy", contact: -1, data: p.add(states.map((s) => s.v ** 2 / 2)) },
      { name: "potential", unit: "J", group: "energy", contact: -1, data: p.add(states.map((s) => 9.81 * s.z)) },
      { name: "iterations", unit: "", group: "iterations", contact: -1, data: p.add(impulse.map((i) => (i ? 2 : 1))) },
      { name: "residual", unit: "", group: "residual", contact: -1, data: p.add(impulse.map((i) => (i ? 2e-16 : 0))) },
    ],
    contacts: [{ name: "floor", mu: 0, e_N: 0.6, impacts: { time: p.add(times, "f64"), size: p.add(sizes) },
      phases: { from: p.add([rest], "f64"), to: p.add([2], "f64"), kind: p.add([3], "u8") } }],
    scene: {
      planar: true, time,
      items: [
        { kind: "ground", label: "floor", color: "", points: p.add([-0.8, 0, 0, 0.8, 0, 0]), count: 2 },
        { kind: "circle", label: "ball", color: "", points: p.add([...zeros, ...states.map((s) => s.z + 0.1), ...zeros]), count: 1, radius: 0.1 },
        { kind: "path", label: "centre", color: "", points: p.add([...zeros, ...states.map((s) => s.z + 0.1), ...zeros]), count: 1 },
      ],
      forces: [{ contact: 0, at: p.add([0, 0, 0]), force: p.add([...zeros, ...impulse.map((i) => (i && i < 0.1 ? 9.81 : 0)), ...zeros]) }],
    },
    ...over,
  });
  if (over.names) for (const list of [run.series, run.contacts, run.scene.items]) for (const entry of list) entry.name = entry.label = over.names;
  p.write(run, template, file);
  return run;
}

const crank = { l1: 0.153, l2: 0.306, a: 0.05, b: 0.025, c: 0.001 };

// The kinematics of the slider-crank of the paper, with a slider that tilts a little. The forces are made up.
export function sliderCrank(template, file, kept = 20000) {
  const p = new Packer();
  const { l1, l2, a, b, c } = crank;
  const end = 0.2;
  const index = Array.from({ length: kept }, (_, i) => i);
  const t = Float64Array.from(index, (i) => (end * i) / (kept - 1));
  const theta1 = Array.from(t, (s) => 150 * s);
  const lift = Array.from(t, (s) => 0.0008 * Math.sin(900 * s));
  const theta2 = theta1.map((th, i) => Math.asin((lift[i] - l1 * Math.sin(th)) / l2));
  const theta3 = Array.from(t, (s) => 0.006 * Math.sin(1300 * s));
  const x = theta1.map((th, i) => l1 * Math.cos(th) + l2 * Math.cos(theta2[i]));
  const y = theta1.map((th, i) => l1 * Math.sin(th) + l2 * Math.sin(theta2[i]));
  const difference = (v) => v.map((_, i) => (i ? (v[i] - v[i - 1]) / (t[i] - t[i - 1]) : (v[1] - v[0]) / t[1]));
  const corners = [[-1, 1], [1, 1], [-1, -1], [1, -1]];
  const zeros = new Array(kept).fill(0);
  const series = [];
  const push = (name, unit, group, contact, values) => series.push({ name, unit, group, contact, data: p.add(values) });
  [theta1, theta2, theta3].forEach((q, i) => push(`theta${i + 1}`, "rad", "position", -1, q));
  [theta1, theta2, theta3].forEach((q, i) => push(`theta${i + 1}'`, "rad/s", "velocity", -1, difference(q)));
  const contacts = [];
  const forces = [];
  corners.forEach(([sx, sy], k) => {
    const px = x.map((v, i) => v + sx * a * Math.cos(theta3[i]) - sy * b * Math.sin(theta3[i]));
    const py = y.map((v, i) => v + sx * a * Math.sin(theta3[i]) + sy * b * Math.cos(theta3[i]));
    const gap = py.map((v) => b + c - sy * v);
    const N = gap.map((g) => (g < 5e-4 ? 30 * (5e-4 - g) / 5e-4 : 0));
    const slip = difference(x);
    const F = N.map((f, i) => -0.01 * f * Math.sign(slip[i]));
    const name = `corner${k + 1}`;
    push(name, "m", "gap", k, gap);
    push(name, "m/s", "gap_velocity", k, difference(gap));
    push(name, "m/s", "slip_velocity", k, slip);
    push(name, "N s", "impulse_N", k, N.map((f) => f * 1e-5));
    push(name, "N s", "impulse_F", k, F.map((f) => f * 1e-5));
    push(name, "N", "force_N", k, N);
    push(name, "N", "force_F", k, F);
    const from = [];
    const to = [];
    const hits = [];
    N.forEach((f, i) => {
      if (f > 0 && !(N[i - 1] > 0)) from.push(t[i]), hits.push(t[i]);
      if (f > 0 && !(N[i + 1] > 0)) to.push(t[i]);
    });
    contacts.push({ name, mu: 0.01, e_N: 0.4, impacts: { time: p.add(hits, "f64"), size: p.add(hits.map((_, i) => 0.02 + 0.1 * Math.abs(Math.sin(i)))) },
      phases: { from: p.add(from, "f64"), to: p.add(to, "f64"), kind: p.add(from.map((_, i) => (i % 3 ? 2 : 1)), "u8") } });
    forces.push({ contact: k, at: p.add([...px, ...py, ...zeros]), force: p.add([...F, ...N.map((f) => -sy * f), ...zeros]) });
  });
  const total = Array.from(t, (s) => 9 - 0.8 * s / end);
  push("kinetic", "J", "energy", -1, total.map((e, i) => e - 0.1 * Math.sin(theta1[i])));
  push("potential", "J", "energy", -1, theta1.map((th) => 0.1 * Math.sin(th)));
  push("total", "J", "energy", -1, total);
  push("iterations", "", "iterations", -1, index.map((i) => 1 + (i % 7 === 0)));
  push("residual", "", "residual", -1, index.map((i) => (i % 3 ? 1e-14 * (1 + (i % 10)) : 0)));
  const X1 = theta1.map((th) => l1 * Math.cos(th));
  const Y1 = theta1.map((th) => l1 * Math.sin(th));
  const time = p.add(t, "f64");
  const h = b + c;
  const run = blank(p, {
    title: "Slider-crank with a clearance in the slot", model: "slider_crank", source: "Schindler 2014 §2.1, Table 1", scheme: "half-explicit-velocity",
    dt: 2e-6, end, steps: 100000, time, series, contacts,
    parameters: Object.entries(crank).map(([name, value]) => ({ name, value })),
    unconverged: { count: 2, times: p.add([0.031, 0.12], "f64") },
    warnings: ["contact corner2 stays within 1e-6 m of closing at rest"],
    summary: { steps: 100000, wall_s: 0.42, us_per_step: 4.2, energy: { kinetic: 8, potential: 0.2, total: 8.2, initial: 9 },
      violation: { max: 1.3e-6, contact: "corner3", time: 0.0812 }, impulsive_steps: 93, iterations: { mean: 1.4, max: 9 }, residual: { max: 4e-13 }, unconverged_steps: 2 },
    sampling: { steps: 100000, kept, note: `Shown are ${kept} of 100 000 steps: every fifth, and all within 8 steps of an impact.` },
    model_text: "title: Slider-crank with a clearance in the slot\n",
    scene: { planar: true, time, forces, items: [
      { kind: "ground", label: "guide", color: "", points: p.add([0.08, -h, 0, 0.56, -h, 0]), count: 2 },
      { kind: "ground", label: "guide", color: "", points: p.add([0.56, h, 0, 0.08, h, 0]), count: 2 },
      { kind: "path", label: "centre of the slider", color: "", points: p.add([...x, ...y, ...zeros]), count: 1 },
      { kind: "path", label: "crank pin", color: "", points: p.add([...X1, ...Y1, ...zeros]), count: 1 },
      { kind: "line", label: "crank", color: "", width: 7, points: p.add([...zeros, ...zeros, ...zeros, ...X1, ...Y1, ...zeros]), count: 2 },
      { kind: "line", label: "rod", color: "", width: 5, points: p.add([...X1, ...Y1, ...zeros, ...x, ...y, ...zeros]), count: 2 },
      { kind: "box", label: "slider", color: "", size: [2 * a, 2 * b], angle: p.add(theta3), points: p.add([...x, ...y, ...zeros]), count: 1 },
      { kind: "joint", label: "", color: "", fixed: true, points: p.add([0, 0, 0]), count: 1 },
      { kind: "joint", label: "", color: "", points: p.add([...X1, ...Y1, ...zeros]), count: 1 },
      { kind: "joint", label: "", color: "", points: p.add([...x, ...y, ...zeros]), count: 1 },
    ] },
  });
  p.write(run, template, file);
  return run;
}

// A ball that rolls around on a floor, with a box, a rod, a spring and a tube, so that every solid is shown once.
export function spatial(template, file) {
  const p = new Packer();
  const n = 801;
  const t = Float64Array.from({ length: n }, (_, i) => i * 0.005);
  const R = 0.3;
  const r = 0.1;
  const x = Array.from(t, (s) => R * Math.cos(2 * s));
  const y = Array.from(t, (s) => R * Math.sin(2 * s));
  const spin = Array.from(t, (s) => (-2 * s * R) / r);
  const fill = (v) => new Array(n).fill(v);
  const pose = p.add([...x, ...y, ...fill(r), ...spin.map((a) => Math.cos(a / 2)), ...fill(0), ...spin.map((a) => Math.sin(a / 2)), ...fill(0)]);
  const time = p.add(t, "f64");
  const still = (...v) => ({ points: p.add(v), count: v.length / 3 });
  const run = blank(p, {
    title: "Ball rolling round", model: "rolling_ball", end: 4, steps: 800, dt: 0.005, time,
    series: [
      { name: "ball.x", unit: "m", group: "position", contact: -1, data: p.add(x) },
      { name: "ball.y", unit: "m", group: "position", contact: -1, data: p.add(y) },
      { name: "ball.x'", unit: "m/s", group: "velocity", contact: -1, data: p.add(y.map((v) => -2 * v)) },
      { name: "ball.y'", unit: "m/s", group: "velocity", contact: -1, data: p.add(x.map((v) => 2 * v)) },
      { name: "floor", unit: "N", group: "force_N", contact: 0, data: p.add(fill(9.81)) },
    ],
    contacts: [{ name: "floor", mu: 0.3, e_N: 0, impacts: { time: p.add([], "f64"), size: p.add([]) },
      phases: { from: p.add([0], "f64"), to: p.add([4], "f64"), kind: p.add([1], "u8") } }],
    scene: { planar: false, time, items: [
      { kind: "plane", label: "floor", color: "", ...still(0, 0, 0, 0, 0, 1) },
      { kind: "sphere", label: "ball", color: "", radius: r, pose },
      { kind: "box", label: "block", color: "", size: [0.12, 0.12, 0.2], ...still(0, 0, 0.1) },
      { kind: "rod", label: "arm", color: "", radius: 0.012, points: p.add([...fill(0), ...fill(0), ...fill(0.2), ...x, ...y, ...fill(r)]), count: 2 },
      { kind: "spring", label: "spring", color: "", coils: 9, points: p.add([...fill(-0.5), ...fill(0), ...fill(0.1), ...x, ...y, ...fill(r)]), count: 2 },
      { kind: "cylinder", label: "tube", color: "", radius: 0.42, fill: false, ...still(0, 0, 0, 0, 0, 0.25) },
      { kind: "joint", label: "", color: "", type: "spherical", ...still(0, 0, 0.2) },
      { kind: "path", label: "centre", color: "", points: p.add([...x, ...y, ...fill(r)]), count: 1 },
    ], forces: [{ contact: 0, at: p.add([...x, ...y, ...fill(0)]), force: p.add([...fill(0), ...fill(0), ...fill(9.81)]) }] },
  });
  p.write(run, template, file);
  return run;
}
