// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Creates elements. Children that are strings become text nodes, so nothing of a run is ever parsed as markup.

export type Child = Node | string | null | undefined;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

function fill(node: Element, attributes: Attributes, children: Child[]) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) node.append(child);
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  fill(node, attributes, children);
  return node;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(node, attributes, children);
  return node;
}

const icons = {
  play: "M7 5l12 7-12 7z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
  first: "M6 5h2v14H6zM20 5v14l-11-7z",
  back: "M17 5v14L7 12zM5 5h2v14H5z",
  forward: "M7 5l10 7-10 7zM17 5h2v14h-2z",
  sun: "M12 7a5 5 0 100 10 5 5 0 000-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM4.2 2.8l2.9 2.9-1.4 1.4-2.9-2.9zM18.3 16.9l2.9 2.9-1.4 1.4-2.9-2.9zM2.8 19.8l2.9-2.9 1.4 1.4-2.9 2.9zM16.9 5.7l2.9-2.9 1.4 1.4-2.9 2.9z",
  fit: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  help: "M11 17h2v2h-2zM12 5a4 4 0 014 4c0 2.8-3 3.2-3 6h-2c0-3.6 3-4 3-6a2 2 0 10-4 0H8a4 4 0 014-4z",
  close: "M6.4 5L12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4L12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z",
  save: "M11 4h2v8.2l3-3 1.4 1.4L12 16l-5.4-5.4L8 9.2l3 3zM5 18h14v2H5z",
  plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  minus: "M5 11h14v2H5z",
};
export type IconName = keyof typeof icons;

export function icon(name: IconName): SVGSVGElement {
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, svg("path", { d: icons[name] }));
}

export function iconButton(name: IconName, label: string, action: () => void, key = ""): HTMLButtonElement {
  return el(
    "button",
    { type: "button", class: "icon-button", "aria-label": label, title: key ? `${label} (${key})` : label, click: action },
    icon(name),
  );
}
