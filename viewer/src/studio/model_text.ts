// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The text of a model file: where its values are, and changes that leave everything else as it is, comments too.
import { yamlLanguage } from "@codemirror/lang-yaml";
import type { SyntaxNode, Tree } from "@lezer/common";

export interface Edit {
  from: number;
  to: number;
  insert: string;
}

export interface Parameter {
  name: string;
  value: number;
  from?: number; // the range of its slider, if the file gives it
  to?: number;
}

const plainNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

export function apply(text: string, edit: Edit | null): string {
  return edit ? text.slice(0, edit.from) + edit.insert + text.slice(edit.to) : text;
}

function isMap(node: SyntaxNode | null): node is SyntaxNode {
  return node?.name === "BlockMapping" || node?.name === "FlowMapping";
}

function keyOf(text: string, pair: SyntaxNode): string {
  const key = pair.getChild("Key");
  return key ? text.slice(key.from, key.to).replace(/^(["'])(.*)\1$/, "$2") : "";
}

// The value of a pair; null if nothing stands there.
function valueOf(pair: SyntaxNode): SyntaxNode | null {
  const last = pair.lastChild;
  return last && last.name !== "Key" && last.name !== ":" && last.name !== "Comment" ? last : null;
}

function pairs(map: SyntaxNode): SyntaxNode[] {
  return map.getChildren("Pair");
}

// The same text is asked about many times between two changes.
let parsed: { text: string; tree: Tree } | null = null;
function treeOf(text: string): Tree {
  if (parsed?.text !== text) parsed = { text, tree: yamlLanguage.parser.parse(text) };
  return parsed.tree;
}

function root(text: string): SyntaxNode | null {
  const document = treeOf(text).topNode.getChild("Document");
  return document && (document.getChild("BlockMapping") ?? document.getChild("FlowMapping"));
}

// The pair at the end of a path of keys. An entry of a list is named by its index.
export function pairAt(text: string, path: (string | number)[]): SyntaxNode | null {
  let node = root(text);
  let found: SyntaxNode | null = null;
  for (const key of path) {
    if (typeof key === "number") {
      node = node?.getChildren("Item")[key]?.firstChild ?? null;
      found = node;
    } else {
      if (!isMap(node)) return null;
      found = pairs(node).find((pair) => keyOf(text, pair) === key) ?? null;
      node = found && valueOf(found);
    }
    if (!found) return null;
  }
  return found;
}

// The keys that lead to a position of the text, and the value of `type` beside the last of them.
export function pathAt(text: string, position: number): { path: string[]; type: string } {
  const path: string[] = [];
  let type = "";
  let node: SyntaxNode | null = treeOf(text).resolveInner(position, -1);
  for (; node; node = node.parent) {
    if (node.name === "Pair") path.unshift(keyOf(text, node));
    if (isMap(node) && !type) {
      const given = pairs(node).find((pair) => keyOf(text, pair) === "type");
      const value = given && valueOf(given);
      if (value) type = text.slice(value.from, value.to).trim();
    }
  }
  return { path, type };
}

function numberOf(text: string, node: SyntaxNode | null): number | undefined {
  if (node?.name !== "Literal") return undefined;
  const written = text.slice(node.from, node.to).trim();
  return plainNumber.test(written) ? Number(written) : undefined;
}

// A list of numbers and formulas as it is written, with its place; null if something else stands there.
export function listAt(text: string, path: (string | number)[]): { from: number; to: number; entries: string[] } | null {
  const pair = pairAt(text, path);
  const list = pair && valueOf(pair);
  if (list?.name !== "FlowSequence") return null;
  const items = list.getChildren("Item").map((item) => item.firstChild);
  if (!items.every((item) => item?.name === "Literal")) return null;
  return { from: list.from, to: list.to, entries: items.map((item) => text.slice(item!.from, item!.to).trim()) };
}

// A number or a formula, larger by a number. A formula keeps what it is: `l*sin(a)` becomes `l*sin(a) + 0.1`, and then
// `l*sin(a) + 0.3`.
export function shifted(written: string, by: number): string {
  if (plainNumber.test(written)) return String(Number((Number(written) + by).toPrecision(5)));
  if (by === 0) return written;
  const last = /(?<![\w.])(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.exec(written);
  const [, base, sign] = (last && /^(.*[^\s*/^(,<>=+-])\s*([+-])\s*$/.exec(written.slice(0, last.index))) ?? [];
  const sum = Number(((base ? Number(sign + last![0]) : 0) + by).toPrecision(5));
  const formula = base ?? written;
  return sum === 0 ? formula : `${formula} ${sum < 0 ? "-" : "+"} ${Math.abs(sum)}`;
}

// The parameters that are numbers. Those that are formulas of others follow from them and have no slider.
export function parameters(text: string): Parameter[] {
  const section = pairAt(text, ["parameters"]);
  const map = section && valueOf(section);
  if (!isMap(map)) return [];
  const list: Parameter[] = [];
  for (const pair of pairs(map)) {
    const value = valueOf(pair);
    const inside = (key: string) => {
      const found = isMap(value) ? pairs(value).find((p) => keyOf(text, p) === key) : undefined;
      return found ? numberOf(text, valueOf(found)) : undefined;
    };
    const own = isMap(value) ? inside("value") : numberOf(text, value);
    if (own !== undefined) list.push({ name: keyOf(text, pair), value: own, from: inside("from"), to: inside("to") });
  }
  return list;
}

// The change that sets a number of the file; null if the key is not there or its value is a map or a list.
export function setValue(text: string, path: (string | number)[], value: string): Edit | null {
  const pair = pairAt(text, path);
  const old = pair && valueOf(pair);
  if (!old || (old.name !== "Literal" && old.name !== "QuotedLiteral")) return null;
  // A literal in a block may end with spaces before a comment. They stay.
  const length = text.slice(old.from, old.to).trimEnd().length;
  return { from: old.from, to: old.from + length, insert: value };
}

export function setParameter(text: string, name: string, value: number): Edit | null {
  return setValue(text, ["parameters", name, "value"], String(value)) ?? setValue(text, ["parameters", name], String(value));
}

// Sets a key of a section (run: scheme, dt, end), or adds it.
export function setIn(text: string, section: string, key: string, value: string): Edit | null {
  const there = setValue(text, [section, key], value);
  if (there) return there;
  const pair = pairAt(text, [section]);
  const map = pair && valueOf(pair);
  if (!pair) {
    const end = text.length;
    return { from: end, to: end, insert: `${text && !text.endsWith("\n") ? "\n" : ""}${section}: {${key}: ${value}}\n` };
  }
  if (!isMap(map) || pairAt(text, [section, key])) return null;
  const first = pairs(map)[0];
  if (map.name === "FlowMapping") return { from: map.from + 1, to: map.from + 1, insert: first ? `${key}: ${value}, ` : `${key}: ${value}` };
  const indent = " ".repeat(first.from - (text.lastIndexOf("\n", first.from - 1) + 1));
  return { from: first.from, to: first.from, insert: `${key}: ${value}\n${indent}` };
}

export function valueText(text: string, path: (string | number)[]): string {
  const pair = pairAt(text, path);
  const value = pair && valueOf(pair);
  return value ? text.slice(value.from, value.to).trim().replace(/^(["'])(.*)\1$/, "$2") : "";
}
