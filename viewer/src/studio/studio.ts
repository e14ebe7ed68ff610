// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The page of the studio: the model file, its motion, its parameters. The text is the truth. Whatever is changed on the
// page is a change of the text, and each change of the text starts a run.
import type { Run } from "../data";
import { el, iconButton } from "../dom";
import { short } from "../format";
import { RunView, verdict } from "../run_view";
import { download, fileName, textMenu } from "../save";
import { toggleTheme } from "../theme";
import { Comparison } from "./comparison";
import { KeyGuide, about } from "./completion";
import { Controls } from "./controls";
import { Editor } from "./editor";
import { galleryDialog } from "./gallery";
import { type Edit, apply, pathAt, valueText } from "./model_text";
import { listenParts } from "./parts";
import { Runner } from "./runner";
import type { ModelError, Server, Shown } from "./server";

interface Opened {
  text: string;
  version: string;
  file: string;
  name: string;
}

export class Studio {
  readonly editor: Editor;
  view?: RunView;
  runner: Runner;
  private controls: Controls;
  private guide = new KeyGuide();
  private saved: string;
  private version: string;
  private title = el("h1", {});
  private state = el("p", { class: "state", role: "status" });
  private verdict = el("span", {});
  private saveButton = el("button", { type: "button", class: "text-button", id: "save", click: () => void this.save() }, "Save");
  private note = el("div", { class: "key-note", "aria-live": "polite" });
  private problems = el("div", { class: "problems", role: "alert" });
  private main = el("main", { class: "studio" });
  private middle = el("div", { class: "middle" });
  private plots = el("div", { class: "plots-place" });
  private comparison: Comparison;

  constructor(
    private server: Server,
    private opened: Opened,
  ) {
    this.saved = opened.text;
    this.version = opened.version;
    this.runner = new Runner(server, (shown) => this.show(shown), (errors) => this.fail(errors), (text) => (this.state.textContent = text));
    this.editor = new Editor(opened.text, this.guide, (_, byPage) => this.changed(byPage), (position) => this.describe(position));
    this.controls = new Controls(() => this.editor.text, (edit) => this.edit(edit));
    this.comparison = new Comparison(server, () => this.editor.text, () => this.view);
    this.layOut();
    window.addEventListener("beforeunload", (e) => this.editor.text !== this.saved && e.preventDefault());
    window.addEventListener("keydown", (e) => {
      if ((e.ctrlKey || e.metaKey) && e.key === "s") {
        e.preventDefault();
        void this.save();
      }
    });
  }

  async begin() {
    this.controls.refresh();
    this.comparison.refresh();
    const keys = this.server.keys();
    await this.runner.start({ text: this.editor.text });
    this.guide.keys = await keys;
    this.controls.setSchemes(this.guide.keys.schemes);
    this.comparison.setSchemes(this.guide.keys.schemes);
    this.showSaved();
  }

  private layOut() {
    const gallery = galleryDialog(this.server, (text) => this.showAnother(text));
    const button = (label: string, action: () => void) => el("button", { type: "button", class: "text-button", click: action }, label);
    const header = el("header", {},
      el("div", { class: "heading" }, this.title, this.state),
      this.verdict,
      this.saveButton,
      textMenu("Export", {
        "Report page": () => void this.export("report"),
        "Numbers (HDF5)": () => void this.export("hdf5"),
        "Table (CSV)": () => void this.export("csv"),
        "Picture (PNG)": () => this.view?.stage.savePicture(this.name()),
        "Video of the motion": () => void this.view?.stage.saveVideo(this.name()),
      }),
      button("Examples", () => gallery.showModal()),
      button("Undo", () => this.editor.undo()),
      button("Redo", () => this.editor.redo()),
      iconButton("sun", "Light or dark", toggleTheme));
    const left = el("section", { class: "left", "aria-label": "Model file" }, this.editor.view.dom, this.problems, this.note);
    const right = el("section", { class: "right", "aria-label": "Parameters and plots" }, this.controls.element, this.comparison.element, this.plots);
    this.main.append(left, this.middle, right);
    document.body.append(header, this.main, gallery);
  }

  // Another model takes the place of this one.
  private showAnother(text: string) {
    this.controls.forget();
    this.comparison.forget();
    this.view?.clock.toggle(false);
    this.view?.clock.seek(0);
    this.editor.replaceAll(text);
  }

  private name(): string {
    return fileName(this.opened.name.replace(/\.yaml$/, ""));
  }

