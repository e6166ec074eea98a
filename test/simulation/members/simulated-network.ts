/**
 * The network between members. A connection keeps the order of its bytes and delays them as it likes; those of different
 * connections overtake each other. A member can be cut off in either direction, and then nobody is told: what is sent is
 * lost, and with it all that would have followed on that connection. Who dies is noticed by its peers, or not.
 */
import type { BusNetwork } from "../../../src/cluster/bus/bus.ts";
import type { Wire, WireListener } from "../../../src/cluster/bus/wire.ts";
import type { Gate } from "../gate.ts";
import type { Seeded } from "../seeded-random.ts";
import type { VirtualLoop } from "../virtual-loop.ts";
import type { Cut } from "./member.ts";

/** What the network sees of a member. */
export interface Station {
  readonly isAlive: boolean;
  readonly busCut: Cut;
  readonly gate: Gate;
}

export class SimulatedNetwork {
  readonly #loop: VirtualLoop;
  readonly #random: Seeded;
  readonly #isQuick: boolean;
  readonly #stations = new Map<string, { station: Station; accept(wire: Wire): void }>();

  constructor(loop: VirtualLoop, random: Seeded, isQuick: boolean) {
    this.#loop = loop;
    this.#random = random;
    this.#isQuick = isQuick;
  }

  openFor(station: Station, address: string): BusNetwork {
    return {
      accept: (accepted) => void this.#stations.set(address, { station, accept: accepted }),
      dial: async (to) => {
        await this.#loop.sleep(this.wayMs());
        const other = this.#stations.get(to);
        const isThere =
          other?.station.isAlive && passes(station, other.station) && passes(other.station, station);
        if (!isThere) {
          await this.#loop.sleep(this.#random.between(1, 1_000));
          return this.#answered(station, () => Promise.reject(new Error("nobody is there")));
        }
        const [near, far] = this.#connect(station, other.station);
        other.station.gate.run("request", () => other.accept(far));
        return this.#answered(station, () => Promise.resolve(near));
      },
      close: () => void this.#stations.delete(address),
    };
  }

  wayMs(): number {
    return !this.#isQuick && this.#random.chance(0.03) ? this.#random.between(0, 900) : this.#random.below(4);
  }

  /** In the process that asked, should it be paused. */
  #answered<T>(station: Station, answer: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      station.gate.run("answer", () => void answer().then(resolve, reject));
    });
  }

  #connect(one: Station, two: Station): [Wire, Wire] {
    const ends: [End, End] = [new End(one), new End(two)];
    ends[0].opposite = ends[1];
    ends[1].opposite = ends[0];
    ends[0].to = this.#way(one, ends[1]);
    ends[1].to = this.#way(two, ends[0]);
    return ends;
  }

  /** From this one to that end, in order. */
  #way(from: Station, end: End): (deliver: () => void) => void {
    let last = 0;
    let isLost = false;
    return (deliver) => {
      isLost ||= !passes(from, end.station);
      if (isLost) return;
      const at = Math.max(last, this.#loop.now() + this.wayMs());
      last = at;
      this.#loop.after(at - this.#loop.now(), () => {
        isLost ||= !passes(from, end.station);
        if (!isLost && end.station.isAlive) end.station.gate.run("answer", deliver);
      });
    };
  }

  /** Whatever is between breaks all its connections; new ones can be made at once. */
  broken(station: Station): void {
    for (const end of End.of(station)) end.close();
  }

  /** Its connections end with the process, as its system sees to; or the whole machine is gone, and nobody hears of it. */
  died(station: Station): void {
    if (this.#random.chance(0.5)) return;
    for (const end of End.of(station)) end.reset();
  }
}

function passes(from: Station, to: Station): boolean {
  return from.busCut !== "nothing gets out" && to.busCut !== "nothing gets in";
}

class End implements Wire {
  static readonly #all = new WeakMap<Station, Set<End>>();
  readonly station: Station;
  readonly unsentBytes = 0;
  to: (deliver: () => void) => void = () => {};
  #opposite: End | null = null;
  #listener: WireListener | null = null;
  #isClosed = false;

  static of(station: Station): Set<End> {
    const ends = End.#all.get(station) ?? new Set();
    End.#all.set(station, ends);
    return ends;
  }

  constructor(station: Station) {
    this.station = station;
    End.of(station).add(this);
  }

  set opposite(end: End) {
    this.#opposite = end;
  }

  send(bytes: Uint8Array): void {
    if (this.#isClosed || !this.station.isAlive) return;
    this.to(() => this.#opposite!.#got(bytes));
  }

  close(): void {
    if (this.#isClosed || !this.station.isAlive) return;
    this.reset();
    this.#over();
  }

  /** The other end hears that it is over. */
  reset(): void {
    this.to(() => this.#opposite!.#over());
  }

  listen(listener: WireListener): void {
    this.#listener = listener;
  }

  #got(bytes: Uint8Array): void {
    if (!this.#isClosed) this.#listener?.got(bytes);
  }

  #over(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    End.of(this.station).delete(this);
    this.#listener?.closed();
  }
}
