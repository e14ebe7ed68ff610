// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Light and dark, and the colours that canvases need.

export interface Theme {
  dark: boolean;
  page: string;
  panel: string;
  ink: string;
  muted: string;
  line: string;
  accent: string;
  force: string;
  danger: string;
  palette: string[];
}

// Most people can distinguish these in either theme. Dashes distinguish them without colour.
const lightPalette = ["#1f6fa8", "#c8641b", "#2f8060", "#9c4f96", "#8a6d1d", "#b8384e", "#4d6a78", "#5a56b8"];
const darkPalette = ["#6db5e8", "#f2a062", "#6fc7a1", "#d79ad2", "#d8bd66", "#f08a9a", "#a3bcc9", "#a9a5f5"];
export const dashes: number[][] = [[], [8, 3], [2, 3], [10, 3, 2, 3], [5, 5], [12, 4], [1, 4], [8, 2, 2, 2, 2, 2]];

const preference = window.matchMedia("(prefers-color-scheme: dark)");
let chosen: string | null = null;
const listeners: (() => void)[] = [];
let current: Theme;

// The browser may refuse storage to pages opened from disk. The choice then lasts as long as the page.
function stored(value?: string): string | null {
  try {
    if (value) localStorage.setItem("tappet-theme", value);
    return localStorage.getItem("tappet-theme");
  } catch {
    return null;
  }
}

function apply() {
  const dark = chosen ? chosen === "dark" : preference.matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(name).trim();
  current = {
    dark,
    page: value("--page"),
    panel: value("--panel"),
    ink: value("--ink"),
    muted: value("--muted"),
    line: value("--line"),
    accent: value("--accent"),
    force: value("--force"),
    danger: value("--danger"),
    palette: dark ? darkPalette : lightPalette,
  };
  for (const listener of listeners) listener();
}

export function startTheme() {
  chosen = stored();
  preference.addEventListener("change", apply);
  apply();
}
export function toggleTheme() {
  chosen = current.dark ? "light" : "dark";
  stored(chosen);
  apply();
}
export function theme(): Theme {
  return current;
}
// Returns a function that ends this.
export function onTheme(listener: () => void): () => void {
  listeners.push(listener);
  return () => void listeners.splice(listeners.indexOf(listener), 1);
}

// The colour of a model file if it is valid, otherwise one of the palette.
export function itemColor(color: string, index: number): string {
  if (color && CSS.supports("color", color)) return color;
  return current.palette[index % current.palette.length];
}
