/** Who may write, and who may answer from memory: what is asked about other processes on the same database. */
export interface Ownership {
  /** The number under which this process owns the accounts; null while it does not. Another one every time it comes to own. */
  epoch(): number | null;
  /** The number under which it counts scans, which takes no ownership; null when it counts none. May be the same. */
  member(): number | null;
  /** Whether the epoch was given by another member, that holds the lease: see `deputies.ts`. */
  isDeputy?(): boolean;
  /** The store found a later epoch: another process owns the accounts now. */
  lost(): void;
  /**
   * Whether no other process can have answered anything yet. Asked after a request has come: true then means that
   * what is in memory was still the truth when it came.
   */
  mayServe(): boolean;
}
