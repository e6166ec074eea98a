/**
 * What the service has acknowledged, kept so that every later answer can be held against it.
 *
 * A code is changed by one request at a time, and every change is a new version of its target, so a target says
 * how old the state is that a scan saw. While a change is under way, or after its answer was lost, the code is in
 * the settled state or in the proposed one; the next read tells which. An answer is compared with the states that
 * were possible between its sending and its arrival: exactly one, when nothing was changed meanwhile.
 */
import { createHash } from "node:crypto";
import type { Dice } from "../../test/support/dice.ts";

export type Kind = "plain" | "ruled" | "limited";
export const kinds: readonly Kind[] = ["plain", "ruled", "limited"];

export interface State {
  version: number;
  active: boolean;
}

export interface Code {
  /** Also in its label and its targets. */
  readonly number: number;
  readonly id: string;
  readonly account: number;
  readonly kind: Kind;
  readonly limit: number | null;
  slug: string | null;
  /** Paths of its images, once they are known. */
  files: readonly string[];
  settled: State;
  proposed: State | null;
  busy: boolean;
  /** Rises with everything that changes what is possible. */
  turns: number;
  /** Scans that may count: those under way, lost, or answered with the destination. Then only the last. */
  sent: number;
  answered: number;
  refused: number;
}

export interface KeyedCreate {
  number: number;
  account: number;
  kind: Kind;
  limit: number | null;
  key: string;
  /** Of the first answer; null until there is one. */
  digest: string | null;
}

export interface Glance extends State {
  turns: number;
  certain: boolean;
  answered: number;
}

/** Codes in use; what comes above is archived for good. */
const liveMax: Record<Kind, number> = { plain: 300, ruled: 30, limited: 12 };
/** Bounds the memory of the soak: then no further codes are created. */
export const codesMax = 100_000;
const repeatableMax = 200;
const refusedEnough = 20;
const tries = 8;

export class Ledger {
  /** Everything acknowledged, by number. */
  readonly codes = new Map<number, Code>();
  /** Numbers whose create was sent and not acknowledged: each is there once or not at all. */
  readonly unknown = new Set<number>();
  /** Creates whose answer was lost; repeated until they are answered. */
  readonly owed: KeyedCreate[] = [];
  readonly #repeatable: KeyedCreate[] = [];
  readonly #live: Record<Kind, Code[]> = { plain: [], ruled: [], limited: [] };
  #numbers = 0;

  get isFull(): boolean {
    return this.#numbers >= codesMax;
  }

  get numbers(): number {
    return this.#numbers;
  }

  newNumber(): number {
    this.unknown.add(this.#numbers);
    return this.#numbers++;
  }

  created(code: Pick<Code, "number" | "id" | "account" | "kind" | "limit">): Code {
    const { number, id, account, kind, limit } = code;
    const known: Code = {
      ...{ number, id, account, kind, limit, slug: null, files: [] },
      ...{ settled: { version: 0, active: true }, proposed: null, busy: false, turns: 0 },
      ...{ sent: 0, answered: 0, refused: 0 },
    };
    this.codes.set(number, known);
    this.unknown.delete(number);
    this.#live[kind].push(known);
    return known;
  }

  canRepeat(create: KeyedCreate): void {
    this.#repeatable.push(create);
    if (this.#repeatable.length > repeatableMax) this.#repeatable.shift();
  }

  pickRepeatable(chance: Dice): KeyedCreate | null {
    return this.#repeatable.length === 0 ? null : chance.pick(this.#repeatable);
  }

  pick(chance: Dice, kind: Kind, suits: (code: Code) => boolean): Code | null {
    const live = this.#live[kind];
    for (let n = 0; n < tries && live.length > 0; n++) {
      const code = chance.pick(live);
      if (suits(code)) return code;
    }
    return null;
  }

  /** The oldest code whose slug or state is not known: somebody has to read it. */
  unread(): Code | null {
    return this.#first((code) => !code.busy && (code.slug === null || !isCertain(code)));
  }

  /** A code whose time is over, if there is one. */
  outlived(): Code | null {
    const isOver = ({ kind }: Code) => this.#live[kind].length > liveMax[kind];
    return this.#first((code) => isCertain(code) && (isOver(code) || code.refused >= refusedEnough));
  }

  #first(suits: (code: Code) => boolean): Code | null {
    return kinds.flatMap((kind) => this.#live[kind]).find(suits) ?? null;
  }

  retire(code: Code): void {
    const live = this.#live[code.kind];
    const at = live.indexOf(code);
    if (at >= 0) live.splice(at, 1);
  }
}

export function isCertain(code: Code): boolean {
  return code.proposed === null;
}

/** What is to be remembered when a request about the code is sent. */
export function glance(code: Code): Glance {
  const { turns, settled, answered } = code;
  return { turns, version: settled.version, active: settled.active, certain: isCertain(code), answered };
}

export function propose(code: Code, state: State): void {
  code.proposed = state;
  code.busy = true;
  code.turns++;
}

export function settle(code: Code, state: State): void {
  code.settled = state;
  code.proposed = null;
  code.turns++;
}

/** Whether the state was possible at some moment since the glance. */
export function wasPossible(code: Code, since: Glance, state: State): boolean {
  if (since.certain && since.turns === code.turns) {
    return state.version === code.settled.version && state.active === code.settled.active;
  }
  const newest = code.proposed?.version ?? code.settled.version;
  return state.version >= since.version && state.version <= newest;
}

/** Whether the code may have been in or out of service at some moment since the glance. */
export function mayHaveBeen(code: Code, since: Glance, active: boolean): boolean {
  return !since.certain || since.turns !== code.turns || code.settled.active === active;
}

export function targetOf(number: number, version: number): string {
  return `https://example.com/soak/${number}/${version}`;
}

/** Null when the target is not one of this code's. */
export function versionOf(number: number, target: string | undefined): number | null {
  const start = targetOf(number, 0).slice(0, -1);
  const rest = target?.startsWith(start) ? target.slice(start.length) : "";
  return /^\d+$/.test(rest) ? Number(rest) : null;
}

export function labelOf(number: number): string {
  return `soak ${number}`;
}

/** Null when the soak never gave such a label. */
export function numberOf(label: string): number | null {
  const digits = /^soak (\d+)$/.exec(label)?.[1];
  return digits === undefined ? null : Number(digits);
}

export function digestOf(body: Buffer): string {
  return createHash("sha256").update(body).digest("base64");
}
