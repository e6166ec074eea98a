/** Where Debian's Chromium is; playwright-core wants the whole path. */
import { existsSync } from "node:fs";
import { join } from "node:path";

export function chromiumPath(): string {
  const folders = (process.env.PATH ?? "").split(":");
  const found = folders.map((folder) => join(folder, "chromium")).find((file) => existsSync(file));
  if (found === undefined) throw new Error("no chromium on the PATH");
  return found;
}
