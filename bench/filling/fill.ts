/**
 * Stores the links that benches need, once: a million take a minute, so the filled store is kept in the
 * system's folder for temporary files, under a name that changes with the sources that shape it.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Write } from "../../src/domain/documents.ts";
import { documentText } from "../../src/schema/texts.ts";
import { assertDocument } from "../../src/schema/validators.ts";
import { openLmdbStore } from "../../src/store/lmdb/lmdb-store.ts";
import type { Store } from "../../src/store/store.ts";
import type { Progress } from "../report/progress.ts";
import { type AccountId, accountDoc, accounts, codeDoc, keyDoc, projectDoc } from "./links.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary.ts";

export interface Filling {
  /** All links. The account `few` has 1,000 or a hundredth, `many` a tenth, `links` the rest. */
  links: number;
  /** As many links, right behind the first ones, have five rules. */
  withRules: number;
}

/** Few enough for one transaction of MongoDB. */
const batchCodes = 1_000;
const unfinishedPrefix = "unfinished-";
const abandonedAfterMs = 60 * 60 * 1_000;
const folder = join(tmpdir(), "qrelay-bench");

/** What the stored bytes depend on. */
const shapingSources = [
  "links.ts",
  "fill.ts",
  "../../src/domain/documents.ts",
  "../../src/schema/texts.ts",
  "../../src/store/document-version.ts",
  "../../src/store/lmdb/documents.ts",
  "../../src/store/lmdb/environment.ts",
  "../../src/store/lmdb/lmdb-index.ts",
];

/** The folder of a store filled like this. */
export async function filledStore(filling: Filling, progress: Progress): Promise<string> {
  const size = `${filling.links}-${filling.withRules}-`;
  const path = join(folder, size + (await sourcesVersion()));
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  await removeOutdated(size);
  const unfinished = await mkdtemp(join(folder, `${unfinishedPrefix}${size}`));
  try {
    const store = await openLmdbStore({ path: unfinished, assertDocument, documentText });
    try {
      await fill(store, filling, progress);
    } finally {
      await store.close();
    }
    if (!existsSync(path)) await rename(unfinished, path);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return path;
}

export function ownerOf(number: number, links: number): AccountId {
  if (number >= links - fewLinks(links)) return accounts.few;
  return number >= links - fewLinks(links) - manyLinks(links) ? accounts.many : accounts.links;
}

export type StoreUse = "shared" | "copied";

/**
 * A data folder for one server. It shares the kept store when the bench only scans, so that its journal is
 * its own; what writes more than counts gets a copy.
 */
export async function dataFolder(store: string, use: StoreUse): Promise<TemporaryFolder> {
  const data = await temporaryFolder("run");
  const path = join(data.path, "store");
  if (use === "shared") await symlink(store, path, "dir");
  else await cp(store, path, { recursive: true });
  return data;
}

export async function fill(store: Store, { links, withRules }: Filling, progress: Progress): Promise<void> {
  const counts: Record<AccountId, number> = {
    [accounts.few]: fewLinks(links),
    [accounts.many]: manyLinks(links),
    [accounts.links]: links - fewLinks(links) - manyLinks(links),
  };
  await store.commit(
    Object.values(accounts).flatMap((account): Write[] => [
      { collection: "accounts", put: accountDoc(account, counts[account]) },
      { collection: "projects", put: projectDoc(account) },
      { collection: "keys", put: keyDoc(account) },
    ]),
  );
  progress.begin("storing links", Math.ceil(links / batchCodes));
  for (let from = 0; from < links; from += batchCodes) {
    const codes = Array.from({ length: Math.min(batchCodes, links - from) }, (_, at) => from + at);
    await store.commit(
      codes.map((number) => {
        const hasRules = number >= withRules && number < 2 * withRules;
        return { collection: "codes", put: codeDoc(number, ownerOf(number, links), hasRules) };
      }),
    );
    progress.step(`${Math.min(from + batchCodes, links).toLocaleString("en-US")} links`);
  }
  progress.end();
}

function fewLinks(links: number): number {
  return Math.min(1_000, Math.floor(links / 100));
}

function manyLinks(links: number): number {
  return Math.floor(links / 10);
}

async function sourcesVersion(): Promise<string> {
  const hash = createHash("sha256");
  for (const source of shapingSources) {
    hash.update(await readFile(fileURLToPath(new URL(source, import.meta.url))));
  }
  return hash.digest("hex").slice(0, 12);
}

/** A gigabyte or two that nothing will read again; what another process may be filling now is left alone. */
async function removeOutdated(size: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const isAbandoned =
      name.startsWith(unfinishedPrefix) && Date.now() - (await stat(path)).mtimeMs > abandonedAfterMs;
    if (isAbandoned || name.startsWith(size)) await rm(path, { recursive: true, force: true });
  }
}
