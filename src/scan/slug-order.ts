/**
 * The order in which counts are saved. A store keeps what it knows of links by slug: neighbours share its pages, while
 * links in the order of their scans would each have pages of their own written anew.
 *
 * The first letters of a slug are enough for that, so that one number holds them and the slot. They are sorted in groups
 * by the first two, and nobody waits for more than a slice of the work.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { linkSlotsMax } from "../link/link-table.ts";
import { highWord, type SlugKey } from "../link/slug.ts";

const slotsPerTurn = 8_192;
const groupCount = 2 ** 10;
const belowGroup = 15;
const perLetters = linkSlotsMax + 1;

/** The slots by the slugs they have now. Those of links that were let go meanwhile come too. */
export async function inSlugOrder(
  slots: readonly number[],
  keyAt: (slot: number) => SlugKey,
): Promise<Int32Array> {
  const groups = Array.from({ length: groupCount }, (): number[] => []);
  for (const [at, slot] of slots.entries()) {
    if (at % slotsPerTurn === slotsPerTurn - 1) await nextTurn();
    const letters = highWord(keyAt(slot));
    groups[letters >>> belowGroup]!.push(letters * perLetters + slot);
  }
  const ordered = new Int32Array(slots.length);
  let length = 0;
  let thisTurn = 0;
  for (const group of groups) {
    for (const place of Float64Array.from(group).sort()) ordered[length++] = place % perLetters;
    thisTurn += group.length;
    if (thisTurn < slotsPerTurn) continue;
    thisTurn = 0;
    await nextTurn();
  }
  return ordered;
}
