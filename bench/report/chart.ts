/** What the pictures of the bench and of the soak are drawn with. Each is on a card of its own: any background will do. */

export const chartWidth = 960;
export const colours = {
  ink: "#1d2433",
  faint: "#5b6478",
  grid: "#e3e6ee",
  good: "#2f9e6e",
  bad: "#d9704a",
  grey: "#8a93a6",
} as const;

/** A whole picture. */
export function card(height: number, label: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${chartWidth} ${height}" width="${chartWidth}" height="${height}" role="img" aria-label="${label}" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif">`,
    `<rect width="${chartWidth}" height="${height}" rx="10" fill="#ffffff"/>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

export interface TextLook {
  size: number;
  colour?: string;
  weight?: number;
  anchor?: "middle" | "end";
}

export function text(x: number, y: number, content: string, look: TextLook): string {
  const { size, colour = colours.faint, weight, anchor } = look;
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const more = `${weight ? ` font-weight="${weight}"` : ""}${anchor ? ` text-anchor="${anchor}"` : ""}`;
  return `<text x="${place(x)}" y="${place(y)}" font-size="${size}" fill="${colour}"${more}>${escaped}</text>`;
}

/** A tenth of a pixel is as exact as anybody sees. */
export function place(at: number): string {
  return String(Number(at.toFixed(1)));
}

export interface Scale {
  y(value: number): number;
  ticks: readonly number[];
}

const ticksWanted = 5;
const timeTicksWanted = 12;

/** From zero to a round number above the highest value. */
export function linear(values: readonly number[], top: number, height: number): Scale {
  const highest = highestOf(values, 1);
  const step = roundStep(highest / ticksWanted);
  const end = Math.ceil(highest / step) * step;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, at) => at * step);
  return { ticks, y: (value) => top + height * (1 - value / end) };
}

/** Whole powers of ten around all values. */
export function logarithmic(values: readonly number[], top: number, height: number): Scale {
  const lowest = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const from = Math.floor(Math.log10(Number.isFinite(lowest) ? lowest : 1));
  const to = Math.max(from + 1, Math.ceil(Math.log10(highestOf(values, 10))));
  const ticks = Array.from({ length: to - from + 1 }, (_, at) => 10 ** (from + at));
  return { ticks, y: (value) => top + height * (1 - (Math.log10(value) - from) / (to - from)) };
}

export function axis({ ticks, y }: Scale, left: number, right: number): string[] {
  return ticks.map((tick) => {
    const label = text(left - 8, y(tick) + 4, tickLabel(tick), { size: 11, anchor: "end" });
    return `<path d="M${left} ${place(y(tick))}H${right}" stroke="${colours.grid}" stroke-width="1"/>${label}`;
  });
}

export function ticksOfTime(seconds: number, bottom: number, x: (second: number) => number): string[] {
  const step = roundStep(seconds / 60 / timeTicksWanted);
  const ticks = Array.from({ length: Math.floor(seconds / 60 / step) + 1 }, (_, at) => at * step);
  return ticks.map((minute) => {
    const at = x(minute * 60);
    const label = text(at, bottom + 19, tickLabel(minute), { size: 11, anchor: "middle" });
    return `<path d="M${place(at)} ${bottom}v5" stroke="${colours.faint}"/>${label}`;
  });
}

/** Without what adding up steps leaves behind the last digit. */
function tickLabel(tick: number): string {
  return String(Number(tick.toPrecision(6)));
}

/** 1, 2 or 5 times a power of ten, not below what is asked for. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? 10 * power;
}

/** Not `Math.max(...values)`: a day has more values than a call takes arguments. */
function highestOf(values: readonly number[], fallback: number): number {
  return values.reduce((most, value) => Math.max(most, value), 0) || fallback;
}
