// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Many balls as one object. Each ball is a small square that faces the camera. The graphics card computes the sphere
// within it, with two great circles that show its rotation, so 10 000 balls cost as much as 20 000 triangles.
import { Color, InstancedBufferAttribute, InstancedBufferGeometry, BufferAttribute, Mesh, ShaderMaterial } from "three";
import { itemColor, theme } from "../theme";
import type { Drawn } from "./tracks";
import type { SpaceObject } from "./space_shapes";

const vertexShader = `
attribute vec4 ball;
attribute vec4 turn;
attribute vec3 tint;
varying vec2 place;
varying vec3 colour;
varying vec4 rotation;
varying vec3 middle;
varying float radius;
void main() {
  place = position.xy;
  colour = tint;
  rotation = turn;
  radius = ball.w;
  vec4 at = modelViewMatrix * vec4(ball.xyz, 1.0);
  middle = at.xyz;
  at.xy += position.xy * ball.w;
  gl_Position = projectionMatrix * at;
}`;

// The depth of the square is that of the plane through the middle, which is enough to tell which ball is in front.
const fragmentShader = `
uniform vec3 band;
uniform vec3 sun;
uniform mat3 toModel;
varying vec2 place;
varying vec3 colour;
varying vec4 rotation;
varying vec3 middle;
varying float radius;
void main() {
  float distance2 = dot(place, place);
  if (distance2 > 1.0) discard;
  vec3 normal = vec3(place, sqrt(1.0 - distance2));
  vec3 outward = toModel * normal;
  vec3 axis = -rotation.yzw;
  vec3 own = outward + 2.0 * cross(axis, cross(axis, outward) + rotation.x * outward);
  float line = min(abs(own.z), abs(own.x));
  vec3 paint = line < 0.03 ? band : colour;
  float light = 0.62 + 0.38 * max(0.0, dot(outward, sun)) + 0.12 * outward.z;
  gl_FragColor = vec4(paint * light, 1.0);
  #include <colorspace_fragment>
}`;

export const crowd = 200; // from this number of balls on

// Whether an item can be one of a crowd.
export function isBall({ item, pose }: Drawn): boolean {
  return (item.kind === "sphere" || item.kind === "circle") && item.fill !== false && typeof item.radius === "number" && pose !== undefined;
}

export class Crowd implements SpaceObject {
  readonly object: Mesh;
  private ball: InstancedBufferAttribute;
  private turn: InstancedBufferAttribute;

  constructor(private drawn: Drawn[]) {
    const n = drawn.length;
    const geometry = new InstancedBufferGeometry();
    geometry.instanceCount = n;
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.ball = new InstancedBufferAttribute(new Float32Array(4 * n), 4);
    this.turn = new InstancedBufferAttribute(new Float32Array(4 * n), 4);
    const tint = new InstancedBufferAttribute(new Float32Array(3 * n), 3);
    const colours = new Map<string, Color>();
    for (const [i, { item, index }] of drawn.entries()) {
      const name = itemColor(item.color, index);
      let colour = colours.get(name);
      if (!colour) colours.set(name, (colour = new Color(name)));
      tint.setXYZ(i, colour.r, colour.g, colour.b);
    }
    geometry.setAttribute("ball", this.ball);
    geometry.setAttribute("turn", this.turn);
    geometry.setAttribute("tint", tint);
    const material = new ShaderMaterial({
      vertexShader, fragmentShader,
      uniforms: { band: { value: new Color(theme().panel) }, sun: { value: [-0.32, -0.42, 0.85] }, toModel: { value: null } },
    });
    this.object = new Mesh(geometry, material);
    this.object.frustumCulled = false;
    this.object.onBeforeRender = (_renderer, _scene, camera) => {
      const e = camera.matrixWorld.elements;
      material.uniforms.toModel.value = [e[0], e[1], e[2], e[4], e[5], e[6], e[8], e[9], e[10]];
      material.uniformsNeedUpdate = true;
    };
  }

  update() {
    const [ball, turn] = [this.ball.array, this.turn.array];
    for (const [i, { world, quaternion, radius }] of this.drawn.entries()) {
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
}
