/** What carries bytes between two members, in order: a connection, or whatever a simulation puts in its place. */
export interface Wire {
  send(bytes: Uint8Array): void;
  /** Handed over and not gone yet: what a peer does not read stays here. */
  readonly unsentBytes: number;
  /** Nothing is told any more, to either side but that it is over. */
  close(): void;
  /** To be called once, before anything else. */
  listen(listener: WireListener): void;
}

export interface WireListener {
  got(bytes: Uint8Array): void;
  /** Once, whoever closed it. Not at all where a peer vanishes without a word. */
  closed(): void;
}
