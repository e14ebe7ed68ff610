// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Colours for values: from dark blue to yellow, so that they can be told apart by their lightness alone.
const light = [[43, 38, 112], [31, 100, 150], [32, 150, 132], [125, 186, 73], [236, 190, 32]];
const dark = [[98, 92, 214], [58, 140, 200], [56, 184, 154], [160, 210, 96], [255, 226, 106]];
export const shades = 64;

export type Rgb = [number, number, number];

export function shade(share: number, night: boolean): Rgb {
  const stops = night ? dark : light;
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(at));
  return [0, 1, 2].map((k) => Math.round(stops[i][k] + (at - i) * (stops[i + 1][k] - stops[i][k]))) as Rgb;
}

export function css([r, g, b]: Rgb): string {
  return `rgb(${r}, ${g}, ${b})`;
}

export function rgbOf(color: string): Rgb {
  const hex = /^#([0-9a-f]{6})$/i.exec(color);
  const value = hex ? parseInt(hex[1], 16) : 0x808080;
  return [value >> 16, (value >> 8) & 255, value & 255];
}
