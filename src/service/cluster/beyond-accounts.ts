/** What concerns no single account: asked of the keeper, and by that one of all. */
import type { Questions } from "../../cluster/bus/messages.ts";
import { Unanswered } from "../../cluster/bus/talk.ts";
import type { Deputyship } from "../../cluster/sharing/deputyship.ts";
import type { Keeper } from "../../cluster/sharing/keeper.ts";
import { noOwner } from "../../door/forwarding.ts";
import type { RescanResult } from "../../safety/rescan.ts";
import type { Deciding, DecidingParts } from "./deciding.ts";

export interface BeyondAccountsParts {
  deciding: Deciding;
  deputyship: Deputyship;
  /** Of this process while it keeps. */
  keeper(): Keeper | null;
}

export class BeyondAccounts {
  readonly #parts: BeyondAccountsParts;

  constructor(parts: BeyondAccountsParts) {
    this.#parts = parts;
  }

  /** Every member looks at the codes of its accounts, and meanwhile none of them changes hands. */
  async rescan(): Promise<RescanResult> {
    const { deciding, deputyship } = this.#parts;
    const keeper = this.#parts.keeper();
    if (keeper !== null && deciding.parts !== null) {
      const { rescan } = deciding.parts;
      return keeper.still(async () => {
        const others = keeper.talks.map(async (talk) => (await talk.ask("rescan", {})).said);
        return sumOf(await Promise.all([rescan(), ...others]));
      });
    }
    const { talk } = deputyship;
    if (talk === null) throw noOwner();
    return (await talk.ask("rescan", {})).said;
  }

  /** Asked of the keeper, by a deputy: what it answers is under way while it lets go of nothing. */
  takeOfSession(id: string): Promise<{ refused: string | null; retryAfter: number }> {
    return this.#askKeeper("session", { id });
  }

  async movesOf(of: readonly string[], here: DecidingParts["movesOf"]): Promise<number> {
    return this.#parts.deputyship.talk === null ? here(of) : (await this.#askKeeper("moves", { of })).moves;
  }

  async #askKeeper<K extends "session" | "moves">(
    kind: K,
    asked: Questions[K]["asked"],
  ): Promise<Questions[K]["answered"]> {
    const { talk } = this.#parts.deputyship;
    if (talk === null) throw noOwner();
    try {
      return (await talk.ask(kind, asked)).said;
    } catch (cause) {
      throw cause instanceof Unanswered ? noOwner() : cause;
    }
  }
}

function sumOf(results: readonly RescanResult[]): RescanResult {
  const sum = { checked: 0, blocked: 0, unblocked: 0 };
  for (const { checked, blocked, unblocked } of results) {
    sum.checked += checked;
    sum.blocked += blocked;
    sum.unblocked += unblocked;
  }
  return sum;
}
