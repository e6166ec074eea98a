/** A time zone shared by all loaded links of an account that have schedules. */
export interface Zone {
  timezone: string;
}

/**
 * The zones in use, by account: a change of an account's time zone reaches all its links at once.
 * A zone is kept alive by the links that hold it and by nothing else.
 */
export class Zones {
  readonly #zones = new Map<string, WeakRef<Zone>>();
  readonly #unused = new FinalizationRegistry<string>((accountId) => {
    if (this.get(accountId) === undefined) this.#zones.delete(accountId);
  });

  get(accountId: string): Zone | undefined {
    return this.#zones.get(accountId)?.deref();
  }

  set(accountId: string, timezone: string): Zone {
    const known = this.get(accountId);
    if (known !== undefined) {
      known.timezone = timezone;
      return known;
    }
    const zone = { timezone };
    this.#zones.set(accountId, new WeakRef(zone));
    this.#unused.register(zone, accountId);
    return zone;
  }
}
