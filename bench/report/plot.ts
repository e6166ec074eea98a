/** The chart: every figure that has a ratio or a target, as a bar with its spread and a mark for the target. */
import { card, chartWidth, colours, place, text } from "./chart.ts";
import { type Figure, plain, quantity, targetText, verdict } from "./figures.ts";

const labelWidth = 400;
const valueWidth = 190;
const barWidth = chartWidth - labelWidth - valueWidth - 40;
const rowHeight = 26;
const headHeight = 40;
const verdictColours = { reached: colours.good, missed: colours.bad, "": colours.grey } as const;
const labelInk = "#2b3245";

export function plot(figures: readonly Figure[], circumstances: readonly string[]): string {
  const benches = [...new Set(figures.map(({ bench }) => bench))];
  let top = 48 + circumstances.length * 18;
  const parts: string[] = [];
  for (const bench of benches) {
    const rows = figures.filter((figure) => figure.bench === bench);
    parts.push(text(24, top + 24, bench, { size: 15, weight: 600, colour: colours.ink }));
    top += headHeight;
    for (const rowsOfGroup of byScale(rows)) {
      const scale = barWidth / Math.max(...rowsOfGroup.map(extent));
      if (rowsOfGroup[0]!.ratio !== null) parts.push(referenceLine(scale, top, rowsOfGroup.length));
      for (const figure of rowsOfGroup) {
        parts.push(row(figure, scale, top));
        top += rowHeight;
      }
    }
    top += 10;
  }
  const height = top + 40;
  return card(height, "Benchmark of qrelay", [
    text(24, 36, "qrelay bench", { size: 20, weight: 700, colour: colours.ink }),
    ...circumstances.map((line, at) => text(24, 58 + at * 18, line, { size: 12 })),
    ...parts,
    legend(height - 18),
  ]);
}

/** Bars share a scale when they are ratios of one kind to one reference. */
function byScale(figures: readonly Figure[]): Figure[][] {
  const groups = new Map<string, Figure[]>();
  for (const figure of figures) {
    const group = `${figure.unit}, ${figure.reference?.name ?? figure.name}`;
    groups.set(group, [...(groups.get(group) ?? []), figure]);
  }
  return [...groups.values()];
}

function row(figure: Figure, scale: number, top: number): string {
  const { name, unit, ours, ratio } = figure;
  const shown = ratio ?? ours;
  const middle = top + rowHeight / 2;
  const x = (value: number) => place(labelWidth + value * scale);
  const value = ratio === null ? quantity(ours.median, unit) : `${plain(ratio.median)} ×`;
  const bound = boundOf(figure);
  const label = figure.reference === null ? name : `${name}, to ${figure.reference.name}`;
  const target = targetText(figure);
  return [
    text(labelWidth - 10, middle + 4, shortened(label), { size: 11.5, colour: labelInk, anchor: "end" }),
    `<rect x="${labelWidth}" y="${top + 5}" width="${place(shown.median * scale)}" height="${rowHeight - 10}" rx="2" fill="${verdictColours[verdict(figure)]}"/>`,
    `<path d="M${x(shown.low)} ${middle}H${x(shown.high)}" stroke="${colours.ink}" stroke-width="1.5" opacity="0.55"/>`,
    bound === null
      ? ""
      : `<path d="M${x(bound)} ${top + 2}v${rowHeight - 4}" stroke="${colours.ink}" stroke-width="2"/>`,
    text(labelWidth + barWidth + 12, middle + 4, target === "" ? value : `${value}  (target ${target})`, {
      size: 11.5,
      colour: labelInk,
    }),
  ].join("");
}

function referenceLine(scale: number, top: number, rows: number): string {
  const x = place(labelWidth + scale);
  return `<path d="M${x} ${top}v${rows * rowHeight}" stroke="#b6bdcc" stroke-width="1" stroke-dasharray="3 3"/>`;
}

function legend(y: number): string {
  const items = [
    ["reached", verdictColours.reached],
    ["missed", verdictColours.missed],
    ["no target", verdictColours[""]],
  ] as const;
  const boxes = items.map(([label, colour], at) => {
    const x = 24 + at * 90;
    return `<rect x="${x}" y="${y - 10}" width="11" height="11" rx="2" fill="${colour}"/>${text(x + 17, y, label, { size: 11 })}`;
  });
  const rest =
    "bar: median · thin line: lowest to highest · upright mark: target · dashed: equal to the reference";
  return boxes.join("") + text(24 + items.length * 90, y, rest, { size: 11 });
}

function boundOf({ target, ratio }: Figure): number | null {
  if (target === null || (target.of === "ratio") !== (ratio !== null)) return null;
  return target.atLeast ?? target.atMost ?? null;
}

function extent(figure: Figure): number {
  const shown = figure.ratio ?? figure.ours;
  return Math.max(shown.high, boundOf(figure) ?? 0, figure.ratio === null ? 0 : 1) || 1;
}

function shortened(label: string): string {
  return label.length <= 68 ? label : `${label.slice(0, 67)}…`;
}
