/**
 * A transaction that fails though nothing is wrong with it, and is therefore tried again.
 *
 * While the library writes its list of free pages down, it may need a page for that and look for one in the very list:
 * the leaf that holds it can be empty at that moment, and what is read there is whatever lies behind the page. Version
 * 3.5.6 does so in about one of ten processes, when the pages that were free at their start are used up. It sees in all
 * cases that were observed that this is no list, and aborts: nothing of the transaction is kept, and the next try finds
 * the list whole. What it sees differs, and so does the error.
 *
 * Rejected: telling it to load fewer pages of the list at a time, which is as often wrong.
 */
import { misreadTriesMax } from "../../limits.ts";

/** What a key of no list looks like: absent, of no length, or of a kind that the list does not have. */
const misreadCodes: ReadonlySet<unknown> = new Set([-30_798, -30_781, -30_782]);

/** `causeOf` finds out why a try failed. */
export async function despiteMisreads<T>(
  transact: () => Promise<T>,
  causeOf: (error: unknown) => Promise<unknown>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transact();
    } catch (error) {
      const cause = await causeOf(error);
      if (tries === misreadTriesMax || !isMisread(cause)) throw cause;
    }
  }
}

function isMisread(cause: unknown): boolean {
  return cause instanceof Error && misreadCodes.has((cause as { code?: unknown }).code);
}
