// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The parts in the picture and their lines in the file: a click goes to the lines, a drag at the start of the run sets
// the position of a body.
import { short } from "../format";
import type { RunView } from "../run_view";
import type { Editor } from "./editor";
import type { Item } from "../data";
import { type Edit, listAt, pairAt, shifted } from "./model_text";

// The change that moves a body in the plane of the picture; null if its position is not a list.
export function moveBody(text: string, body: string, dx: number, dy: number): Edit | null {
  const list = listAt(text, ["bodies", body, "position"]);
  if (!list || list.entries.length < 2) return null;
  const moved = list.entries.map((entry, k) => shifted(entry, [dx, dy, 0][k] ?? 0));
  return { from: list.from, to: list.to, insert: `[${moved.join(", ")}]` };
}

// The body to which a part belongs. A part that is drawn by formulas belongs to the only body that its line names.
function bodyOf({ body, line }: Item, text: string): string {
  if (body) return body;
  const drawn = line ? (text.split("\n")[line - 1] ?? "") : "";
  const names = new Set([...drawn.matchAll(/([A-Za-z_]\w*)\.[xy]\b/g)].map(([, name]) => name).filter((name) => pairAt(text, ["bodies", name])));
  return names.size === 1 ? [...names][0] : "";
}

export function listenParts(view: RunView, editor: Editor, tell: (text: string) => void) {
  const { element } = view.stage;
  let pressed: { x: number; y: number; body: string; line: number; text: string; from: [number, number]; fixed: string } | null = null;
  let moved = false;

  // Before the picture itself hears of it, because there a drag moves the view.
  element.addEventListener("pointerdown", (e) => {
    pressed = null;
    moved = false;
    if (!(e.target instanceof HTMLCanvasElement) || e.button !== 0) return;
    const found = view.stage.pick(e.clientX, e.clientY);
    if (!found) return;
    const { item, at } = found;
    pressed = { x: e.clientX, y: e.clientY, body: bodyOf(item, editor.text), line: item.line ?? 0, text: editor.text, from: [at[0], at[1]], fixed: "" };
    const atStart = view.clock.time <= view.clock.start && view.stage.view.name === "plane";
    const movable = atStart && moveBody(editor.text, pressed.body, 0, 0);
    if (atStart && pressed.body && !movable)
      pressed.fixed = `${short(pressed.body)} cannot be dragged: the file has no list with its position`;
    if (movable) {
      e.stopPropagation();
      element.setPointerCapture(e.pointerId);
    }
  }, { capture: true });

  element.addEventListener("pointermove", (e) => {
    if (!pressed || Math.hypot(e.clientX - pressed.x, e.clientY - pressed.y) < 4) return;
    if (!moved && pressed.fixed) tell(pressed.fixed);
    moved = true;
    if (!element.hasPointerCapture(e.pointerId)) return;
    const at = view.stage.toModel(e.clientX, e.clientY);
    if (!at) return;
    // Each change is made from the text at the beginning of the drag, so that rounding does not add up.
    const edit = moveBody(pressed.text, pressed.body, at[0] - pressed.from[0], at[1] - pressed.from[1]);
    const now = edit && moveBody(editor.text, pressed.body, 0, 0);
    if (edit && now) editor.edit({ from: now.from, to: now.to, insert: edit.insert });
  });

  element.addEventListener("pointerup", () => {
    if (pressed && !moved && pressed.line) {
      editor.goToLine(pressed.line);
      tell(pressed.body ? `${pressed.body}: line ${pressed.line}` : `line ${pressed.line}`);
    }
    pressed = null;
  });
}
