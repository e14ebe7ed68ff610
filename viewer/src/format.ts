// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Six significant digits, without an exponent if that is easy to read.
export function number(value: number | undefined | null, digits = 6): string {
  if (value === undefined || value === null || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text =
    size >= 1e-3 && size < 1e6
      ? String(Number(value.toPrecision(digits)))
      : value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  return text.replace(/-/g, "−");
}

export function withUnit(value: number | undefined | null, unit: string, digits = 6): string {
  const text = number(value, digits);
  return text === "–" || !unit ? text : `${text} ${unit}`;
}

// Names come from model files and may be of any length.
export function short(text: string, length = 28): string {
  return text.length <= length ? text : text.slice(0, length - 1) + "…";
}

export function count(value: number | undefined): string {
  return value === undefined ? "–" : value.toLocaleString("en-US").replace(/,/g, "\u202f");
}

// The number of decimals needed to distinguish neighbouring times on a range.
export function timeDigits(span: number, steps = 2000): number {
  return Math.max(0, Math.min(9, Math.ceil(-Math.log10(span / steps))));
}

export interface Group {
  id: string;
  title: string;
  symbol?: string; // before the name of a contact
  log?: boolean;
  steps?: boolean;
}
export const groups: Group[] = [
  { id: "position", title: "Positions" },
  { id: "velocity", title: "Velocities" },
  { id: "gap", title: "Gaps", symbol: "g_N" },
  { id: "gap_velocity", title: "Gap velocities", symbol: "ġ_N" },
  { id: "slip_velocity", title: "Slip velocities", symbol: "γ_F" },
  { id: "impulse_N", title: "Normal impulses P_N", symbol: "P_N" },
  { id: "impulse_F", title: "Friction impulses P_F", symbol: "P_F" },
  { id: "force_N", title: "Normal forces λ_N", symbol: "λ_N" },
  { id: "force_F", title: "Friction forces λ_F", symbol: "λ_F" },
  { id: "found_N", title: "Normal forces between colliders", symbol: "F_N", steps: true },
  { id: "found_F", title: "Friction forces between colliders", symbol: "F_F", steps: true },
  { id: "impact_N", title: "Normal impact impulses Λ_N", symbol: "Λ_N" },
  { id: "impact_F", title: "Friction impact impulses Λ_F", symbol: "Λ_F" },
  { id: "energy", title: "Energies" },
  { id: "found_count", title: "Contacts between colliders", steps: true },
  { id: "penetration", title: "Deepest penetration" },
  { id: "joint_force", title: "Friction and motors of joints" },
  { id: "joint", title: "Joint violation" },
  { id: "iterations", title: "Solver iterations", steps: true },
  { id: "residual", title: "Solver residual", log: true },
  { id: "step", title: "Step size", steps: true },
];
// A plot shows one group. If a group has curves of several units, the plot shows those of one unit: "position|rad".
export function groupOf(id: string): Group {
  const [group, unit] = id.split("|");
  const found = groups.find((g) => g.id === group) ?? { id: group, title: short(group) };
  return unit === undefined ? found : { ...found, title: `${found.title} [${unit || "no unit"}]` };
}
