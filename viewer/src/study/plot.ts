// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// What every kind of plot has in common.
import type { Column } from "../save";
import type { Theme } from "../theme";
import type { Study } from "./data";
import type { Filter } from "./filter";
import type { Painter } from "./painter";

export type Kind = "scatter" | "bifurcation" | "heat" | "parallel" | "histogram";

// What is drawn. x, y and color are ids of quantities or of measures with many values.
export interface View {
  kind: Kind;
  x: string;
  y: string;
  color: string; // "" for none
  logX: boolean;
  logY: boolean;
}

export interface Scene {
  study: Study;
  filter: Filter;
  view: View;
  theme: Theme;
  width: number;
  height: number;
  title: string; // above the plot, in a saved picture
}

// A plot that has been drawn.
export interface Drawn {
  note: string; // what is left out or summarised
  summary: string; // for screen readers
  hit(x: number, y: number): number; // the index of the run there; −1 if there is none
  place(index: number): [number, number] | null; // where a run lies
  next(index: number, dx: number, dy: number): number; // the run beside it, for the arrow keys
  columns(): Column[]; // as a table
  path?(index: number): ArrayLike<number>; // the line of a run, in parallel coordinates
  brush?: { axis(x: number): string | null; value(id: string, y: number): number }; // parallel coordinates
}

export type Plot = (p: Painter, scene: Scene) => Drawn;

export function drawTitle(p: Painter, { title, theme }: Scene) {
  if (title) p.text(title, 16, 22, { color: theme.ink, size: 14, bold: true });
}

export const plural = (n: number, one: string, many = `${one}s`) => `${n.toLocaleString("en-US").replace(/,/g, "\u202f")} ${n === 1 ? one : many}`;
