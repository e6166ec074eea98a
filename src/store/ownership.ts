/** Who may write: the one thing the store asks about other processes on the same database. */
export interface Ownership {
  /** The number under which this process owns the accounts; null while it does not. Rises with every owner. */
  epoch(): number | null;
  /** The store found a later epoch: another process owns the accounts now. */
  lost(): void;
}
