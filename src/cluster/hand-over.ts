/**
 * The hand-over: how an owner that is told to stop gives the accounts to another member, and no request is lost by it.
 *
 * One member is asked whether it will own next. Then the owner *leaves*: it answers what it has taken itself, has all
 * others hold what they would hand on, answers what they have handed on, and stores all that it decided. What it counted
 * is its own, whoever owns, and saved when nobody waits any more. What is used of rate windows it tells the next one, who
 * waits for the end of the second if it does not know. Last, it gives the lease back and tells. The lease then names those
 * who may still serve, for what is left of their right: links go on with them, and the next owner answers no change before
 * each of them has come over to it. Requests that the successor has taken itself are held like all others, and answered by
 * itself then.
 *
 * Whoever follows has nothing to hand over: it leaves and says so, or changes would wait for the end of its right.
 *
 * Without a successor, or when not everything could be stored, nobody serves any more when the lease is given back.
 *
 * Rejected: rights that end with the owner's. All links would stand still until the next owner can give new ones.
 */
import type { Lease } from "./lease.ts";

/** The other members, as one that leaves sees them. */
export interface Heirs {
  /** The name of one that will own next; null when there is none. */
  successor(): Promise<string | null>;
  /** Tells the next one how much is used of rate windows. It can do without. */
  bequeath(next: string): Promise<void>;
  /** Nobody gets any more time. Names those who may have some left. */
  letGo(): readonly string[];
  /** Told when the lease is given back. */
  handedOver(next: string): Promise<void>;
  /** Tells the owner that this process, which followed it, serves no more. */
  farewell(): Promise<void>;
}

export interface HandOver {
  lease: Pick<Lease, "state" | "release">;
  heirs: Heirs;
  /** Resolves when nothing is taken any more, and all that was taken is answered and what was decided is stored. */
  leave(): Promise<void>;
  /** Saves what was counted, which nobody has to wait for. */
  close(): Promise<void>;
}

/** Leaves, and gives the lease to a successor where there is one. Whoever calls gives it back otherwise. */
export async function handOver({ lease, heirs, leave, close }: HandOver): Promise<void> {
  const isOwner = () => lease.state() === "owner";
  try {
    const next = isOwner() ? await heirs.successor() : null;
    await leave();
    if (!isOwner()) await heirs.farewell();
    if (next === null || !isOwner()) return;
    await heirs.bequeath(next);
    await lease.release(heirs.letGo());
    await heirs.handedOver(next);
  } finally {
    await close();
  }
}
