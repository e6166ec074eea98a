/** What clients see of a world, and what it is held against. */
import type { Method } from "../../src/http/access.ts";
import type { Scans } from "../../src/scan/scans.ts";
import type { Ledger } from "./checks/ledger.ts";
import type { Faults } from "./faults.ts";
import type { Answer, Lost, Request } from "./machine/door.ts";
import type { Settings } from "./machine/process.ts";
import type { ScanAnswer } from "./machine/scan-socket.ts";
import type { Seeded } from "./seeded-random.ts";
import type { SimulatedStore } from "./simulated-store.ts";
import type { VirtualLoop } from "./virtual-loop.ts";

/** A process that takes scans. */
export interface LinkServer {
  scan(
    method: "GET" | "HEAD",
    slug: string,
    leaveAfterMs: number | null,
    onAnswer: (answer: ScanAnswer) => void,
  ): Promise<ScanAnswer | Lost>;
  readonly parts: { readonly scans: Pick<Scans, "health"> };
}

export interface Scene {
  readonly random: Seeded;
  readonly loop: VirtualLoop;
  readonly store: SimulatedStore;
  readonly faults: Faults;
  readonly settings: Settings;
  readonly ledger: Ledger;
  /** Whoever takes the next scan; null while nobody does. */
  readonly process: LinkServer | null;
  scans: number;
  trace(line: string): void;
  call(method: Method, path: string, request: Request): Promise<Answer | Lost>;
}
