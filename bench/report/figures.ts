/** What a bench finds: one row of the table each. */
import type { Comparison, Spread } from "./compare.ts";

export type Unit = "per second" | "ms" | "µs" | "bytes" | "s" | "%";

export interface Target {
  /** What is held against the bound. */
  of: "ratio" | "ours" | "highest";
  atLeast?: number;
  atMost?: number;
}

export interface Figure {
  bench: string;
  /** What was measured, with its circumstances. */
  name: string;
  unit: Unit;
  ours: Spread;
  reference: (Spread & { name: string }) | null;
  ratio: Spread | null;
  target: Target | null;
}

export type Verdict = "reached" | "missed" | "";

export function compared(
  about: Pick<Figure, "bench" | "name" | "unit">,
  referenceName: string,
  comparison: Comparison,
  target: Target | null = null,
): Figure {
  const { ours, reference, ratio } = comparison;
  return { ...about, ours, reference: { name: referenceName, ...reference }, ratio, target };
}

export function alone(
  about: Pick<Figure, "bench" | "name" | "unit">,
  ours: Spread,
  target: Target | null = null,
): Figure {
  return { ...about, ours, reference: null, ratio: null, target };
}

export function verdict({ ours, ratio, target }: Figure): Verdict {
  if (target === null) return "";
  const value = target.of === "ratio" ? ratio?.median : target.of === "ours" ? ours.median : ours.high;
  if (value === undefined) return "";
  const { atLeast = -Infinity, atMost = Infinity } = target;
  return value >= atLeast && value <= atMost ? "reached" : "missed";
}

export function quantity(value: number, unit: Unit): string {
  const text = plain(value);
  return unit === "per second" ? `${text}/s` : `${text} ${unit}`;
}

/** Three digits that mean something, thousands parted. */
export function plain(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function targetText({ target, unit }: Figure): string {
  if (target === null) return "";
  const sign = target.atLeast === undefined ? "≤" : "≥";
  const bound = target.atLeast ?? target.atMost ?? 0;
  return target.of === "ratio" ? `${sign} ${bound.toFixed(2)} ×` : `${sign} ${quantity(bound, unit)}`;
}
