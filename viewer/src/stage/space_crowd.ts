// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Many balls as one object. Each ball is one point of the graphics card, as large as the ball on the screen, in which the
// sphere is computed with two great circles that show its rotation. What does not differ within a ball is computed once
// per ball, and the nearest balls are drawn first: those behind them then cost little, also without a graphics card.
import { BufferAttribute, BufferGeometry, Camera, Color, Points, ShaderMaterial, Vector3 } from "three";
import { itemColor, theme } from "../theme";
import type { Drawn } from "./tracks";
import type { SpaceObject } from "./space_shapes";

const vertexShader = `
attribute vec4 ball;
attribute vec4 turn;
attribute vec3 tint;
uniform float height; // of the picture in pixels
varying vec3 colour;
varying vec3 poleX; // axes of the ball as the camera sees them
varying vec3 poleZ;
varying float band; // half the width of a great circle; none on balls of a few pixels
vec3 turned(vec3 v) {
  return v + 2.0 * cross(turn.yzw, cross(turn.yzw, v) + turn.x * v);
}
void main() {
  colour = tint;
  poleX = mat3(viewMatrix) * turned(vec3(1.0, 0.0, 0.0));
  poleZ = mat3(viewMatrix) * turned(vec3(0.0, 0.0, 1.0));
  gl_Position = projectionMatrix * modelViewMatrix * vec4(ball.xyz, 1.0);
  gl_PointSize = ball.w * projectionMatrix[1][1] * height / gl_Position.w;
  band = gl_PointSize > 8.0 ? max(0.03, 0.7 / gl_PointSize) : 0.0;
}`;

const fragmentShader = `
uniform vec3 ring;
uniform vec3 light; // toward the sun as the camera sees it, times its strength
varying vec3 colour;
varying vec3 poleX;
varying vec3 poleZ;
varying float band;
void main() {
  vec2 place = vec2(2.0, -2.0) * gl_PointCoord + vec2(-1.0, 1.0);
  float distance2 = dot(place, place);
  if (distance2 > 1.0) discard;
  vec3 normal = vec3(place, sqrt(1.0 - distance2));
  float line = min(abs(dot(normal, poleX)), abs(dot(normal, poleZ)));
  gl_FragColor = vec4((line < band ? ring : colour) * (0.62 + max(0.0, dot(normal, light))), 1.0);
}`;

const layers = 512;
const sun = new Vector3(-0.32, -0.42, 0.85);
export const crowd = 200; // from this number of balls on

// Whether an item can be one of a crowd.
export function isBall({ item, pose }: Drawn): boolean {
  return (item.kind === "sphere" || item.kind === "circle") && item.fill !== false && typeof item.radius === "number" && pose !== undefined;
}

// A colour as the screen takes it. The shader multiplies it with the light as it is, which saves a power per pixel.
function screenColour(name: string): Color {
  return new Color(name).convertLinearToSRGB();
}

export class Crowd implements SpaceObject {
  readonly object: Points;
  private ball: BufferAttribute;
  private turn: BufferAttribute;
  private order: BufferAttribute; // of drawing
  private depth: Float32Array;
  private starts = new Uint32Array(layers + 1);
  private toward = new Vector3();

  constructor(private drawn: Drawn[]) {
    const n = drawn.length;
    const geometry = new BufferGeometry();
    this.ball = new BufferAttribute(new Float32Array(4 * n), 4);
    this.turn = new BufferAttribute(new Float32Array(4 * n), 4);
    this.order = new BufferAttribute(new Uint32Array(n), 1);
    this.depth = new Float32Array(n);
    const tint = new BufferAttribute(new Float32Array(3 * n), 3);
    const colours = new Map<string, Color>();
    for (const [i, { item, index }] of drawn.entries()) {
      const name = itemColor(item.color, index);
      let colour = colours.get(name);
      if (!colour) colours.set(name, (colour = screenColour(name)));
      tint.setXYZ(i, colour.r, colour.g, colour.b);
    }
    geometry.setAttribute("ball", this.ball);
    geometry.setAttribute("turn", this.turn);
    geometry.setAttribute("tint", tint);
    geometry.setIndex(this.order);
    const material = new ShaderMaterial({
      vertexShader, fragmentShader,
      uniforms: { ring: { value: screenColour(theme().panel) }, height: { value: 1 }, light: { value: new Vector3() } },
    });
    this.object = new Points(geometry, material);
    this.object.frustumCulled = false;
    this.object.onBeforeRender = (renderer, _scene, camera) => {
      material.uniforms.height.value = renderer.domElement.height;
      material.uniforms.light.value.copy(sun).transformDirection(camera.matrixWorldInverse).multiplyScalar(0.45);
      material.uniformsNeedUpdate = true;
    };
  }

  update() {
    const [ball, turn] = [this.ball.array, this.turn.array];
    for (let i = 0; i < this.drawn.length; ++i) {
      const { world, quaternion, radius } = this.drawn[i];
      ball[4 * i] = world[0];
      ball[4 * i + 1] = world[1];
      ball[4 * i + 2] = world[2];
      ball[4 * i + 3] = radius;
      turn[4 * i] = quaternion[0];
      turn[4 * i + 1] = quaternion[1];
      turn[4 * i + 2] = quaternion[2];
      turn[4 * i + 3] = quaternion[3];
    }
    this.ball.needsUpdate = this.turn.needsUpdate = true;
  }

  // Puts the balls into layers by their distance, the nearest first.
  sort(camera: Camera) {
    const { depth, starts, order, toward } = this;
    const ball = this.ball.array;
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
    for (let i = 0; i < depth.length; ++i) order.array[starts[Math.floor((depth[i] - low) * scale)]++] = i;
    order.needsUpdate = true;
  }
}
