import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function adminTokenPath(dataDir: string): string {
  return join(dataDir, "admin-token");
}

/** The token kept in the data folder, made on the first start and readable by its owner only. */
export function keptAdminToken(dataDir: string): string {
  const path = adminTokenPath(dataDir);
  if (existsSync(path)) return readFileSync(path, "utf8").trim();
  mkdirSync(dataDir, { recursive: true });
  const token = `admin_${randomBytes(24).toString("base64url")}`;
  writeFileSync(path, `${token}\n`, { mode: 0o600 });
  return token;
}
