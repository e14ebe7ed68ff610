// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The runs that are shown: those within the chosen ranges. And the run that is selected.
import type { Study } from "./data";

export class Filter {
  readonly ranges = new Map<string, [number, number]>(); // by the id of a quantity
  readonly shown: Uint8Array; // 1 for each run within all ranges
  count: number;
  selected = -1; // the index of a run
  private listeners: (() => void)[] = [];
  private selectors: (() => void)[] = [];

  constructor(private study: Study) {
    this.shown = new Uint8Array(study.size).fill(1);
    this.count = study.size;
  }

  onChange(listener: () => void) {
    this.listeners.push(listener);
  }
  onSelect(listener: () => void) {
    this.selectors.push(listener);
  }

  set(id: string, range: [number, number] | null) {
    if (range) this.ranges.set(id, range);
    else this.ranges.delete(id);
    this.apply();
  }
  clear() {
    this.ranges.clear();
    this.apply();
  }
  select(index: number) {
    if (index < 0 || index >= this.study.size) return;
    this.selected = index;
    for (const listener of this.selectors) listener();
  }

  private apply() {
    const { shown } = this;
    shown.fill(1);
    for (const [id, [low, high]] of this.ranges) {
      const values = this.study.quantity(id)!.values;
      for (let i = 0; i < shown.length; ++i) if (!(values[i] >= low && values[i] <= high)) shown[i] = 0;
    }
    this.count = shown.reduce((sum, s) => sum + s, 0);
    for (const listener of this.listeners) listener();
  }
}
