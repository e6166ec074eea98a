/** What every kind of request needs: who asks, by which chance, what is known, who judges. */
import type { Dice } from "../../../test/support/dice.ts";
import type { Code, Ledger } from "../ledger.ts";
import type { Judge } from "./judge.ts";

export interface Account {
  id: string;
  key: string;
}

export interface World {
  chance: Dice;
  ledger: Ledger;
  judge: Judge;
  accounts: readonly Account[];
  adminToken: string;
}

/** Sends one request, or a few that belong together, and holds the answers against the ledger. */
export type Call = (world: World) => Promise<void>;

export function keyHeader(world: World, account: number): Record<string, string> {
  return { "x-api-key": world.accounts[account]!.key };
}

export function about(code: Code): string {
  const { number, id, kind, settled, proposed, sent, answered, limit } = code;
  return `code ${JSON.stringify({ number, id, kind, settled, proposed, sent, answered, limit })}`;
}
