// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Multiples of 1, 2 or 5 times a power of ten within [low, high], about `wanted` of them.
export function niceTicks(low: number, high: number, wanted: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const rough = span / Math.max(1, wanted);
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = decade * ([1, 2, 5].find((f) => f * decade >= rough) ?? 10);
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high && ticks.length < 200; ++i) ticks.push(i * step);
  return ticks;
}