  private async export(kind: string) {
    this.state.textContent = "Exporting …";
    try {
      const { name, bytes } = await this.server.exported({ text: this.editor.text }, kind);
      download(new Blob([bytes]), `${this.name()}.${name.split(".").pop()}`);
      this.state.textContent = `Exported ${name}`;
    } catch (error) {
      this.state.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  // A change that the page makes. The run is asked for first, so that it is computed while the editor draws the change.
  private edit(edit: Edit | null) {
    if (!edit) return;
    this.runner.change({ text: apply(this.editor.text, edit) }, true);
    this.editor.edit(edit);
  }

  private changed(byPage: boolean) {
    this.runner.change({ text: this.editor.text }, byPage);
    this.controls.refresh();
    this.comparison.refresh();
    this.showSaved();
  }

  private show({ run, arrays }: Shown) {
    this.editor.showErrors([]);
    this.showProblems(run);
    if (this.view) this.view.replace(run, arrays);
    else {
      this.view = new RunView(run, arrays);
      this.middle.append(el("div", { class: "pictures" }, this.view.stage.element, this.comparison.beside), this.view.timeline);
      this.plots.append(this.view.plotsOf().element);
      this.listenKeys(this.view);
      listenParts(this.view, this.editor, (text) => (this.state.textContent = text));
    }
    this.title.textContent = short(run.title || run.model || "Tappet Studio", 160);
    document.title = short(run.title || run.model, 120) || "Tappet Studio";
    this.main.classList.remove("stale");
    if (run.status !== "running") void this.comparison.runSecond({ text: run.model_text });
  }

  // Most runs have as few problems as the one before, and nothing needs to be laid out again.
  private showProblems(run: Run) {
    const problems = [...(run.message ? [el("p", { class: "alert bad" }, run.message)] : []), ...run.warnings.slice(0, 4).map((w) => el("p", { class: "alert" }, w))];
    if (problems.length || this.problems.childElementCount) this.problems.replaceChildren(...problems);
    this.showVerdict(verdict(run));
  }

  private showVerdict(fresh: HTMLElement) {
    if (fresh.isEqualNode(this.verdict)) return;
    this.verdict.replaceWith(fresh);
    this.verdict = fresh;
  }

  private fail(errors: ModelError[]) {
    this.editor.showErrors(errors);
    this.problems.replaceChildren(...errors.map((e) =>
      el("button", { type: "button", class: "alert bad", click: () => this.editor.goToPlace(e.line, e.column) },
        e.line ? el("strong", {}, `Line ${e.line}, column ${e.column}: `) : null, e.key ? `${e.key}: ` : null, e.message)));
    this.showVerdict(el("span", { class: "verdict bad" }, "✕ Error in the model"));
    this.main.classList.add("stale");
    this.title.textContent ||= this.opened.name;
  }

  // The documentation of the key at the cursor.
  private describe(position: number) {
    if (!this.guide.keys) return;
    const { path, type } = pathAt(this.editor.text, position);
    const found = about(this.guide.keys, path, type, valueText(this.editor.text, path));
    this.note.replaceChildren(...(found ? [el("strong", {}, found.title), ` ${found.text}`] : []));
  }

  private showSaved() {
    const dirty = this.editor.text !== this.saved || !this.version;
    this.saveButton.disabled = !dirty;
    this.saveButton.title = `${dirty ? "Save" : "Saved"}: ${this.opened.file} (Ctrl+S)`;
    this.saveButton.textContent = dirty ? "Save" : "Saved";
  }

  async save(overwrite = false) {
    const text = this.editor.text;
    try {
      const version = await this.server.save(text, this.version, overwrite);
      if (version === null) {
        if (confirm(`${this.opened.file} has changed on disk since it was opened here. Overwrite it?`)) await this.save(true);
        return;
      }
      [this.saved, this.version] = [text, version];
      this.state.textContent = `Saved ${this.opened.file}`;
    } catch (error) {
      this.state.textContent = error instanceof Error ? error.message : String(error);
    }
    this.showSaved();
  }

  private listenKeys(view: RunView) {
    window.addEventListener("keydown", (e) => {
      const target = e.target as HTMLElement;
      if (e.ctrlKey || e.metaKey || e.altKey || target.closest(".left, input:not([type=checkbox]), select, dialog")) return;
      if (e.key === " " && target.closest("button, input, summary")) return;
      if (view.transport.key(e)) e.preventDefault();
    });
  }
}
