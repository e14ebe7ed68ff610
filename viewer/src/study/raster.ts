// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Many points as a picture: each pixel shows how many points lie in it, or their mean colour.
import { el } from "../dom";
import { type Rgb, shade } from "./colors";
import type { Box } from "./frame";

export interface Cloud {
  size: number;
  px: Float32Array; // positions on the screen; NaN if a point is not drawn
  py: Float32Array;
  share: Float32Array | null; // between 0 and 1: the colour
}

export function raster(cloud: Cloud, box: Box, color: Rgb, night: boolean): HTMLCanvasElement {
  const scale = Math.min(2, devicePixelRatio || 1);
  const [width, height] = [Math.max(1, Math.round(box.width * scale)), Math.max(1, Math.round(box.height * scale))];
  const counts = new Uint32Array(width * height);
  const sums = cloud.share ? new Float32Array(width * height) : null;
  let most = 1;
  for (let i = 0; i < cloud.size; ++i) {
    const x = Math.floor((cloud.px[i] - box.left) * scale);
    const y = Math.floor((cloud.py[i] - box.top) * scale);
    if (!(x >= 0 && x < width && y >= 0 && y < height)) continue;
    const at = y * width + x;
    if (++counts[at] > most) most = counts[at];
    if (sums) sums[at] += cloud.share![i];
  }
  const canvas = el("canvas", { width, height });
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(width, height);
  const strength = (n: number) => 0.5 + (0.5 * Math.log(n)) / Math.log(most + 1);
  for (let at = 0; at < counts.length; ++at) {
    if (!counts[at]) continue;
    const [r, g, b] = sums ? shade(sums[at] / counts[at], night) : color;
    image.data.set([r, g, b, Math.round(255 * (sums ? 1 : strength(counts[at])))], 4 * at);
  }
  context.putImageData(image, 0, 0);
  return canvas;
}
