// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The camera of the views in space, with z upward. It orbits with mouse, touch and arrow keys.
import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Point } from "./stage";
import type { Bounds } from "./tracks";

export class SpaceCamera {
  readonly camera = new PerspectiveCamera(35, 1, 0.001, 1000);
  readonly controls: OrbitControls;
  readonly center: Vector3; // of the view
  private middle: Vector3; // of the scene
  private followed: number | null = null;  // size of the followed part
  size: number; // radius of the scene

  constructor(canvas: HTMLCanvasElement, private bounds: Bounds, redraw: () => void) {
    const low = new Vector3(...bounds.low);
    const high = new Vector3(...bounds.high);
    this.center = low.clone().add(high).multiplyScalar(0.5);
    this.middle = this.center.clone();
    this.size = Math.max(high.distanceTo(low) / 2, 1e-9);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", redraw);
    canvas.addEventListener("dblclick", () => this.fit());
    canvas.addEventListener("keydown", (e) => {
      // Alt with arrows turns the view. Arrows alone move the time cursor.
      const turn = { ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[e.key];
      if (!turn || !e.altKey) return;
      e.preventDefault();
      this.turn(turn[0], turn[1]);
    });
    this.fit();
  }

  // Other bounds, for the next fit(). The camera stays.
  replace(bounds: Bounds) {
    this.bounds = bounds;
    const [low, high] = [new Vector3(...bounds.low), new Vector3(...bounds.high)];
    this.middle.copy(low).add(high).multiplyScalar(0.5);
    this.size = Math.max(high.distanceTo(low) / 2, 1e-9);
  }

  follow(target: Point | null, size: number) {
    const wanted = target ? size : null;
    if (wanted !== this.followed) {
      this.followed = wanted;
      if (target) this.center.set(...target);
      else this.center.copy(this.middle);
      this.fit();
    }
    if (!target) return;
    const step = new Vector3(...target).sub(this.center);
    if (step.lengthSq() === 0) return;
    this.center.add(step);
    this.camera.position.add(step);
    this.controls.target.add(step);
    this.camera.lookAt(this.controls.target);
  }

  // The height of what the camera sees around its target.
  get reach(): number {
    return 2 * this.camera.position.distanceTo(this.controls.target) * Math.tan((this.camera.fov * Math.PI) / 360);
  }

  // Moves the camera as near as possible while all corners of the scene are visible.
  fit() {
    const toward = new Vector3(0.55, -1, 0.5).normalize();
    const side = new Vector3(0, 0, 1).cross(toward).normalize();
    const top = toward.clone().cross(side);
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0.5 * this.size;
    if (this.followed !== null) distance = (1.6 * this.followed) / tangent / Math.min(1, this.camera.aspect);
    else for (let corner = 0; corner < 8; ++corner) {
      const p = new Vector3(...[0, 1, 2].map((k) => this.bounds[corner & (1 << k) ? "high" : "low"][k])).sub(this.center);
      const reach = Math.max(Math.abs(p.dot(side)) / this.camera.aspect, Math.abs(p.dot(top))) / (0.82 * tangent);
      distance = Math.max(distance, reach + p.dot(toward));
    }
    this.camera.near = distance / 200;
    this.camera.far = 50 * distance + 4 * this.size;
    this.camera.position.copy(this.center).add(toward.multiplyScalar(distance));
    this.controls.target.copy(this.center);
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  zoom(factor: number) {
    this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
    this.controls.update();
  }

  resize(width: number, height: number) {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  private turn(azimuth: number, polar: number) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(new Vector3(0, 0, 1), azimuth);
    const side = new Vector3(0, 0, 1).cross(offset).normalize();
    offset.applyAxisAngle(side, polar);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }
}
