/**
 * The time zones of accounts that have loaded links with schedules: one object an account, so that a change of its
 * zone reaches all these links at once. A zone is known as long as a link refers to it, by the same count as a
 * project; left to the garbage collector it would be known for a while longer, and nobody could say for how long.
 */
export interface AccountZone {
  readonly accountId: string;
  timezone: string;
  /** Links that refer to it. */
  links: number;
}

export class Zones {
  readonly #zones = new Map<string, AccountZone>();

  get size(): number {
    return this.#zones.size;
  }

  get(accountId: string): AccountZone | undefined {
    return this.#zones.get(accountId);
  }

  /** Follow with a `retain`. */
  add(accountId: string, timezone: string): AccountZone {
    const zone = { accountId, timezone, links: 0 };
    this.#zones.set(accountId, zone);
    return zone;
  }

  /** Nothing to do when no loaded link needs it. */
  change(accountId: string, timezone: string): void {
    const zone = this.#zones.get(accountId);
    if (zone !== undefined) zone.timezone = timezone;
  }

  /** None is certain any more. Links that still refer to one are to be loaded again before they are served. */
  forgetAll(): void {
    this.#zones.clear();
  }

  retain(zone: AccountZone): void {
    zone.links++;
  }

  release(zone: AccountZone): void {
    zone.links--;
    if (zone.links === 0 && this.#zones.get(zone.accountId) === zone) this.#zones.delete(zone.accountId);
  }
}
