// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Many balls as one object. Each ball is one point of the graphics card, as large as the ball on the screen, in which the
// sphere is computed with two great circles that show its rotation. What does not differ within a ball is computed once
// per ball, and the nearest balls are drawn first: those behind them then cost little.
import { BufferAttribute, BufferGeometry, type Camera, Points, ShaderMaterial, Vector3 } from "three";
import { theme } from "../theme";
import { Balls, ambient, screenColour, sun, sunlight } from "./balls";
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
  gl_FragColor = vec4((line < band ? ring : colour) * (${ambient} + max(0.0, dot(normal, light))), 1.0);
}`;

export class Crowd implements SpaceObject {
  readonly object: Points;
  private balls: Balls;
  private changing: BufferAttribute[];

  constructor(drawn: Drawn[]) {
    this.balls = new Balls(drawn);
    const { ball, turn, tint, order } = this.balls;
    const geometry = new BufferGeometry();
    geometry.setAttribute("ball", new BufferAttribute(ball, 4));
    geometry.setAttribute("turn", new BufferAttribute(turn, 4));
    geometry.setAttribute("tint", new BufferAttribute(tint, 3));
    geometry.setIndex(new BufferAttribute(order, 1));
    this.changing = [geometry.getAttribute("ball") as BufferAttribute, geometry.getAttribute("turn") as BufferAttribute, geometry.getIndex()!];
    const material = new ShaderMaterial({
      vertexShader, fragmentShader,
      uniforms: { ring: { value: screenColour(theme().panel) }, height: { value: 1 }, light: { value: new Vector3() } },
    });
    this.object = new Points(geometry, material);
    this.object.frustumCulled = false;
    this.object.onBeforeRender = (renderer, _scene, camera) => {
      material.uniforms.height.value = renderer.domElement.height;
      material.uniforms.light.value.copy(sun).transformDirection(camera.matrixWorldInverse).multiplyScalar(sunlight);
      material.uniformsNeedUpdate = true;
    };
  }

  update() {
    this.balls.update();
  }

  sort(camera: Camera) {
    this.balls.sort(camera);
    for (const attribute of this.changing) attribute.needsUpdate = true;
  }
}
