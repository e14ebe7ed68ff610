// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The model file in an editor: colours, completion, errors at their place.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, redo, undo } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, bracketMatching, foldGutter, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, diagnosticCount, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, type ChangeSpec, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type KeyGuide, completeKeys } from "./completion";
import type { Edit } from "./model_text";
import type { ModelError } from "./server";

// The colours are variables of the page, so they follow its theme.
const colours = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: "var(--accent)" },
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.comment, color: "var(--good)" },
  { tag: tags.string, color: "var(--warn)" },
  { tag: tags.content, color: "var(--ink)" },
  { tag: [tags.separator, tags.squareBracket, tags.brace, tags.punctuation], color: "var(--muted)" },
  { tag: tags.meta, color: "var(--muted)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace', lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--muted)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--soft) 60%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent) !important" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--panel)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--danger)" },
});

// Changes that the page itself makes, as with a slider.
const byPage = Annotation.define<boolean>();

export class Editor {
  readonly view: EditorView;

  constructor(text: string, guide: KeyGuide, changed: (text: string, byPage: boolean) => void, moved: (position: number) => void) {
    this.view = new EditorView({
      doc: text,
      extensions: [
        lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), highlightSpecialChars(), indentOnInput(),
        bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(),
        EditorState.tabSize.of(2), EditorView.lineWrapping,
        yaml(), syntaxHighlighting(colours), look,
        autocompletion({ override: [completeKeys(guide)], icons: false }),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": "Model file", spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(this.text, update.transactions.some((t) => t.annotation(byPage)));
          if (update.docChanged || update.selectionSet) moved(update.state.selection.main.head);
        }),
      ],
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  // A change of the page. Many of them in a row, as while a slider moves, are one step of undo.
  edit(edit: Edit | null) {
    if (edit) this.view.dispatch({ changes: edit as ChangeSpec, annotations: byPage.of(true), userEvent: "input.type.slider" });
  }
  // A step of undo of its own.
  replaceAll(text: string) {
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text }, annotations: [byPage.of(true), isolateHistory.of("full")], userEvent: "input.paste",
    });
  }
  undo() {
    undo(this.view);
  }
  redo() {
    redo(this.view);
  }

  goTo(from: number, to = from) {
    this.view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.view.focus();
  }
  goToLine(line: number) {
    if (line < 1 || line > this.view.state.doc.lines) return;
    const { from, to } = this.view.state.doc.line(line);
    this.goTo(from, to);
  }
  goToPlace(line: number, column: number) {
    if (line >= 1) this.goTo(this.positionOf(line, column));
  }

  // Columns count characters. Positions of the editor count units of UTF-16. A place beyond the text is its nearest one.
  private positionOf(line: number, column: number): number {
    const { doc } = this.view.state;
    const at = doc.line(Math.min(Math.max(1, line), doc.lines));
    const before = [...at.text].slice(0, Math.max(0, column - 1)).join("").length;
    return Math.min(at.from + before, at.to);
  }

  // Underlines the word at each place.
  showErrors(errors: ModelError[]) {
    const { doc } = this.view.state;
    const list: Diagnostic[] = errors.map(({ line, column, key, message }) => {
      const from = this.positionOf(line, column);
      const at = doc.lineAt(from);
      const word = /^[^\s,:{}[\]#]+/.exec(doc.sliceString(from, at.to))?.[0].length ?? 1;
      const whole = line < 1 || from >= at.to;
      return {
        from: whole ? at.from : from, to: whole ? at.to : Math.min(at.to, from + word), severity: "error",
        message: key ? `${key}: ${message}` : message,
      };
    });
    if (list.length || diagnosticCount(this.view.state)) this.view.dispatch(setDiagnostics(this.view.state, list));
  }
}
