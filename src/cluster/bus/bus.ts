/**
 * The bus: this process' talks with other members, at most one with each.
 *
 * It accepts whoever proves to be a member, and keeps up a connection to those that it is told to seek, dialling again
 * after pauses that grow. Of two talks with one member the younger stands: a member that dials again has given up the
 * other, whether or not this side has noticed.
 */
import { busDialsMax, busGreetingsMax, busRedialMsMax, busRedialMsMin } from "../../limits.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";
import type { Side } from "./proof.ts";
import { Talk, type TalkOptions } from "./talk.ts";
import type { Wire } from "./wire.ts";

/** What connects members: TCP, or a simulation. */
export interface BusNetwork {
  accept(accepted: (wire: Wire) => void): void;
  /** Rejects soon when nobody is there. */
  dial(address: string): Promise<Wire>;
  /** Takes no further connections. */
  close(): void;
}

export interface BusListener extends Pick<TalkOptions, "answerers" | "beat"> {
  opened(talk: Talk): void;
  /** Of one that was opened. */
  closed(talk: Talk, reason: string): void;
}

export interface BusOptions {
  network: BusNetwork;
  /** Of this process; differs from every other's. */
  name: string;
  secret: Uint8Array;
  clock: Clock;
  random: Random;
  listener: BusListener;
  log: { info(detail: object, message: string): void };
}

/** An address to which a connection is kept up. */
interface Sought {
  readonly address: string;
  talk: Talk | null;
  failures: number;
  /** Why it was not understood, as the log has it already. */
  told: string | null;
  cancel(): void;
}

export class Bus {
  readonly #options: BusOptions;
  readonly #talks = new Map<string, Talk>();
  readonly #greeting = new Set<Talk>();
  readonly #sought = new Map<string, Sought>();
  #isClosed = false;

  constructor(options: BusOptions) {
    this.#options = options;
    options.network.accept((wire) => {
      if (this.#isClosed || this.#greeting.size >= busGreetingsMax) wire.close();
      else this.#begin(wire, "accepted", () => {});
    });
  }

  /** Those that are open. */
  get talks(): Iterable<Talk> {
    return this.#talks.values();
  }

  /** How many are open. */
  get size(): number {
    return this.#talks.size;
  }

  with(name: string): Talk | null {
    return this.#talks.get(name) ?? null;
  }

  /** From now on a connection is kept up to these addresses, and to no others that this process dialled. */
  seek(addresses: readonly string[]): void {
    const wanted = new Set(addresses.slice(0, busDialsMax));
    for (const [address, sought] of this.#sought) if (!wanted.has(address)) this.#giveUp(sought);
    for (const address of wanted) {
      if (this.#sought.has(address) || this.#isClosed) continue;
      const sought: Sought = { address, talk: null, failures: 0, told: null, cancel() {} };
      this.#sought.set(address, sought);
      void this.#dial(sought);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.seek([]);
    for (const talk of [...this.#talks.values(), ...this.#greeting]) talk.close("this process stops");
    this.#options.network.close();
  }

  #giveUp(sought: Sought): void {
    this.#sought.delete(sought.address);
    sought.cancel();
    sought.talk?.close("it is not needed any more");
  }

  #isSought(sought: Sought): boolean {
    return this.#sought.get(sought.address) === sought;
  }

  async #dial(sought: Sought): Promise<void> {
    let wire: Wire;
    try {
      wire = await this.#options.network.dial(sought.address);
    } catch {
      this.#dialLater(sought);
      return;
    }
    if (!this.#isSought(sought)) wire.close();
    else
      sought.talk = this.#begin(
        wire,
        "dialled",
        (reason, isOpened) => {
          if (!isOpened) this.#tellOnce(sought, reason);
          this.#dialLater(sought);
        },
        () => {
          sought.failures = 0;
          sought.told = null;
        },
      );
  }

  #tellOnce(sought: Sought, reason: string): void {
    if (sought.told === reason || !this.#isSought(sought)) return;
    sought.told = reason;
    this.#options.log.info({ address: sought.address, reason }, "not connected with a member");
  }

  #dialLater(sought: Sought): void {
    sought.talk = null;
    if (!this.#isSought(sought)) return;
    const longest = Math.min(busRedialMsMin * 2 ** sought.failures++, busRedialMsMax);
    // By chance, so that all who lost a member do not come back at the same moment.
    const ms = Math.round(longest * (0.5 + this.#options.random(1)[0]! / 512));
    sought.cancel = this.#options.clock.after(ms, () => void this.#dial(sought));
  }

  #begin(
    wire: Wire,
    side: Side,
    ended: (reason: string, wasOpened: boolean) => void,
    greeted: () => void = () => {},
  ): Talk {
    const { name, secret, clock, random, listener, log } = this.#options;
    let isOpened = false;
    const talk = new Talk({
      ...{ wire, side, name, secret, clock, random },
      answerers: listener.answerers,
      beat: listener.beat,
      opened: (opened) => {
        isOpened = true;
        this.#greeting.delete(opened);
        this.#talks.get(opened.peer)?.close("there is a younger connection");
        this.#talks.set(opened.peer, opened);
        greeted();
        log.info({ member: opened.peer }, "connected with a member");
        listener.opened(opened);
      },
      closed: (closed, reason) => {
        this.#greeting.delete(closed);
        if (isOpened) {
          if (this.#talks.get(closed.peer) === closed) this.#talks.delete(closed.peer);
          log.info({ member: closed.peer, reason }, "no longer connected with a member");
          listener.closed(closed, reason);
        }
        ended(reason, isOpened);
      },
    });
    this.#greeting.add(talk);
    return talk;
  }
}
