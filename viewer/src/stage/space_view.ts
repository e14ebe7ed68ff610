// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Spatial models with WebGL. There is one object per item. A frame moves the objects and rebuilds only lines that
// deform.
import {
  AmbientLight, ArrowHelper, DirectionalLight, HemisphereLight, Mesh, MeshBasicMaterial, Object3D,
  Raycaster, RingGeometry, Scene, Vector2, Vector3, WebGLRenderer,
} from "three";
import { SpaceCamera } from "./camera";
import { crowd, isBall } from "./balls";
import { Crowd } from "./space_crowd";
import { type SpaceObject, gridLines, spaceObject } from "./space_shapes";
import type { Overlay, Point, View } from "./stage";
import { onTheme, theme } from "../theme";
import type { Bounds, Drawn, Tracks } from "./tracks";

export class SpaceView implements View {
  readonly name = "space";
  private renderer: WebGLRenderer;
  private world = new Scene();
  private view: SpaceCamera;
  private items: Drawn[] = []; // those with an object of their own
  private objects: SpaceObject[] = [];
  private crowd: Crowd | null = null; // the balls, if there are many
  private arrows: ArrowHelper[] = [];
  private rings: Mesh[] = [];
  private grid?: Object3D;
  private bounds: Bounds;
  private endTheme: () => void;

  constructor(
    canvas: HTMLCanvasElement,
    private tracks: Tracks,
    redraw: () => void,
  ) {
    // Smooth edges cost four times the work of a crowd, whose balls are round without them.
    const antialias = tracks.items.filter(isBall).length < crowd;
    this.renderer = new WebGLRenderer({ canvas, antialias, alpha: true });
    this.bounds = tracks.bounds();
    this.view = new SpaceCamera(canvas, this.bounds, redraw);
    this.build();
    this.endTheme = onTheme(() => this.build());
  }

  replace(tracks: Tracks) {
    this.tracks = tracks;
    this.bounds = tracks.bounds();
    this.view.replace(this.bounds);
    this.build();
  }
  pick(_: Tracks, x: number, y: number): { index: number; at: Point } | null {
    const { clientWidth, clientHeight } = this.renderer.domElement;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight), this.view.camera);
    const solid = this.objects.filter((_, i) => !["path", "plane", "ground"].includes(this.items[i].item.kind));
    const [hit] = ray.intersectObjects(solid.map(({ object }) => object), true);
    if (!hit) return null;
    const object = this.objects.findIndex(({ object }) => {
      let found = false;
      object.traverse((child) => (found ||= child === hit.object));
      return found;
    });
    return object < 0 ? null : { index: this.tracks.items.indexOf(this.items[object]), at: hit.point.toArray() };
  }
  dispose() {
    this.endTheme();
    this.clear();
    this.view.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
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
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(width, height, false);
    const first = this.view.camera.aspect === 1;
    this.view.resize(width, height);
    if (first) this.view.fit();
  }

  // Frees what the graphics card holds.
  private clear() {
    this.world.traverse((object) => {
      const { geometry, material } = object as Partial<Mesh>;
      geometry?.dispose();
      for (const one of Array.isArray(material) ? material : material ? [material] : []) one.dispose();
    });
    this.world.clear();
  }

  private build() {
    this.clear();
    const { force, dark } = theme();
    this.world.add(new AmbientLight(0xffffff, dark ? 0.7 : 0.9));
    this.world.add(new HemisphereLight(0xffffff, dark ? 0x202428 : 0xb9bdc0, 1.1));
    const sun = new DirectionalLight(0xffffff, 1.6);
    sun.position.set(-0.6, -0.8, 1.6);
    this.world.add(sun);
    this.addGrid();
    const detail = this.tracks.movement().size || this.view.size;
    const balls = this.tracks.items.filter(isBall);
    const together = new Set(balls.length >= crowd ? balls : []);
    this.items = this.tracks.items.filter((drawn) => !together.has(drawn));
    this.objects = this.items.map((drawn) => spaceObject(drawn, this.tracks, this.view.size, detail));
    this.crowd = together.size ? new Crowd(balls) : null;
    for (const { object } of [...this.objects, ...(this.crowd ? [this.crowd] : [])]) this.world.add(object);
    this.arrows = this.tracks.forces.map(() => new ArrowHelper(new Vector3(0, 0, 1), new Vector3(), 1, force));
    for (const arrow of this.arrows) this.world.add(arrow);
    this.rings = Array.from({ length: 8 }, () => {
      const material = new MeshBasicMaterial({ color: force, transparent: true, depthTest: false });
      return new Mesh(new RingGeometry(0.9, 1, 32), material);
    });
    for (const ring of this.rings) this.world.add(ring);
  }

  private addGrid() {
    if (this.tracks.items.some(({ item }) => item.kind === "plane")) return;
    const cell = 10 ** Math.floor(Math.log10(this.view.size));
    this.grid = gridLines(cell, Math.ceil((1.5 * this.view.size) / cell));
    this.grid.position.set(this.view.center.x, this.view.center.y, this.bounds.low[2]);
    this.world.add(this.grid);
  }

  draw(tracks: Tracks, overlay: Overlay) {
    for (const [i, object] of this.objects.entries()) {
      const kind = this.items[i].item.kind;
      object.object.visible = kind !== "path" || overlay.show.paths;
      if (object.object.visible) object.update();
    }
    this.crowd?.update();
    this.crowd?.sort(this.view.camera);
    this.contacts(tracks, overlay);
    this.renderer.render(this.world, this.view.camera);
  }

  private contacts(tracks: Tracks, overlay: Overlay) {
    const [at, f] = [[0, 0, 0], [0, 0, 0]];
    for (const [i, force] of tracks.forces.entries()) {
      tracks.vector(force.at, at);
      tracks.vector(force.force, f, false);
      const size = Math.hypot(...f);
      const arrow = this.arrows[i];
      const length = 0.25 * this.view.reach * overlay.forceScale(size);
      arrow.visible = overlay.show.forces && length > 0.01 * this.view.reach;
      if (!arrow.visible) continue;
      arrow.position.set(at[0], at[1], at[2]);
      arrow.setDirection(new Vector3(...f).divideScalar(size));
      arrow.setLength(length, Math.min(0.045 * this.view.reach, 0.4 * length), Math.min(0.025 * this.view.reach, 0.2 * length));
    }
    for (const [i, ring] of this.rings.entries()) {
      const flash = overlay.flashes[i];
      ring.visible = overlay.show.forces && flash !== undefined;
      if (!flash) continue;
      ring.position.set(...flash.at);
      ring.quaternion.copy(this.view.camera.quaternion);
      ring.scale.setScalar(this.view.reach * (0.015 + 0.1 * flash.strength * flash.age));
      (ring.material as MeshBasicMaterial).opacity = 1 - flash.age;
    }
  }
}
