/** Two ends of a wire in memory: what one sends the other gets in the next turn, until a test cuts it. */
import type { Wire, WireListener } from "../../../src/cluster/bus/wire.ts";

export interface WireEnd extends Wire {
  /** What it sends from now on goes nowhere, and nobody is told. */
  isCut: boolean;
  /** What it sends from now on is not taken: it stays with it. */
  isStuck: boolean;
  readonly isClosed: boolean;
}

export function wirePair(): [WireEnd, WireEnd] {
  const one = end(() => other);
  const other: WireEnd & Inner = end(() => one);
  return [one, other];
}

interface Inner {
  arrived(bytes: Uint8Array): void;
  over(): void;
}

function end(opposite: () => Inner): WireEnd & Inner {
  let listener: WireListener | null = null;
  let unsent = 0;
  let isClosed = false;
  const waiting: Uint8Array[] = [];
  return {
    isCut: false,
    isStuck: false,
    get isClosed() {
      return isClosed;
    },
    get unsentBytes() {
      return unsent;
    },
    send(bytes) {
      if (isClosed || this.isCut) return;
      if (this.isStuck) unsent += bytes.length;
      else setImmediate(() => opposite().arrived(bytes));
    },
    close() {
      if (isClosed) return;
      this.over();
      if (!this.isCut) setImmediate(() => opposite().over());
    },
    listen(to) {
      listener = to;
      for (const bytes of waiting.splice(0)) to.got(bytes);
    },
    arrived(bytes) {
      if (isClosed) return;
      if (listener === null) waiting.push(bytes);
      else listener.got(bytes);
    },
    over() {
      if (isClosed) return;
      isClosed = true;
      listener?.closed();
    },
  };
}
