/** What members ask each other, and how that is written in frames. */
import type { HandedKeyMeter, HandedMeter } from "../../domain/account/rate-window.ts";
import type { Frame } from "./frames.ts";

/** A request that another member is to answer as its own, or to hand to who decides. */
export interface ForwardedRequest {
  partition: Partition;
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
  /** Those of the slugs that have a limit now. */
  limited: readonly string[];
  projects: readonly string[];
  /** Each with the time zone that it has now. */
  accounts: readonly (readonly [id: string, timezone: string])[];
  /** Anything may have changed. */
  all?: true;
}

/** All that a keeper has, for who keeps after it. */
export interface Inheritance {
  /** The epoch under which it kept. */
  from: number;
  keys: readonly HandedKeyMeter[];
  sessions: readonly HandedMeter[];
}

/** Of accounts; null for what concerns no single one, and is the keeper's. */
export type Partition = number | null;

/** What a member says of itself. */
export interface MemberStatus {
  /** Its number; null while it has none. */
  epoch: number | null;
  /** Where others reach it. */
  address: string;
  state: "owner" | "follower" | "joining";
  mayServe: boolean;
  /** Since the sending of what its right was last confirmed by; null when it never was. */
  confirmedMsAgo: number | null;
  /** Of accounts, that it decides for. */
  partitions: number;
}

/** Each with its answer. Whatever is asked is asked once: who gets no answer does not know what was done. */
export interface Questions {
  /**
   * Of a follower to its owner: for how long, from the sending of the question, it may serve. `term` counts the talks
   * of the asker with owners. `hasEarlier`: it may still serve for a while by what an earlier owner said. Whoever owns
   * nothing answers 0. And under which epoch the other owns, and how long ago the oldest scan can be that any member counted
   * and has not saved. Each says whether it reaches the database.
   */
  serve: {
    asked: { term: number; hasEarlier: boolean; reaches: boolean };
    answered: { ms: number; epoch: number | null; unsavedMs: number; reaches: boolean };
  };
  /**
   * Of an owner: for how long, from the sending of the question, the other will not take over; 0 for no promise. And how
   * long ago the oldest scan can be that it counted and has not saved.
   */
  promise: { asked: Record<string, never>; answered: { ms: number; unsavedMs: number } };
  /** The bodies are the bytes. */
  call: { asked: ForwardedRequest; answered: ForwardedAnswer };
  limited: {
    asked: { partition: Partition; scans: readonly LimitedScan[] };
    answered: { verdicts: readonly number[] };
  };
  /** Answered when the copies are gone. */
  changed: { asked: Changed; answered: Record<string, never> };
  /**
   * The owner gives no more time. With the name of who is to own next: what was given stands. Without one it is answered
   * by who does not serve any more.
   */
  ended: { asked: { next: string | null }; answered: Record<string, never> };
  /** Of a deputy to its keeper: what all others are to drop. Answered when they have. */
  tell: { asked: Changed; answered: Record<string, never> };
  /** Of anybody: what this member is at the moment. */
  status: { asked: Record<string, never>; answered: MemberStatus };
  /** Of an owner that is to stop: answered by who will own next. */
  succeed: { asked: Record<string, never>; answered: Record<string, never> };
  /** The accounts are about to pass to this owner, or to any: nothing is to be handed on until it answers. */
  hold: { asked: { next: string | null }; answered: Record<string, never> };
  /** Of a follower that stops: it serves nothing any more, and need not be told of anything. */
  left: { asked: Record<string, never>; answered: Record<string, never> };
  /**
   * Of a keeper: the other may own partitions under this number, as long as they talk and the keeper's own number stays.
   * Answered when it can.
   */
  appoint: { asked: { epoch: number; under: number }; answered: Record<string, never> };
  /**
   * It decides for these from now on, and goes on with the rate meters of who did; and no more, which is refused when it
   * cannot let go of them just now.
   */
  take: {
    asked: { partitions: readonly number[]; meters: readonly HandedKeyMeter[] };
    answered: Record<string, never>;
  };
  release: { asked: { partitions: readonly number[] }; answered: { meters: readonly HandedKeyMeter[] } };
  /** Of a deputy that stops: answered when it has no partitions any more. */
  resign: { asked: Record<string, never>; answered: Record<string, never> };
  /** Requests of an account in the present minute and day, and its projects. */
  usage: { asked: { account: string }; answered: { minute: number; day: number; projects: number } };
  /** Of a deputy: all codes are to be looked at again. Of a keeper: those of the other's accounts. */
  rescan: {
    asked: Record<string, never>;
    answered: { checked: number; blocked: number; unblocked: number };
  };
  /** Of a keeper that has given all back and is about to give the lease back, to who is to keep next. */
  inherit: { asked: Inheritance; answered: Record<string, never> };
  /** Of a deputy: takes one request out of the windows of a session. `refused` is the code of the error to tell. */
  session: { asked: { id: string }; answered: { refused: string | null; retryAfter: number } };
  /** Of a keeper: the other owns nothing any more, and is not asked for what it has. */
  depose: { asked: Record<string, never>; answered: Record<string, never> };
  /** See `Clearing`. */
  moves: { asked: { of: readonly string[] }; answered: { moves: number } };
}

export type QuestionKind = keyof Questions;

export interface Said<T> {
  said: T;
  bytes: Uint8Array;
}

/** What is handed in runs when whoever asked wants no answer any more. */
export type OnUnwanted = (run: () => void) => void;

export type Answerer<K extends QuestionKind> = (
  asked: Said<Questions[K]["asked"]>,
  onUnwanted: OnUnwanted,
) => Promise<Said<Questions[K]["answered"]>> | Said<Questions[K]["answered"]>;

export type Answerers = { [K in QuestionKind]: Answerer<K> };

/** The places are the numbers on the wire, from `serve` on those of questions: new ones go to the end. */
const kinds = [
  "hello",
  "proof",
  "answer",
  "failure",
  "unwanted",
  "serve",
  "promise",
  "call",
  "limited",
  "changed",
  "ended",
  "tell",
  "status",
  "succeed",
  "hold",
  "left",
  "appoint",
  "take",
  "release",
  "resign",
  "usage",
  "rescan",
  "moves",
  "inherit",
  "session",
  "depose",
] as const;
export type FrameKind = (typeof kinds)[number];

export const nothing: Uint8Array = new Uint8Array();

export function frameFor(kind: FrameKind, number: number, said: object, bytes = nothing): Frame {
  return { kind: kinds.indexOf(kind), number, text: JSON.stringify(said), bytes };
}

export function kindOf(frame: Frame): FrameKind | undefined {
  return kinds[frame.kind];
}

export function isQuestion(kind: FrameKind): kind is QuestionKind {
  return kinds.indexOf(kind) >= kinds.indexOf("serve");
}
