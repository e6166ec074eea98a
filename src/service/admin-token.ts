import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownerFileMode, ownerFolderMode } from "../runtime/owner-only.ts";

export function adminTokenPath(dataDir: string): string {
  return join(dataDir, "admin-token");
}

/** The token kept in the data folder, made on the first start and readable by its owner only. */
export function keptAdminToken(dataDir: string): string {
  const path = adminTokenPath(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: ownerFolderMode });
  const kept = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  const token = kept || `admin_${randomBytes(24).toString("base64url")}`;
  if (kept === "") writeFileSync(path, `${token}\n`, { mode: ownerFileMode });
  chmodSync(path, ownerFileMode);
  return token;
}
