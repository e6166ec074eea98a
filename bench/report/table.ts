/** The table of all figures, in Markdown that also reads well on a terminal. */
import type { Spread } from "./compare.ts";
import { type Figure, plain, quantity, targetText, verdict } from "./figures.ts";

const heads = ["Bench", "Figure", "Ours", "Reference", "Ratio (lowest–highest)", "Target", ""];

export function table(figures: readonly Figure[]): string {
  return tableOf([heads, ...figures.map(cells)]);
}

/** The heads of the columns come first. */
export function tableOf(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, at) => Math.max(3, ...rows.map((row) => row[at]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [line(rows[0]!), rule, ...rows.slice(1).map(line)].join("\n");
}

function cells(figure: Figure): string[] {
  const { bench, name, unit, ours, reference, ratio } = figure;
  return [
    bench,
    name,
    reference === null ? withSpread(ours, (value) => quantity(value, unit)) : quantity(ours.median, unit),
    reference === null ? "" : `${quantity(reference.median, unit)} ${reference.name}`,
    ratio === null ? "" : withSpread(ratio, plain),
    targetText(figure),
    verdict(figure),
  ];
}

function withSpread({ median, low, high }: Spread, text: (value: number) => string): string {
  return low === high ? text(median) : `${text(median)} (${plain(low)}–${plain(high)})`;
}
