// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Which keys a place of the model file may have, and what they mean.
import type { Completion, CompletionContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete";
import { pathAt } from "./model_text";
import type { Key, Keys } from "./server";

// The keys beside which a key with this path stands. `type` is the value of `type:` there.
export function keysFor(keys: Keys, above: string[], type: string): Key[] {
  if (above.length === 0) return keys.sections;
  const [section] = above;
  if (above.length === 1) return section === "run" ? keys.run : section === "lagrangian" ? keys.lagrangian : [];
  const entry = keys.entries[section];
  if (!entry || above.length !== 2) return [];
  const own = entry.types?.find((t) => t.name === type)?.keys ?? (type ? [] : (entry.types ?? []).flatMap((t) => t.keys));
  const all = [...entry.keys, ...own];
  return all.filter((k, i) => all.findIndex((other) => other.key === k.key) === i);
}

// What the key at the end of a path means.
export function about(keys: Keys, path: string[], type: string, value: string): { title: string; text: string } | null {
  if (!path.length) return null;
  const [section, , key] = path;
  if (path.length === 2 && keys.entries[section]) {
    const found = keys.entries[section].types?.find((t) => t.name === type);
    if (found) return { title: `${section}: ${found.name}`, text: `${found.about}. Keys: ${found.keys.map((k) => k.key).join(", ")}.` };
  }
  if (key === "type" && keys.entries[section]) {
    const found = keys.entries[section].types?.find((t) => t.name === value);
    if (found) return { title: `type: ${found.name}`, text: found.about };
  }
  if (section === "run" && path[1] === "scheme") {
    const found = keys.schemes.find((s) => s.name === value);
    if (found) return { title: `scheme: ${found.name}`, text: found.about };
  }
  const last = path[path.length - 1];
  const found = keysFor(keys, path.slice(0, -1), type).find((k) => k.key === last);
  if (found) return { title: last, text: `${found.about}${found.required ? " It is required." : ""}` };
  const outer = keys.sections.find((k) => k.key === section);
  return outer ? { title: section, text: outer.about } : null;
}

// The descriptions arrive after the page. Until then there is nothing to complete.
export class KeyGuide {
  keys: Keys | null = null;
}

export function completeKeys(guide: KeyGuide): CompletionSource {
  return (context: CompletionContext): CompletionResult | null => {
    const { keys } = guide;
    const word = context.matchBefore(/[A-Za-z_][\w-]*/);
    if (!keys || (!word && !context.explicit)) return null;
    const from = word?.from ?? context.pos;
    const text = context.state.doc.toString();
    const line = context.state.doc.lineAt(from);
    const before = text.slice(line.from, from);
    const options = /:\s+$/.test(before) ? values(keys, text, from, before) : keyOptions(keys, text, from, before);
    return options.length ? { from, options, validFor: /^[\w-]*$/ } : null;
  };
}

// The text with a key that has no name yet, so that the tree shows where it would stand.
function placeOf(text: string, from: number): { path: string[]; type: string } {
  const rest = text.slice(from).replace(/^[\w-]*/, "");
  const filled = `${text.slice(0, from)}x: 0${rest.startsWith("\n") || !rest ? "" : rest.startsWith("}") || rest.startsWith(",") ? "" : ","}${rest}`;
  return pathAt(filled, from + 1);
}

function keyOptions(keys: Keys, text: string, from: number, before: string): Completion[] {
  if (!/(^\s*(- )?|[{,]\s*)$/.test(before)) return [];
  const { path, type } = placeOf(text, from);
  return keysFor(keys, path.slice(0, -1), type).map(({ key, about, required }) => ({
    label: key, detail: required ? "required" : "", info: about, apply: `${key}: `, type: "property", boost: required ? 2 : 0,
  }));
}

function values(keys: Keys, text: string, from: number, before: string): Completion[] {
  const key = /([\w-]+):\s+$/.exec(before)?.[1] ?? "";
  const { path } = pathAt(text, from);
  const [section] = path;
  const list = key === "scheme" && section === "run" ? keys.schemes : key === "type" ? (keys.entries[section]?.types ?? []) : [];
  return list.map(({ name, about }) => ({ label: name, info: about, type: "constant" }));
}
