// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Examples and templates. The chosen one takes the place of the text in the editor, and undo brings the text back.
import { el } from "../dom";
import { short } from "../format";
import type { Gallery, Server } from "./server";

export function galleryDialog(server: Server, choose: (text: string) => void): HTMLDialogElement {
  const list = el("div", { class: "gallery" });
  const filter = el("input", { type: "text", "aria-label": "Search the examples", placeholder: "Search" });
  const dialog = el("dialog", { class: "gallery-dialog", "aria-label": "Examples" }, el("h2", {}, "New from a template, or an example"), filter, list,
    el("form", { method: "dialog" }, el("button", { class: "text-button" }, "Close")));
  let all: Gallery | null = null;

  const entry = (name: string, what: string) => el("button", {
    type: "button", class: "example", "data-model": name,
    click: () => {
      choose(all!.examples.find((e) => e.name === name)!.text);
      dialog.close();
    },
  }, el("strong", {}, name), ` ${short(what, 120)}`);
  const show = () => {
    if (!all) return;
    const wanted = filter.value.trim().toLowerCase();
    const found = all.examples.filter((e) => `${e.name} ${e.title} ${e.folder}`.toLowerCase().includes(wanted));
    list.replaceChildren(
      ...(wanted ? [] : [el("h3", {}, "Templates"), ...all.templates.map((t) => entry(t.name, t.what)), el("h3", {}, "Examples")]),
      ...found.map((e) => entry(e.name, e.title)));
  };
  filter.addEventListener("input", show);
  dialog.addEventListener("click", (e) => e.target === dialog && dialog.close());
  dialog.addEventListener("toggle", () => {
    if (!dialog.open || all) return;
    server.gallery().then((gallery) => {
      all = gallery;
      show();
    }, (error) => list.replaceChildren(String(error)));
  });
  return dialog;
}
