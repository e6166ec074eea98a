/**
 * Limited scans that other members took, decided and counted here, where the account is owned.
 *
 * A link that has no limit any more is not counted here: its scan is `undecided`, and whoever took it loads the link
 * again and counts by itself.
 */
import type { CountedVisitor } from "../analytics/visitor-word.ts";
import { leadsOn, type Verdict, verdict } from "../link/decision.ts";
import { flag } from "../link/link-table.ts";
import { noSlug, slugKey } from "../link/slug.ts";
import { decideNow, freshLink } from "./fresh-link.ts";
import type { LimitedScan } from "./limited-elsewhere.ts";
import type { Scans } from "./scans.ts";

export function countForOthers(scans: Scans, asked: readonly LimitedScan[]): Promise<Verdict[]> {
  return Promise.all(asked.map((scan) => countOne(scans, scan)));
}

async function countOne(scans: Scans, [slug, word, referer]: LimitedScan): Promise<Verdict> {
  const key = slugKey(slug);
  if (key === noSlug || scans.limitedHere === null) return verdict.notFound;
  const refused = await freshLink(scans, key);
  if (refused !== null) return refused;
  if (scans.mayServe?.() === false) return verdict.unavailable;
  const slot = scans.table.find(key);
  const decided = decideNow(scans, slot);
  if (!leadsOn(decided) && decided !== verdict.limitReached) return decided;
  if ((scans.table.flags(slot) & flag.limited) === 0) return verdict.undecided;
  return scans.limitedHere.count(key, visitorOf(word, referer));
}

/** Robots were told from people where the scan was taken. */
function visitorOf(word: number, referer: string): CountedVisitor {
  return { word: () => word, referer: () => referer, isRobot: () => false };
}
