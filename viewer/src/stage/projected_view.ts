// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Spatial models without a graphics card: outlines, projected through the same camera onto a 2D canvas. A crowd of balls
// is painted.
import { Matrix4, Quaternion, Vector3 } from "three";
import { crowd, isBall } from "./balls";
import { SpaceCamera } from "./camera";
import { PaintedCrowd } from "./painted_crowd";
import { drawArrow, loopsOf } from "./plane_shapes";
import type { Overlay, Point, View } from "./stage";
import { itemColor, onTheme, theme } from "../theme";
import type { Drawn, Tracks } from "./tracks";

type Loop = Vector3[];

export class ProjectedView implements View {
  readonly name = "projected";
  private context: CanvasRenderingContext2D;
  private view: SpaceCamera;
  private width = 1;
  private height = 1;
  private matrix = new Matrix4();
  private outlined: Drawn[] = [];
  private crowd: PaintedCrowd | null = null; // the balls, if there are many
  private endTheme: () => void;

  constructor(
    private canvas: HTMLCanvasElement,
    private tracks: Tracks,
    redraw: () => void,
  ) {
    this.context = canvas.getContext("2d")!;
    this.view = new SpaceCamera(canvas, tracks.bounds(), redraw);
    this.build();
    this.endTheme = onTheme(() => this.build());
  }

  private build() {
    const balls = this.tracks.items.filter(isBall);
    this.crowd = balls.length >= crowd ? new PaintedCrowd(balls) : null;
    this.crowd?.resize(this.width, this.height);
    this.outlined = this.crowd ? this.tracks.items.filter((drawn) => !isBall(drawn)) : this.tracks.items;
  }

  fit() {
    this.view.fit();
  }
  zoom(factor: number) {
    this.view.zoom(factor);
  }
  follow(target: Point | null, size: number) {
    this.view.follow(target, size);
  }
  resize(width: number, height: number) {
    [this.width, this.height] = [width, height];
    this.canvas.width = width;
    this.canvas.height = height;
    this.crowd?.resize(width, height);
    this.view.resize(width, height);
    this.view.fit();
  }

  replace(tracks: Tracks) {
    this.tracks = tracks;
    this.view.replace(tracks.bounds());
    this.build();
  }
  pick() {
    return null;
  }
  dispose() {
    this.endTheme();
    this.view.controls.dispose();
  }

  private project(p: Vector3): [number, number] {
    const q = p.clone().applyMatrix4(this.matrix);
    return [((q.x + 1) / 2) * this.width, ((1 - q.y) / 2) * this.height];
  }

  draw(tracks: Tracks, overlay: Overlay) {
    const { camera } = this.view;
    camera.updateMatrixWorld();
    this.matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const c = this.context;
    c.lineJoin = "round";
    if (this.crowd) {
      this.crowd.paint(c, camera);
      c.globalCompositeOperation = "destination-over"; // behind the balls
    } else {
      c.clearRect(0, 0, this.width, this.height);
    }
    this.outlines(overlay, () => true);
    c.globalCompositeOperation = "source-over";
    // The balls are in the middle of a container, and some of its edges are before them.
    c.globalAlpha = 0.35;
    if (this.crowd) this.outlines(overlay, ({ item }) => item.kind === "box" && item.fill === false);
    c.globalAlpha = 1;
    if (overlay.show.forces) this.forces(tracks, overlay);
  }

  private outlines(overlay: Overlay, choose: (drawn: Drawn) => boolean) {
    const c = this.context;
    const { position } = this.view.camera;
    const depth = (d: Drawn) => position.distanceToSquared(new Vector3(...d.world.subarray(0, 3)));
    const order = this.outlined.filter(choose).sort((a, b) => depth(b) - depth(a));
    for (const drawn of order) {
      if (drawn.item.kind === "path" && !overlay.show.paths) continue;
      const plain = ["plane", "ground", "spring"].includes(drawn.item.kind) || drawn.item.fill === false;
      c.strokeStyle = plain ? theme().muted : itemColor(drawn.item.color, drawn.index);
      c.lineWidth = 2;
      for (const loop of outlines(drawn, this.view.size, this.tracks)) this.stroke(loop);
    }
  }

