/** What a client would rather have: headers that list names with weights, like `Accept`. */
import { negotiationCharsMax } from "../limits.ts";

/**
 * The weight of every name in the list, in small letters. A weight of 0 is a refusal; one that cannot be read
 * counts as none given. A list that is far longer than any client's says nothing.
 */
function weightsOf(list: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  if (list.length > negotiationCharsMax) return weights;
  for (const item of list.toLowerCase().split(",")) {
    const [name, ...parameters] = item.split(";") as [string, ...string[]];
    let weight = 1;
    for (const parameter of parameters) {
      const [key, value] = parameter.split("=");
      if (key!.trim() === "q") weight = weightIn(value);
    }
    const trimmed = name.trim();
    if (trimmed !== "") weights.set(trimmed, Math.max(weight, weights.get(trimmed) ?? 0));
  }
  return weights;
}

function weightIn(text: string | undefined): number {
  const weight = Number(text?.trim() || Number.NaN);
  return weight >= 0 && weight <= 1 ? weight : 1;
}

function weightOfType(weights: ReadonlyMap<string, number>, type: string): number {
  const family = `${type.slice(0, type.indexOf("/"))}/*`;
  return weights.get(type) ?? weights.get(family) ?? weights.get("*/*") ?? 0;
}

/**
 * Whether a page suits the client better than the other type that we have. Whoever takes anything is a program
 * and gets no page: at the same weight, HTML has to be asked for by its name.
 */
export function prefersPage(accept: string, otherType: string): boolean {
  if (accept === "" || accept === "*/*" || accept === otherType) return false;
  const weights = weightsOf(accept);
  const page = weightOfType(weights, "text/html");
  const other = weightOfType(weights, otherType);
  return page > other || (page === other && page > 0 && weights.has("text/html"));
}

/** The smallest first. */
export const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

/** The encoding that the client likes best, the smallest of several; null when the bytes go as they are. */
export function preferredEncoding(acceptEncoding: string): Encoding | null {
  if (acceptEncoding === "") return null;
  const weights = weightsOf(acceptEncoding);
  const anything = weights.get("*");
  let best: Encoding | null = null;
  let bestWeight = 0;
  for (const encoding of encodings) {
    const weight = weights.get(encoding) ?? anything ?? 0;
    if (weight > bestWeight) {
      best = encoding;
      bestWeight = weight;
    }
  }
  return bestWeight >= (weights.get("identity") ?? 0) ? best : null;
}
