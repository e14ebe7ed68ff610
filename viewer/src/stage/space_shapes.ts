// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// How each kind of item looks in space.
import {
  BackSide, BoxGeometry, BufferAttribute, BufferGeometry, CylinderGeometry, DoubleSide, EdgesGeometry, Group, Line,
  LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, MeshLambertMaterial, Object3D, PlaneGeometry, Quaternion, SphereGeometry,
  TorusGeometry, Vector3, WireframeGeometry,
} from "three";
import { itemColor, theme } from "../theme";
import { niceTicks } from "../ticks";
import type { Drawn, Tracks } from "./tracks";

export interface SpaceObject {
  object: Object3D;
  update(): void;
}

const up = new Vector3(0, 1, 0);
const point = (drawn: Drawn, i: number) => new Vector3(drawn.world[3 * i], drawn.world[3 * i + 1], drawn.world[3 * i + 2]);

// `size` is that of the scene, `detail` that of its moving parts.
export function spaceObject(drawn: Drawn, tracks: Tracks, size: number, detail: number): SpaceObject {
  const color = itemColor(drawn.item.color, drawn.index);
  tracks.goTo(tracks.time[0] ?? 0);
  switch (drawn.item.kind) {
    case "sphere":
    case "circle":
      return rigid(drawn, sphere(drawn.radius, color, drawn.item.fill !== false));
    case "box":
      if (drawn.item.fill === false) return rigid(drawn, container(drawn, tracks));
      return rigid(drawn, box(drawn.item.size ?? [1, 1, 1], color, size));
    case "solid":
      return rigid(drawn, polyhedron(drawn.item.vertices ?? [], drawn.item.faces ?? [], color));
    case "point":
      return rigid(drawn, solid(new SphereGeometry(0.012 * size, 12, 8), color));
    case "joint":
      return rigid(drawn, symbol(drawn.item.type ?? "revolute", size));
    case "rod":
    case "cylinder":
      return between(drawn, tube(drawn, color, size));
    case "damper":
      return between(drawn, solid(new CylinderGeometry(0.02 * size, 0.02 * size, 1, 16), theme().muted));
    case "spring":
      return between(drawn, coil(Math.round(tracks.scalar(drawn.item.coils, 8)), tracks.scalar(drawn.item.width, 0.06 * size)));
    case "plane":
      return plane(drawn, drawn.item.size?.[0] || 3.2 * size, detail);
    case "ground":
      return polyline(drawn, theme().muted);
    case "path":
      return path(drawn, theme().accent);
    default:
      return drawn.item.kind === "line" && drawn.count === 2 ? between(drawn, tube(drawn, color, size)) : polyline(drawn, color);
  }
}

function solid(geometry: BufferGeometry, color: string, opacity = 1): Mesh {
  const material = new MeshLambertMaterial({ color, transparent: opacity < 1, opacity, depthWrite: opacity === 1 });
  if (opacity < 1) material.side = DoubleSide;
  return new Mesh(geometry, material);
}

// Great circles make the rotation of a ball visible.
function sphere(radius: number, color: string, filled: boolean): Object3D {
  const group = new Group();
  group.add(solid(new SphereGeometry(radius, 40, 24), color, filled ? 1 : 0.15));
  const band = new MeshLambertMaterial({ color: theme().panel });
  for (const turn of [0, Math.PI / 2]) {
    const ring = new Mesh(new TorusGeometry(radius, 0.018 * radius, 6, 64), band);
    ring.rotation.y = turn;
    group.add(ring);
  }
  return group;
}

function box(size: number[], color: string, scene: number): Object3D {
  const geometry = new BoxGeometry(size[0], size[1], size[2] ?? Math.min(0.1 * scene, size[1]));
  const mesh = solid(geometry, color);
  mesh.add(new LineSegments(new EdgesGeometry(geometry), new LineBasicMaterial({ color: theme().ink, transparent: true, opacity: 0.5 })));
  return mesh;
}

// Walls through which one looks. Without a lid they end somewhat above what is in the container.
function container(drawn: Drawn, tracks: Tracks): Object3D {
  const [x, y, z = 0] = drawn.item.size ?? [1, 1, 1];
  const height = tracks.containerHeight(drawn);
  const geometry = new BoxGeometry(x, y, height).translate(0, 0, (height - z) / 2);
  const inside = new MeshBasicMaterial({ color: theme().muted, transparent: true, opacity: 0.1, side: BackSide, depthWrite: false });
  const object = new Mesh(geometry, inside);
  object.add(new LineSegments(new EdgesGeometry(geometry), new LineBasicMaterial({ color: theme().muted })));
  object.renderOrder = -1;
  return object;
}

// Flat faces with their edges.
function polyhedron(vertices: number[], faces: number[][], color: string): Object3D {
  const corner = (v: number) => vertices.slice(3 * v, 3 * v + 3);
  const triangles = faces.flatMap((face) => face.slice(2).flatMap((v, k) => [face[0], face[k + 1], v].flatMap(corner)));
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(triangles), 3));
  geometry.computeVertexNormals();
  const mesh = solid(geometry, color);
  (mesh.material as MeshLambertMaterial).side = DoubleSide;
  const sides = faces.flatMap((face) => face.flatMap((v, k) => [v, face[(k + 1) % face.length]]).flatMap(corner));
  // A flat part comes as triangles. The sides between triangles in one plane are no edges of it.
  const edges = faces.every((face) => face.length === 3)
    ? new EdgesGeometry(geometry, 12)
    : new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(sides), 3));
  mesh.add(new LineSegments(edges, new LineBasicMaterial({ color: theme().ink, transparent: true, opacity: 0.35 })));
  return mesh;
}

