/**
 * Brings cold links from the store into the link table, each once however many ask.
 *
 * A load reads the code, its project, its count and, for schedules, the account's time zone. That takes
 * time, in which any of them may be written. Whoever writes publishes as soon as the write is durable, and a
 * publication that meets a load under way marks it stale, so that it reads again. A link therefore never
 * enters the table with anything older than what was last published.
 */
import type { CodeDoc } from "../domain/documents.ts";
import { readsPerLoadMax } from "../limits.ts";
import { type Store, StoreUnavailable } from "../store/store.ts";
import { hasSchedule, linkFields } from "./link-fields.ts";
import type { LinkTable } from "./link-table.ts";
import type { ProjectStates } from "./project-states.ts";
import { type SlugKey, slugOfKey } from "./slug.ts";
import type { UnknownSlugs } from "./unknown-slugs.ts";
import type { Zones } from "./zones.ts";

interface Load {
  readonly key: SlugKey;
  stale: boolean;
  projectId: string | null;
  accountId: string | null;
  result: Promise<boolean>;
}

export interface LinkLoaderOptions {
  store: Store;
  table: LinkTable;
  projects: ProjectStates;
  zones: Zones;
  unknown: UnknownSlugs;
  loadsMax: number;
  /** The table is full of links whose counts are not saved. */
  onPressure(): void;
}

export type LinkLoader = ReturnType<typeof linkLoader>;

export function linkLoader(options: LinkLoaderOptions) {
  const { store, table, projects, zones, unknown, loadsMax, onPressure } = options;
  const loads = new Map<SlugKey, Load>();

  async function run(load: Load): Promise<boolean> {
    const slug = slugOfKey(load.key);
    for (let attempt = 0; attempt < readsPerLoadMax; attempt++) {
      load.stale = false;
      load.projectId = null;
      load.accountId = null;
      const code = await store.codeBySlug(slug);
      if (code === null) {
        if (load.stale) continue;
        unknown.add(load.key);
        return false;
      }
      if (await install(load, code)) return true;
    }
    throw new StoreUnavailable("The link changes faster than it can be read.");
  }

  /** False when something changed while it was read. */
  async function install(load: Load, code: CodeDoc): Promise<boolean> {
    load.projectId = code.project_id;
    load.accountId = code.account_id;
    const scheduled = hasSchedule(code);
    const [project, account, counted] = await Promise.all([
      projects.isKnown(code.project_id) ? null : store.get("projects", code.project_id),
      scheduled && zones.get(code.account_id) === undefined ? store.get("accounts", code.account_id) : null,
      store.countedBy(code.slug),
    ]);
    if (load.stale) return false;

    const fields = linkFields(code);
    let slot = table.find(load.key);
    const fresh = slot < 0;
    if (fresh) {
      slot = table.insert(load.key);
      if (slot < 0) {
        onPressure();
        throw new StoreUnavailable("Too many links have counts that are not saved.");
      }
    }
    table.raiseCount(slot, counted);
    // Only now: the insert may have evicted the last other link of the project or the account, and these with it.
    const lacksProject = !projects.isKnown(code.project_id);
    const lacksZone = scheduled && zones.get(code.account_id) === undefined;
    if ((lacksProject && project === null) || (lacksZone && account === null)) {
      if (fresh) table.remove(slot);
      return false;
    }
    const index = lacksProject
      ? projects.add(code.project_id, code.account_id, project!.is_archived)
      : projects.indexOf(code.project_id);
    if (lacksZone) zones.add(code.account_id, account!.timezone);
    table.describe(slot, index, fields, scheduled ? zones.get(code.account_id) : null);
    return true;
  }

  function changed(isMeant: (load: Load) => boolean): void {
    for (const load of loads.values()) if (isMeant(load)) load.stale = true;
  }

  return {
    get underWay(): number {
      return loads.size;
    },

    /** True when the link is in the table now, false when there is no such code; rejects when the store is away. */
    load(key: SlugKey): Promise<boolean> {
      const underWay = loads.get(key);
      if (underWay !== undefined) return underWay.result;
      if (loads.size >= loadsMax) {
        return Promise.reject(new StoreUnavailable("Too many links are being loaded."));
      }
      const load: Load = { key, stale: false, projectId: null, accountId: null, result: never };
      loads.set(key, load);
      load.result = run(load).finally(() => loads.delete(key));
      return load.result;
    },

    codeChanged(key: SlugKey): void {
      const load = loads.get(key);
      if (load !== undefined) load.stale = true;
    },
    projectChanged: (id: string) => changed(({ projectId }) => projectId === id),
    accountChanged: (id: string) => changed(({ accountId }) => accountId === id),
    allChanged: () => changed(() => true),
  };
}

/** Stands in until the load is under way; nobody can see it, since both happen in one step. */
const never: Promise<boolean> = new Promise(() => {});
