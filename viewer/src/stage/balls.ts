// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Many balls: where they are, how they are turned, and in which order they are drawn.
import { type Camera, Color, Vector3 } from "three";
import { itemColor } from "../theme";
import type { Drawn } from "./tracks";

const layers = 512;
export const crowd = 200; // from this number of balls on
export const sun = new Vector3(-0.32, -0.42, 0.85); // where the light comes from
export const ambient = 0.62; // brightness of a ball in its own shadow, if 1 is its colour
export const sunlight = 0.45; // what the sun adds

// Whether an item can be one of a crowd.
export function isBall({ item, pose }: Drawn): boolean {
  return (item.kind === "sphere" || item.kind === "circle") && item.fill !== false && typeof item.radius === "number" && pose !== undefined;
}

// A colour as the screen takes it. It is multiplied with the light as it is, which saves a power per pixel.
export function screenColour(name: string): Color {
  return new Color(name).convertLinearToSRGB();
}

export class Balls {
  readonly ball: Float32Array; // x, y, z and the radius
  readonly turn: Float32Array; // quaternions w, x, y, z
  readonly tint: Float32Array; // red, green, blue
  readonly order: Uint32Array; // the nearest first
  private depth: Float32Array;
  private starts = new Uint32Array(layers + 1);
  private toward = new Vector3();

  constructor(private drawn: Drawn[]) {
    const n = drawn.length;
    this.ball = new Float32Array(4 * n);
    this.turn = new Float32Array(4 * n);
    this.tint = new Float32Array(3 * n);
    this.order = new Uint32Array(n);
    this.depth = new Float32Array(n);
    const colours = new Map<string, Color>();
    for (const [i, { item, index }] of drawn.entries()) {
      const name = itemColor(item.color, index);
      let colour = colours.get(name);
      if (!colour) colours.set(name, (colour = screenColour(name)));
      colour.toArray(this.tint, 3 * i);
    }
  }

  // Takes the present positions.
  update() {
    const { ball, turn, drawn } = this;
    for (let i = 0; i < drawn.length; ++i) {
      const { world, quaternion, radius } = drawn[i];
      ball[4 * i] = world[0];
      ball[4 * i + 1] = world[1];
      ball[4 * i + 2] = world[2];
      ball[4 * i + 3] = radius;
      turn[4 * i] = quaternion[0];
      turn[4 * i + 1] = quaternion[1];
      turn[4 * i + 2] = quaternion[2];
      turn[4 * i + 3] = quaternion[3];
    }
  }

  // Puts the balls into layers by the distance of their centres, the nearest first.
  sort(camera: Camera) {
    const { ball, depth, starts, order, toward } = this;
    camera.getWorldDirection(toward);
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < depth.length; ++i) {
      const d = ball[4 * i] * toward.x + ball[4 * i + 1] * toward.y + ball[4 * i + 2] * toward.z;
      depth[i] = d;
      if (d < low) low = d;
      if (d > high) high = d;
    }
    const scale = (layers - 1) / (high - low || 1);
    starts.fill(0);
    for (let i = 0; i < depth.length; ++i) ++starts[1 + Math.floor((depth[i] - low) * scale)];
    for (let k = 0; k < layers; ++k) starts[k + 1] += starts[k];
    for (let i = 0; i < depth.length; ++i) order[starts[Math.floor((depth[i] - low) * scale)]++] = i;
  }
}
