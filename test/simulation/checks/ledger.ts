/**
 * What the clients know, and what the service therefore owes them.
 *
 * A client that was answered knows; one that got a 503 or lost its connection does not, and then both outcomes
 * are possible. So everything that can be written is kept as the list of values it may have now. Each value has
 * one writer at a time, which makes the list short:
 *
 *   a write begins       the values it would lead to become possible as well
 *   it is answered       only the value in the answer is possible
 *   it is refused        as before
 *   it is lost           all of them stay possible
 *   somebody reads       what was read must have been possible; whatever a crash could still take back must not
 *                        be shown, so from now on it is the only one possible
 */
import { hourMs } from "../../../src/domain/analytics/zone.ts";

export class SimulationFailure extends Error {
  override name = "SimulationFailure";
}

export function require(holds: boolean, what: () => string): asserts holds {
  if (!holds) throw new SimulationFailure(what());
}

/** A value with one writer at a time and any number of readers. */
export class Register<T> {
  readonly #name: string;
  #possible: T[];
  readonly #history: T[][];
  #writing: ((value: T) => T) | null = null;
  /** Rises whenever what is possible changes: a reader that saw it rise cannot tell what it should have read. */
  revision = 0;

  constructor(name: string, value: T) {
    this.#name = name;
    this.#possible = [value];
    this.#history = [this.#possible];
  }

  get possible(): readonly T[] {
    return this.#possible;
  }

  /** All that was possible at some time since then. */
  possibleSince(revision: number): readonly T[] {
    return this.#history.slice(revision).flat();
  }

  /** The write may take effect from now on. */
  begin(change: (value: T) => T): void {
    this.#writing = change;
    this.#set([...this.#possible, ...this.#possible.map(change)]);
  }

  answered(value: T): void {
    const owed = this.#possible.map(this.#writing!);
    this.#writing = null;
    require(includes(owed, value), () =>
      `${this.#name}: answered ${show(value)}, possible were ${show(owed)}`);
    this.#set([value]);
  }

  /** Nothing was changed by the write that began last; what was possible before still is. */
  refused(before: readonly T[]): void {
    this.#writing = null;
    this.#set([...before]);
  }

  lost(): void {
    this.#writing = null;
    this.#set(this.#possible);
  }

  /** Somebody was shown this value, by a request that began at the given revision. */
  seen(value: T, since: number): void {
    if (since !== this.revision) return;
    this.mustHave(value);
    this.#set(this.#writing === null ? [value] : [value, this.#writing(value)]);
  }

  mustHave(value: T): void {
    require(includes(this.#possible, value), () =>
      `${this.#name} is ${show(value)}, possible are ${show(this.#possible)}`);
  }

  #set(values: T[]): void {
    this.revision++;
    this.#possible = values.filter((value, at) => values.findIndex((other) => same(other, value)) === at);
    this.#history.push(this.#possible);
  }
}

/** What a client sees of a code and can change. */
export interface CodeFace {
  label: string;
  status: string;
  redirect_url: string;
  scan_limit: number | null;
  expires_at: string | null;
}

export interface CodeRecord {
  accountId: string;
  id: string;
  slug: string;
  /** By which its create is known. */
  firstLabel: string;
  project: ProjectRecord;
  face: Register<CodeFace>;
  scans: ScanTally;
}

/** Scans of one link, by what their visitors got. */
export class ScanTally {
  /** Given the destination. */
  answered = 0;
  /** Counted or not, nobody knows: no answer came, or a 503. */
  unknown = 0;
  /** Not answered yet. */
  inFlight = 0;
  /** Answered, and then lost in a way that the service owns up to. */
  excused = 0;
  /** Answers of the last process whose counts are in its journal only, newest last. */
  #recent: { at: number; isUnsafe: boolean }[] = [];

  /** How many were sent and may have been counted in each hour. */
  readonly #sent = new Map<number, number>();

  /** A scan that was under way in this time. */
  wasSent(from: number, to: number): void {
    for (let hour = from - (from % hourMs); hour <= to; hour += hourMs) {
      this.#sent.set(hour, (this.#sent.get(hour) ?? 0) + 1);
    }
  }

  sentIn(hour: number): number {
    return this.#sent.get(hour) ?? 0;
  }

  gaveDestination(at: number, isUnsafe: boolean): void {
    this.answered++;
    this.#recent.push({ at, isUnsafe });
  }

  /** The destination was given when the store had the count. */
  gaveDestinationStored(): void {
    this.answered++;
    this.#recent = [];
  }

  /**
   * What is not on the medium is lost. Counts are absolute, so the newest scan that is safe makes all before it
   * safe; those after it were answered without the journal, or not synced yet when the power went.
   */
  unsafeLost(unsyncedSince: number): void {
    for (let last = this.#recent.at(-1); last !== undefined; last = this.#recent.at(-1)) {
      if (!last.isUnsafe && last.at < unsyncedSince) return;
      this.#recent.pop();
      this.excused++;
    }
  }

  /** All counts are in the store. */
  saved(): void {
    this.#recent = [];
  }

  get least(): number {
    return this.answered - this.excused;
  }

  get most(): number {
    return this.answered + this.unknown;
  }
}

/** What became of a create, by the name that only it uses. */
export type CreateOutcome = "created" | "refused" | "unknown";

export interface KeyRecord {
  id: string;
  key: string;
  revoked: Register<boolean>;
  /** Requests that passed, by window, and the windows in which one was refused. */
  passed: Map<string, number>;
  refused: Set<string>;
}

export interface ProjectRecord {
  name: string;
  id: string;
  archived: Register<boolean>;
}

export interface AccountRecord {
  id: string;
  keys: KeyRecord[];
  projects: ProjectRecord[];
  /** By name: of a create whose answer was lost nobody knows the id. */
  defaultProject: Register<string>;
  /** The most that any limits ever asked for allow. */
  capMax: number;
  projectsMax: number;
  burstMax: number;
  perMinuteMax: number;
  perDayMax: number;
}

export class Ledger {
  readonly accounts: AccountRecord[] = [];
  readonly codes = new Map<string, CodeRecord>();
  readonly codeCreates = new Map<string, CreateOutcome>();
  readonly projectCreates = new Map<string, CreateOutcome>();

  codesOf(accountId: string): CodeRecord[] {
    return [...this.codes.values()].filter((code) => code.accountId === accountId);
  }
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function includes<T>(values: readonly T[], value: T): boolean {
  return values.some((other) => same(other, value));
}

function show(value: unknown): string {
  return JSON.stringify(value);
}
