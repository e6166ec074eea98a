/** Scales of the two panels and their ticks. */

export interface Scale {
  y(value: number): number;
  ticks: readonly number[];
}

const ticksWanted = 5;
const timeTicksWanted = 12;
const faint = "#5b6478";
const grid = "#e3e6ee";

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
    const at = y(tick).toFixed(1);
    const label = `<text x="${left - 8}" y="${(y(tick) + 4).toFixed(1)}" font-size="11" fill="${faint}" text-anchor="end">${Number(tick.toPrecision(6))}</text>`;
    return `<path d="M${left} ${at}H${right}" stroke="${grid}" stroke-width="1"/>${label}`;
  });
}

export function ticksOfTime(seconds: number, bottom: number, x: (second: number) => number): string[] {
  const step = roundStep(seconds / 60 / timeTicksWanted);
  const ticks = Array.from({ length: Math.floor(seconds / 60 / step) + 1 }, (_, at) => at * step);
  return ticks.map((minute) => {
    const at = x(minute * 60).toFixed(1);
    return `<path d="M${at} ${bottom}v5" stroke="${faint}"/><text x="${at}" y="${bottom + 19}" font-size="11" fill="${faint}" text-anchor="middle">${Number(minute.toPrecision(6))}</text>`;
  });
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
