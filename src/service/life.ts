/** A service that runs: what it tells of itself, what may happen to it, and what it shares with others. */
import type { LeaseRecord } from "../cluster/lease.ts";
import type { SharedStore } from "../store/deputies.ts";
import type { Ownership } from "../store/ownership.ts";

export interface Service {
  /** Where it listens. */
  address: string;
  /** Origin of the links that it makes; empty while this process stands by for another. */
  publicUrl: string;
  /** The key of the demo account and the link to its dashboard, when this start made it. */
  firstKey: string | null;
  firstLink: string | null;
  /** Empty while this process stands by for another. */
  adminToken: string;
  isOwner(): boolean;
  /** Lets requests in flight end, stores everything, and stops. */
  stop(): Promise<void>;
}

/** What may happen to a service after its start. */
export interface Fate {
  /** It was standing by and serves now, or the other way round. */
  roleChanged(service: Service): void;
  /** It could not take its new role. It has given the lease back and stopped. */
  failed(cause: unknown): void;
}

/** The database, as several processes see it. */
export interface SharedDatabase {
  lease: LeaseRecord;
  open(ownership: Ownership): Promise<SharedStore>;
  close(): Promise<void>;
}
