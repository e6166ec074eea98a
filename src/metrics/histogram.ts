import { type Family, type Labels, numberText, type Sample } from "./exposition.ts";

/** Upper bounds in seconds, for what a client waits for. */
export const secondsBounds: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Upper bounds for how many things went together. */
export const countBounds: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 20_000];

/** Counts how many values fell below each of some fixed bounds. Observing allocates nothing. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    if (bounds.some((bound, at) => !Number.isFinite(bound) || (at > 0 && bound <= bounds[at - 1]!))) {
      throw new Error(`the bounds of a histogram must rise: ${bounds.join(", ")}`);
    }
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  /** `times` values that are all alike. */
  observe(value: number, times = 1): void {
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && value > bounds[at]!) at++;
    this.#counts[at]! += times;
    this.#sum += value * times;
  }

  samples(labels: Labels = {}): Sample[] {
    const samples: Sample[] = [];
    let below = 0;
    for (let at = 0; at <= this.#bounds.length; at++) {
      below += this.#counts[at]!;
      const le = numberText(this.#bounds[at] ?? Number.POSITIVE_INFINITY);
      samples.push({ part: "_bucket", labels: { ...labels, le }, value: below });
    }
    samples.push({ part: "_sum", labels, value: this.#sum }, { part: "_count", labels, value: below });
    return samples;
  }
}

export function histogram(name: string, help: string, values: Histogram): Family {
  return { name, help, type: "histogram", samples: () => values.samples() };
}
