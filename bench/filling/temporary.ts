/** Folders that must not outlive the bench, however it ends: a copied store is large. */
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder {
  path: string;
  remove(): Promise<void>;
}

const kept = new Set<string>();
process.on("exit", () => {
  for (const path of kept) rmSync(path, { recursive: true, force: true });
});

export async function temporaryFolder(purpose: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), `qrelay-bench-${purpose}-`));
  kept.add(path);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
      kept.delete(path);
    },
  };
}