function tube(drawn: Drawn, color: string, scene: number): Object3D {
  const radius = drawn.radius || 0.015 * scene;
  const hollow = drawn.item.fill === false;
  const geometry = new CylinderGeometry(radius, radius, 1, 48, 1, hollow);
  const mesh = solid(geometry, color, hollow ? 0.16 : 1);
  if (hollow)
    mesh.add(new LineSegments(new WireframeGeometry(new CylinderGeometry(radius, radius, 1, 24, 4, true)),
      new LineBasicMaterial({ color, transparent: true, opacity: 0.12 })));
  return mesh;
}

function coil(turns: number, width: number): Object3D {
  const positions: number[] = [];
  const n = 16 * Math.max(1, Math.min(60, turns));
  for (let i = 0; i <= n; ++i) {
    const a = (2 * Math.PI * i) / 16;
    positions.push((width / 2) * Math.cos(a), i / n - 0.5, (width / 2) * Math.sin(a));
  }
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  return new Line(geometry, new LineBasicMaterial({ color: theme().muted }));
}

function symbol(type: string, scene: number): Object3D {
  const s = 0.025 * scene;
  const geometry =
    type === "revolute" || type === "cylindrical" ? new CylinderGeometry(s, s, 2.4 * s, 20).rotateX(Math.PI / 2)
    : type === "prismatic" || type === "fixed" ? new BoxGeometry(2 * s, 2 * s, 2 * s)
    : new SphereGeometry(s, 20, 12);
  return solid(geometry, theme().muted);
}

function rigid(drawn: Drawn, object: Object3D): SpaceObject {
  return {
    object,
    update() {
      const [w, x, y, z] = drawn.quaternion;
      object.position.copy(point(drawn, 0));
      object.quaternion.set(x, y, z, w);
    },
  };
}

// An object of unit length along y, stretched between two points.
function between(drawn: Drawn, object: Object3D): SpaceObject {
  return {
    object,
    update() {
      const [a, b] = [point(drawn, 0), point(drawn, 1)];
      const along = b.clone().sub(a);
      const length = along.length();
      object.position.copy(a).add(b).multiplyScalar(0.5);
      if (length > 0) object.quaternion.copy(new Quaternion().setFromUnitVectors(up, along.divideScalar(length)));
      object.scale.set(1, Math.max(length, 1e-12), 1);
    },
  };
}

// Lines in the plane z = 0 with 2n cells each way. They consist of pieces of one cell, because software renderers lose
// lines that pass the camera.
export function gridLines(cell: number, n: number): Object3D {
  const positions: number[] = [];
  for (let i = -n; i <= n; ++i)
    for (let k = -n; k < n; ++k)
      positions.push(i * cell, k * cell, 0, i * cell, (k + 1) * cell, 0, k * cell, i * cell, 0, (k + 1) * cell, i * cell, 0);
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  return new LineSegments(geometry, new LineBasicMaterial({ color: theme().line }));
}

// A sheet with a grid of round spacing, for the scale.
function plane(drawn: Drawn, size: number, detail: number): SpaceObject {
  const material = new MeshBasicMaterial({ color: theme().line, transparent: true, opacity: 0.35, side: DoubleSide, depthWrite: false });
  const sheet = new Mesh(new PlaneGeometry(size, size), material);
  const cell = niceTicks(0, size, Math.min(100, Math.max(14, size / (2 * detail))))[1] ?? size / 10;
  const object = new Group().add(sheet, gridLines(cell, Math.max(1, Math.floor(size / 2 / cell))));
  object.renderOrder = -1;
  return {
    object,
    update() {
      const at = point(drawn, 0);
      const normal = point(drawn, 1).sub(at).normalize();
      object.position.copy(at);
      object.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), normal);
    },
  };
}

function polyline(drawn: Drawn, color: string): SpaceObject {
  const closed = drawn.item.kind === "polygon";
  const positions = new BufferAttribute(new Float32Array(3 * (drawn.count + (closed ? 1 : 0))), 3);
  const object = new Line(new BufferGeometry().setAttribute("position", positions), new LineBasicMaterial({ color }));
  object.frustumCulled = false;
  return {
    object,
    update() {
      positions.array.set(drawn.world);
      if (closed) positions.array.set(drawn.world.subarray(0, 3), 3 * drawn.count);
      positions.needsUpdate = true;
    },
  };
}

function path(drawn: Drawn, color: string): SpaceObject {
  const track = drawn.points!;
  const frames = track.length / 3;
  const positions = new Float32Array(3 * frames);
  for (let i = 0; i < frames; ++i) for (let k = 0; k < 3; ++k) positions[3 * i + k] = track[k * frames + i];
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(positions, 3));
  const object = new Line(geometry, new LineBasicMaterial({ color, transparent: true, opacity: 0.6 }));
  object.frustumCulled = false;
  return { object, update() {} };
}
