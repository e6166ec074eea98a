/**
 * What the rest of the service tells the scan path, and asks of it.
 *
 * `publish*` are called once a write is durable and before its answer leaves, so the next scan sees it. A link that
 * looked at the store for changes would see them later, and read for nothing most of the time.
 */
import type { AccountDoc, CodeDoc, ProjectDoc } from "../domain/documents.ts";
import type { AtOnce } from "../runtime/at-once.ts";
import type { LinkCount } from "../store/scan-parts.ts";
import { hasSchedule, linkFields } from "./link-fields.ts";
import type { LinkLoader, LinkLoaderOptions } from "./link-loader.ts";
import { flag } from "./link-table.ts";
import { noSlug, slugKey } from "./slug.ts";

export interface Links {
  publishCode(code: CodeDoc): void;
  publishProject(project: ProjectDoc): void;
  publishAccount(account: Pick<AccountDoc, "id" | "timezone">): void;
  /** Serve this link from the store again: what is loaded of it may not be the truth. Its count is kept. */
  forget(slug: string): void;
  /** Read the project again before a link of it is next served. */
  forgetProject(projectId: string): void;
  /** Read everything again before it is next served: anything may have changed without a word. Counts are kept. */
  forgetAll(): void;
  /** The live count of a loaded link, otherwise the stored one; the greater when it has to be loaded again. */
  scanCount(slug: string): AtOnce<number>;
}

export interface LinksParts extends Omit<LinkLoaderOptions, "loadsMax" | "onPressure"> {
  loader: LinkLoader;
  /** Whether others count scans of the same links: what they counted is read again then. */
  othersCount: boolean;
}

export function createLinks(parts: LinksParts): Links {
  const { store, table, projects, zones, unknown, loader, othersCount } = parts;

  function slotOf(slug: string): number {
    const key = slugKey(slug);
    return key === noSlug ? -1 : table.find(key);
  }

  function changed(slug: string): void {
    const key = slugKey(slug);
    if (key === noSlug) throw new Error(`"${slug}" is not a slug`);
    unknown.delete(key);
    loader.codeChanged(key);
  }

  /** The link may have been let go while the store was asked. */
  function knownOf(slug: string, stored: LinkCount): number {
    const slot = slotOf(slug);
    if (slot < 0) return stored.own + stored.others;
    table.raiseCount(slot, stored);
    return table.total(slot);
  }

  return {
    publishCode(code) {
      changed(code.slug);
      const slot = slotOf(code.slug);
      // A stale link is loaded again before it is next served: its count may be old as well.
      if (slot < 0 || (table.flags(slot) & flag.stale) !== 0) return;
      // So is this one, should anything go wrong here or something be missing.
      table.markStale(slot);
      // A limit is held against all scans: what others counted before they heard of it is in the store now.
      if (othersCount && code.scan_limit !== null) return;
      const project = projects.indexOf(code.project_id);
      const zone = hasSchedule(code) ? zones.get(code.account_id) : null;
      if (project >= 0 && zone !== undefined) table.describe(slot, project, linkFields(code), zone);
    },

    publishProject(project) {
      projects.setArchived(project.id, project.is_archived);
      loader.projectChanged(project.id);
    },

    publishAccount(account) {
      zones.change(account.id, account.timezone);
      loader.accountChanged(account.id);
    },

    forget(slug) {
      changed(slug);
      const slot = slotOf(slug);
      // It keeps its place: scans that are counted and wait for a sync find their target there.
      if (slot >= 0) table.markStale(slot);
    },

    forgetProject(projectId) {
      projects.setUncertain(projectId);
      loader.projectChanged(projectId);
    },

    forgetAll() {
      table.markAllStale();
      projects.setAllUncertain();
      zones.forgetAll();
      unknown.clear();
      loader.allChanged();
    },

    scanCount(slug) {
      const slot = slotOf(slug);
      if (slot < 0) return store.scanCount(slug);
      const isOld = othersCount || (table.flags(slot) & flag.stale) !== 0;
      return isOld ? store.countedBy(slug).then((stored) => knownOf(slug, stored)) : table.total(slot);
    },
  };
}
