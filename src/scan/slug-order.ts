/**
 * The order in which counts are saved. A store keeps what it knows of links by slug: neighbours share its pages, while
 * links in the order of their scans would each have pages of their own written anew.
 *
 * The first letters of a slug are enough for that, so that one number holds them and the slot. They are put into groups by
 * the first two, where each group is sorted, and nobody waits for more than a slice of the work. All of it is in arrays of
 * numbers that are as long as they need be from the beginning: lists that grow would have memory collected meanwhile, and
 * others wait for that.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { linkSlotsMax } from "../link/link-table.ts";
import { highWord, type SlugKey } from "../link/slug.ts";

const slotsPerTurn = 1_024;
const groupCount = 2 ** 10;
const perLetters = linkSlotsMax + 1;
const perGroup = 2 ** 15 * perLetters;
const groupOf = (place: number) => Math.floor(place / perGroup);

/** The slots by the slugs they have now. Those of links that were let go meanwhile come too. */
export async function inSlugOrder(
  slots: readonly number[],
  keyAt: (slot: number) => SlugKey,
): Promise<Int32Array> {
  const { length } = slots;
  const places = new Float64Array(length);
  const grouped = new Float64Array(length);
  const ordered = new Int32Array(length);
  /** Behind the last of each group, and then where its first is. */
  const bounds = new Uint32Array(groupCount + 1);

  function place(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const slot = slots[at]!;
      places[at] = highWord(keyAt(slot)) * perLetters + slot;
      bounds[groupOf(places[at]!)]!++;
    }
  }

  function group(from: number, to: number): void {
    for (let at = from; at < to; at++) grouped[--bounds[groupOf(places[at]!)]!] = places[at]!;
  }

  function order(from: number, to: number): void {
    grouped.subarray(from, to).sort();
    for (let at = from; at < to; at++) ordered[at] = grouped[at]! % perLetters;
  }

  await inSlices(length, place);
  for (let each = 1; each <= groupCount; each++) bounds[each]! += bounds[each - 1]!;
  await inSlices(length, group);
  for (let each = 0, turnFrom = 0; each < groupCount; each++) {
    if (bounds[each]! - turnFrom >= slotsPerTurn) {
      turnFrom = bounds[each]!;
      await nextTurn();
    }
    order(bounds[each]!, bounds[each + 1]!);
  }
  return ordered;
}

/** A few slots wait for no turn. */
async function inSlices(length: number, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < length; from += slotsPerTurn) {
    if (from > 0) await nextTurn();
    work(from, Math.min(length, from + slotsPerTurn));
  }
}
