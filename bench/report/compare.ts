/**
 * How two programs are compared on a machine whose speed swings.
 *
 * A virtual machine runs twice as fast in one minute as in the next, so figures of different minutes say
 * nothing about each other. Only neighbours do: a slice of the reference, a slice of the variant, a slice of
 * the reference again, each a few seconds long. The variant's figure is divided by the mean of the two
 * references beside it, and what is reported is the median of many such ratios with the lowest and the
 * highest. One long run of each, one after the other, was tried and rejected: it turned orders around.
 *
 * Processes differ as well, by what their compiler happened to learn first. So every round starts fresh
 * ones, and the order of the variants turns around from round to round.
 */

export interface Spread {
  median: number;
  low: number;
  high: number;
}

export interface Comparison {
  ours: Spread;
  reference: Spread;
  ratio: Spread;
}

/** `references` has one slice more than `variants`: each variant stands between two of them. */
export interface Slices<M> {
  references: M[];
  variants: M[];
}

export interface Measures<M> {
  reference(): Promise<M>;
  variant(): Promise<M>;
}

export async function interleave<M>(pairs: number, measures: Measures<M>): Promise<Slices<M>> {
  const references = [await measures.reference()];
  const variants: M[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    variants.push(await measures.variant());
    references.push(await measures.reference());
  }
  return { references, variants };
}

/** The variants in the order of a round, turned around from one to the next. */
export function inOrderOf<T>(round: number, variants: readonly T[]): T[] {
  return round % 2 === 0 ? [...variants] : [...variants].reverse();
}

/** Every variant once a round. */
export function alternating<T>(variants: readonly T[], rounds: number): T[] {
  return Array.from({ length: rounds }, (_, round) => inOrderOf(round, variants)).flat();
}

/** The ratio of each variant to the mean of its two neighbours. */
export function ratios<M>(slices: Slices<M>, pick: (slice: M) => number): number[] {
  const { references, variants } = slices;
  if (references.length !== variants.length + 1) {
    throw new Error(`${variants.length} variant slices need ${variants.length + 1} of the reference`);
  }
  return variants.map((slice, at) => {
    const beside = (pick(references[at]!) + pick(references[at + 1]!)) / 2;
    if (!(beside > 0)) throw new Error("the reference measured nothing");
    return pick(slice) / beside;
  });
}

/** What several rounds say together. */
export function compare<M>(rounds: readonly Slices<M>[], pick: (slice: M) => number): Comparison {
  return {
    ours: spread(rounds.flatMap((round) => round.variants.map(pick))),
    reference: spread(rounds.flatMap((round) => round.references.map(pick))),
    ratio: spread(rounds.flatMap((round) => ratios(round, pick))),
  };
}

/**
 * One variant against another, when both were measured against the same reference but not beside each other:
 * the quotient of their ratios, round by round.
 */
export function compareThrough<M>(
  ours: readonly Slices<M>[],
  theirs: readonly Slices<M>[],
  pick: (slice: M) => number,
): Comparison {
  const rounds = Math.min(ours.length, theirs.length);
  const quotients = Array.from(
    { length: rounds },
    (_, round) => median(ratios(ours[round]!, pick)) / median(ratios(theirs[round]!, pick)),
  );
  return {
    ours: spread(ours.flatMap((round) => round.variants.map(pick))),
    reference: spread(theirs.flatMap((round) => round.variants.map(pick))),
    ratio: spread(quotients),
  };
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Between two values the share is taken of both. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error("there is nothing to take a quantile of");
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}
