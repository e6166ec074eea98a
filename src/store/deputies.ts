/**
 * Deputies: members that own a part of the accounts, by a number that the holder of the lease gave them.
 *
 * The number is made under the fence of who gives it, so whoever takes the lease from that one shuts out all its
 * deputies with it: those that it finds, and after that no more can come.
 */
import type { Count } from "../domain/documents.ts";
import type { Store } from "./store.ts";

export interface Deputies {
  /** A number for another member to own under. Refused when this process holds the lease no more. */
  appoint(): Promise<Count>;
  /** Afterwards nothing is written under that number, and nothing of it is under way. May be repeated. */
  dismiss(epoch: Count): Promise<void>;
}

/** A store that several members write at the same time. */
export interface SharedStore extends Store {
  readonly deputies: Deputies;
}
