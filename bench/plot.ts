/** The chart: every figure that has a ratio or a target, as a bar with its spread and a mark for the target. */
import { type Figure, plain, quantity, targetText, verdict } from "./figures.ts";

const width = 960;
const labelWidth = 400;
const valueWidth = 190;
const barWidth = width - labelWidth - valueWidth - 40;
const rowHeight = 26;
const headHeight = 40;
const colours = { reached: "#2f9e6e", missed: "#d9704a", "": "#8a93a6" } as const;

export function plot(figures: readonly Figure[], circumstances: readonly string[]): string {
  const benches = [...new Set(figures.map(({ bench }) => bench))];
  let top = 48 + circumstances.length * 18;
  const parts: string[] = [];
  for (const bench of benches) {
    const rows = figures.filter((figure) => figure.bench === bench);
    parts.push(text(24, top + 24, bench, `font-size="15" font-weight="600" fill="#1d2433"`));
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
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Benchmark of qrelay" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif">`,
    `<rect width="${width}" height="${height}" rx="10" fill="#ffffff"/>`,
    text(24, 36, "qrelay bench", `font-size="20" font-weight="700" fill="#1d2433"`),
    ...circumstances.map((line, at) => text(24, 58 + at * 18, line, `font-size="12" fill="#5b6478"`)),
    ...parts,
    legend(height - 18),
    "</svg>\n",
  ].join("\n");
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
  const x = (value: number) => (labelWidth + value * scale).toFixed(1);
  const value = ratio === null ? quantity(ours.median, unit) : `${plain(ratio.median)} ×`;
  const bound = boundOf(figure);
  const label = figure.reference === null ? name : `${name}, to ${figure.reference.name}`;
  const target = targetText(figure);
  return [
    text(labelWidth - 10, middle + 4, shortened(label), `font-size="11.5" fill="#2b3245" text-anchor="end"`),
    `<rect x="${labelWidth}" y="${top + 5}" width="${(shown.median * scale).toFixed(1)}" height="${rowHeight - 10}" rx="2" fill="${colours[verdict(figure)]}"/>`,
    `<path d="M${x(shown.low)} ${middle}H${x(shown.high)}" stroke="#1d2433" stroke-width="1.5" opacity="0.55"/>`,
    bound === null
      ? ""
      : `<path d="M${x(bound)} ${top + 2}v${rowHeight - 4}" stroke="#1d2433" stroke-width="2"/>`,
    text(
      labelWidth + barWidth + 12,
      middle + 4,
      target === "" ? value : `${value}  (target ${target})`,
      `font-size="11.5" fill="#2b3245"`,
    ),
  ].join("");
}

function referenceLine(scale: number, top: number, rows: number): string {
  const x = (labelWidth + scale).toFixed(1);
  return `<path d="M${x} ${top}v${rows * rowHeight}" stroke="#b6bdcc" stroke-width="1" stroke-dasharray="3 3"/>`;
}

function legend(y: number): string {
  const items = [
    ["reached", colours.reached],
    ["missed", colours.missed],
    ["no target", colours[""]],
  ] as const;
  const boxes = items.map(([label, colour], at) => {
    const x = 24 + at * 90;
    return `<rect x="${x}" y="${y - 10}" width="11" height="11" rx="2" fill="${colour}"/>${text(x + 17, y, label, `font-size="11" fill="#5b6478"`)}`;
  });
  const rest =
    "bar: median · thin line: lowest to highest · upright mark: target · dashed: equal to the reference";
  return boxes.join("") + text(24 + items.length * 90, y, rest, `font-size="11" fill="#5b6478"`);
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

function text(x: number, y: number, content: string, attributes: string): string {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<text x="${x}" y="${y}" ${attributes}>${escaped}</text>`;
}
