// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Many balls, painted pixel by pixel. They look as with WebGL. Without a graphics card this is several times faster: the
// nearest balls are painted first, so that every pixel is computed once, and a ball behind full tiles is left out.
import { Matrix4, type PerspectiveCamera, Vector3 } from "three";
import { theme } from "../theme";
import { Balls, ambient, screenColour, sun, sunlight } from "./balls";
import type { Drawn } from "./tracks";

// What the pixels of one ball have in common: its axes x and z as the camera sees them, and its colour.
interface Look {
  xx: number; xy: number; xz: number;
  zx: number; zy: number; zz: number;
  band: number; // half the width of a great circle; none on balls of a few pixels
  red: number; green: number; blue: number; // 0 to 255
}

const tile = 3; // the binary logarithm of its side in pixels

export class PaintedCrowd {
  private balls: Balls;
  private picture = new ImageData(1, 1);
  private pixels = new Uint32Array(1);
  private across = 1; // the number of tiles in a row
  private free = new Int32Array(1); // by tile: the number of pixels that no ball has taken
  private whole = new Int32Array(1); // the same before the first ball
  private look: Look = { xx: 0, xy: 0, xz: 0, zx: 0, zy: 0, zz: 0, band: 0, red: 0, green: 0, blue: 0 };
  private toScreen = new Matrix4();
  private light = new Vector3();
  private ring: [number, number, number] = [0, 0, 0];

  constructor(drawn: Drawn[]) {
    this.balls = new Balls(drawn);
  }

  resize(width: number, height: number) {
    this.picture = new ImageData(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
    this.pixels = new Uint32Array(this.picture.data.buffer);
    this.across = ((this.picture.width - 1) >> tile) + 1;
    this.whole = new Int32Array(this.across * (((this.picture.height - 1) >> tile) + 1));
    this.free = new Int32Array(this.whole.length);
    for (let y = 0; y < this.picture.height; ++y)
      for (let x = 0; x < this.picture.width; ++x) ++this.whole[(y >> tile) * this.across + (x >> tile)];
  }

  // Replaces the picture of the canvas. Where there is no ball, it is transparent.
  paint(context: CanvasRenderingContext2D, camera: PerspectiveCamera) {
    const { balls, pixels, picture, toScreen, light } = this;
    balls.update();
    balls.sort(camera);
    toScreen.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    light.copy(sun).transformDirection(camera.matrixWorldInverse).multiplyScalar(sunlight);
    const { r, g, b } = screenColour(theme().panel);
    this.ring = [255 * r, 255 * g, 255 * b];
    pixels.fill(0);
    this.free.set(this.whole);
    const m = toScreen.elements;
    const [halfWidth, halfHeight] = [picture.width / 2, picture.height / 2];
    const zoom = camera.projectionMatrix.elements[5] * halfHeight;
    const { ball, order } = balls;
    for (let k = 0; k < order.length; ++k) {
      const i = order[k];
      const [x, y, z] = [ball[4 * i], ball[4 * i + 1], ball[4 * i + 2]];
      const w = m[3] * x + m[7] * y + m[11] * z + m[15];
      if (w <= camera.near) continue;
      const right = (1 + (m[0] * x + m[4] * y + m[8] * z + m[12]) / w) * halfWidth;
      const down = (1 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w) * halfHeight;
      this.ball(i, right, down, Math.max(0.6, (ball[4 * i + 3] * zoom) / w), camera);
    }
    context.putImageData(picture, 0, 0);
  }

  // A disc of pixels, of which only those are computed that no nearer ball has taken.
  private ball(i: number, x: number, y: number, radius: number, camera: PerspectiveCamera) {
    const { pixels, free, across, look, picture: { width, height } } = this;
    const first = Math.max(0, Math.ceil(y - radius - 0.5));
    const last = Math.min(height - 1, Math.floor(y + radius - 0.5));
    const left = Math.max(0, Math.ceil(x - radius - 0.5));
    const right = Math.min(width - 1, Math.floor(x + radius - 0.5));
    if (this.isFull(left, right, first, last)) return;
    let looked = false;
    for (let row = first; row <= last; ++row) {
      const v = (row + 0.5 - y) / radius;
      const rest = 1 - v * v;
      if (rest <= 0) continue;
      const half = radius * Math.sqrt(rest);
      const end = Math.min(right, Math.floor(x + half - 0.5));
      const line = row * width;
      const tiles = (row >> tile) * across;
      for (let column = Math.max(left, Math.ceil(x - half - 0.5)); column <= end; ++column) {
        if (pixels[line + column] !== 0) continue;
        if (!looked) this.lookAt(i, radius, camera);
        looked = true;
        const u = (column + 0.5 - x) / radius;
        pixels[line + column] = this.colour(look, u, -v, Math.sqrt(Math.max(0, rest - u * u)));
        --free[tiles + (column >> tile)];
      }
    }
  }

  private isFull(left: number, right: number, first: number, last: number): boolean {
    const { free, across } = this;
    for (let row = first >> tile; row <= last >> tile; ++row)
      for (let column = left >> tile; column <= right >> tile; ++column) if (free[row * across + column] > 0) return false;
    return true;
  }

  private lookAt(i: number, radius: number, camera: PerspectiveCamera) {
    const { look, balls: { turn, tint } } = this;
    const [w, x, y, z] = [turn[4 * i], turn[4 * i + 1], turn[4 * i + 2], turn[4 * i + 3]];
    const e = camera.matrixWorldInverse.elements;
    let [a, b, c] = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)];
    look.xx = e[0] * a + e[4] * b + e[8] * c;
    look.xy = e[1] * a + e[5] * b + e[9] * c;
    look.xz = e[2] * a + e[6] * b + e[10] * c;
    [a, b, c] = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
    look.zx = e[0] * a + e[4] * b + e[8] * c;
    look.zy = e[1] * a + e[5] * b + e[9] * c;
    look.zz = e[2] * a + e[6] * b + e[10] * c;
    look.band = radius > 4 ? Math.max(0.03, 0.35 / radius) : 0;
    look.red = 255 * tint[3 * i];
    look.green = 255 * tint[3 * i + 1];
    look.blue = 255 * tint[3 * i + 2];
  }

  // The pixel at which the ball has this normal.
  private colour(look: Look, x: number, y: number, z: number): number {
    const { light, ring } = this;
    const bright = ambient + Math.max(0, x * light.x + y * light.y + z * light.z);
    const line = Math.min(Math.abs(x * look.xx + y * look.xy + z * look.xz), Math.abs(x * look.zx + y * look.zy + z * look.zz));
    const onRing = line < look.band;
    const red = Math.min(255, bright * (onRing ? ring[0] : look.red));
    const green = Math.min(255, bright * (onRing ? ring[1] : look.green));
    const blue = Math.min(255, bright * (onRing ? ring[2] : look.blue));
    return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
  }
}
