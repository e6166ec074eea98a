/** A data folder with an account, its key, projects and codes, as a service finds it when it starts. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { AccountDoc, CodeDoc } from "../../src/domain/documents.ts";
import { assertDocument } from "../../src/schema/validators.ts";
import { openLmdbStore } from "../../src/store/lmdb/lmdb-store.ts";
import * as sample from "./sample-documents.ts";

export const seededKey = `api_live_${"k".repeat(32)}`;

export async function seedFolder(
  dataDir: string,
  codes: readonly CodeDoc[],
  account: Partial<AccountDoc> = {},
): Promise<void> {
  const store = await openLmdbStore({ path: join(dataDir, "store"), assertDocument });
  const hash = createHash("sha256").update(seededKey).digest("hex");
  const projects = new Set(codes.map(({ project_id }) => project_id));
  await store.commit([
    sample.putAccount(sample.sampleAccount({ active_codes: codes.length, ...account })),
    ...[...projects].map((id) => sample.putProject(sample.sampleProject({ id }))),
    sample.putKey(sample.sampleKey({ hash })),
    ...codes.map(sample.putCode),
  ]);
  await store.close();
}
