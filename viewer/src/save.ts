// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Saves what is shown as a file: SVG, PNG, CSV.
import { el, icon } from "./dom";

export function download(blob: Blob, name: string) {
  const url = URL.createObjectURL(blob);
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function saveSvg(element: SVGSVGElement, name: string) {
  download(new Blob([new XMLSerializer().serializeToString(element)], { type: "image/svg+xml" }), `${name}.svg`);
}

// Twice the size on screen, for print.
export async function savePng(element: SVGSVGElement, name: string) {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(element));
  await image.decode();
  const canvas = el("canvas", { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  saveCanvas(canvas, name);
}

export function saveCanvas(canvas: HTMLCanvasElement, name: string) {
  canvas.toBlob((blob) => blob && download(blob, `${name}.png`), "image/png");
}

export interface Column {
  name: string;
  unit: string;
  values: ArrayLike<number>;
}

// A single-precision number needs nine digits to be restored exactly.
export function csv(columns: Column[], from = 0, to = columns[0]?.values.length ?? 0): string {
  const quote = (s: string) => (/[",\n\r]/.test(s) ? `"${s.replaceAll('"', '""')}"` : s);
  const lines = [columns.map((c) => quote(c.unit ? `${c.name} [${c.unit}]` : c.name)).join(",")];
  const digits = columns.map((c) => (c.values instanceof Float64Array ? 17 : 9));
  for (let i = from; i < to; ++i)
    lines.push(columns.map((c, k) => String(Number(c.values[i].toPrecision(digits[k])))).join(","));
  return lines.join("\n") + "\n";
}

export function saveCsv(text: string, name: string) {
  download(new Blob([text], { type: "text/csv" }), `${name}.csv`);
}

export function saveMenu(label: string, actions: Record<string, () => void>): HTMLElement {
  return menuOf(el("summary", { class: "icon-button", "aria-label": label, title: label }, icon("save")), actions);
}

export function textMenu(label: string, actions: Record<string, () => void>): HTMLElement {
  return menuOf(el("summary", { class: "text-button" }, label), actions);
}

function menuOf(summary: HTMLElement, actions: Record<string, () => void>): HTMLElement {
  const menu = el("details", { class: "menu" });
  const list = el("div", { class: "menu-list" });
  for (const [name, action] of Object.entries(actions)) {
    const run = () => {
      action();
      menu.open = false;
      summary.focus();
    };
    list.append(el("button", { type: "button", click: run }, name));
  }
  menu.append(summary, list);
  document.addEventListener("pointerdown", (e) => {
    if (!menu.contains(e.target as Node)) menu.open = false;
  });
  return menu;
}

export function fileName(...parts: string[]): string {
  const name = parts.join("-").replace(/[^A-Za-z0-9_.-]+/g, "_");
  return name.slice(0, 80) || "tappet";
}
