/** What members ask each other, and how that is written in frames. */
import type { Frame } from "./frames.ts";

/** A request that another member is to answer as its own. */
export interface ForwardedRequest {
  method: string;
  path: string;
  query: string;
  /** Every line, names in lower case, in the order in which they came. */
  headers: readonly (readonly [name: string, value: string])[];
  /** The address of the client's connection. */
  peer: string;
}

export interface ForwardedAnswer {
  status: number;
  /** The status and the headers, as engines take them. */
  head: string;
  /** Of the body, which an answer to HEAD does not carry. */
  length: number;
}

/** A scan of a link with a limit: what is kept of its visitor, and the header `Referer` as it came. */
export type LimitedScan = readonly [slug: string, visitor: number, referer: string];

/** What scans can see and has changed: copies of it must go. */
export interface Changed {
  slugs: readonly string[];
  projects: readonly string[];
  accounts: readonly string[];
}

/** Each with its answer. Whatever is asked is asked once: who gets no answer does not know what was done. */
export interface Questions {
  /** The answer says for how long, from the sending of the question, the asker may build on the other. */
  ping: { asked: Record<string, never>; answered: { ms: number } };
  /** The bodies are the bytes. */
  call: { asked: ForwardedRequest; answered: ForwardedAnswer };
  limited: { asked: { scans: readonly LimitedScan[] }; answered: { verdicts: readonly number[] } };
  /** Answered when the copies are gone. */
  changed: { asked: Changed; answered: Record<string, never> };
  /** Who owns a partition from now on. */
  moved: { asked: { partition: number; owner: string }; answered: Record<string, never> };
}

export type QuestionKind = keyof Questions;

export interface Said<T> {
  said: T;
  bytes: Uint8Array;
}

export type Answerer<K extends QuestionKind> = (
  asked: Said<Questions[K]["asked"]>,
) => Promise<Said<Questions[K]["answered"]>> | Said<Questions[K]["answered"]>;

export type Answerers = { [K in QuestionKind]: Answerer<K> };

/** The places are the numbers on the wire: new ones go to the end. */
const kinds = ["hello", "proof", "answer", "failure", "ping", "call", "limited", "changed", "moved"] as const;
export type FrameKind = (typeof kinds)[number];

export const nothing: Uint8Array = new Uint8Array();

export function frameFor(kind: FrameKind, number: number, said: object, bytes = nothing): Frame {
  return { kind: kinds.indexOf(kind), number, text: JSON.stringify(said), bytes };
}

export function kindOf(frame: Frame): FrameKind | undefined {
  return kinds[frame.kind];
}

export function isQuestion(kind: FrameKind): kind is QuestionKind {
  return kinds.indexOf(kind) >= kinds.indexOf("ping");
}