  private stroke(loop: Loop) {
    this.context.beginPath();
    for (const p of loop) this.context.lineTo(...this.project(p));
    this.context.stroke();
  }

  private forces(tracks: Tracks, overlay: Overlay) {
    const [at, f] = [[0, 0, 0], [0, 0, 0]];
    for (const force of tracks.forces) {
      tracks.vector(force.at, at);
      tracks.vector(force.force, f, false);
      const size = Math.hypot(...f);
      if (size <= 0) continue;
      const tip = new Vector3(...f).multiplyScalar((0.25 * this.view.reach * overlay.forceScale(size)) / size);
      const [x, y] = this.project(new Vector3(...at));
      const [u, v] = this.project(tip.add(new Vector3(...at)));
      drawArrow(this.context, x, y, u - x, v - y, theme().force);
    }
  }
}

function outlines(drawn: Drawn, size: number, tracks: Tracks): Loop[] {
  const { item, world, count } = drawn;
  const points = Array.from({ length: count }, (_, i) => new Vector3(...world.subarray(3 * i, 3 * i + 3)));
  const [w, x, y, z] = drawn.quaternion;
  const place = (p: Vector3) => p.applyQuaternion(new Quaternion(x, y, z, w)).add(points[0]);
  switch (item.kind) {
    case "sphere":
    case "circle":
    case "point":
    case "joint": {
      const r = item.kind === "point" || item.kind === "joint" ? 0.02 * size : drawn.radius;
      return [0, 1, 2].map((axis) => ring(r, axis).map(place));
    }
    case "box":
      return boxLoops(item.size ?? [1, 1, 1], tracks.containerHeight(drawn)).map((loop) => loop.map(place));
    case "solid": {
      const at = (v: number) => place(new Vector3(...(item.vertices ?? []).slice(3 * v, 3 * v + 3)));
      return (item.faces ?? []).map((face) => [...face, face[0]].map(at));
    }
    case "plane": {
      const normal = points[1].clone().sub(points[0]).normalize();
      const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal);
      const s = 1.5 * size;
      const square = [[-s, -s], [s, -s], [s, s], [-s, s], [-s, -s]];
      return [square.map(([a, b]) => new Vector3(a, b, 0).applyQuaternion(turn).add(points[0]))];
    }
    case "cylinder":
    case "rod": {
      if (!drawn.radius) return [points];
      const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), points[1].clone().sub(points[0]).normalize());
      const ends = points.map((p) => ring(drawn.radius, 2).map((v) => v.applyQuaternion(turn).add(p)));
      return [...ends, ...[0, 8, 16, 24].map((i) => [ends[0][i], ends[1][i]])];
    }
    case "polygon":
      return loopsOf(points, item.loops).map((loop) => [...loop, loop[0]]);
    case "path": {
      const track = drawn.points!;
      const n = track.length / 3;
      const stride = Math.max(1, Math.floor(n / 600));
      return [Array.from({ length: Math.floor((n - 1) / stride) + 1 }, (_, i) =>
        new Vector3(track[i * stride], track[n + i * stride], track[2 * n + i * stride]))];
    }
    default:
      return [points];
  }
}

function ring(radius: number, axis: number): Loop {
  return Array.from({ length: 33 }, (_, i) => {
    const a = (2 * Math.PI * i) / 32;
    const [c, s] = [radius * Math.cos(a), radius * Math.sin(a)];
    return axis === 0 ? new Vector3(0, c, s) : axis === 1 ? new Vector3(c, 0, s) : new Vector3(c, s, 0);
  });
}

function boxLoops(size: number[], height: number): Loop[] {
  const [a, b, c] = [size[0] / 2, size[1] / 2, (size[2] ?? 0) / 2];
  const corners = [[-a, -b], [a, -b], [a, b], [-a, b], [-a, -b]];
  const faces = [-c, height - c].map((h) => corners.map(([u, v]) => new Vector3(u, v, h)));
  return [...faces, ...[0, 1, 2, 3].map((i) => [faces[0][i].clone(), faces[1][i].clone()])];
}
