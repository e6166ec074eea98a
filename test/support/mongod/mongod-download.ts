/**
 * The last resort for a MongoDB to test with: the server that `mongodb-memory-server-core` downloads. Where its
 * origin cannot be reached that is found out in seconds, not at the end of many attempts.
 */
import { homedir } from "node:os";
import { join } from "node:path";
import { DryMongoBinary } from "mongodb-memory-server-core/lib/util/DryMongoBinary.js";
import { MongoBinary } from "mongodb-memory-server-core/lib/util/MongoBinary.js";
import { MongoBinaryDownloadUrl } from "mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js";

const version = "7.0.24";
const reachMsMax = 3_000;
const downloadDir = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
  "qrelay",
  "mongod-downloaded",
);

/** The program of an earlier download, or null. */
export async function downloadedMongod(): Promise<string | null> {
  const options = await DryMongoBinary.generateOptions({ version, downloadDir });
  return (await DryMongoBinary.locateBinary(options)) ?? null;
}

/** Null when it cannot be had; says why. */
export async function downloadMongod(say: (line: string) => void): Promise<string | null> {
  try {
    const { platform, arch, os } = await DryMongoBinary.generateOptions({ version, downloadDir });
    const url = await new MongoBinaryDownloadUrl({ version, platform, arch, os }).getDownloadUrl();
    const { ok, status } = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(reachMsMax) });
    if (!ok) throw new Error(`its origin answers ${status}`);
    say(`downloading MongoDB ${version} for the tests`);
    return await MongoBinary.getPath({ version, downloadDir, checkMD5: true });
  } catch (cause) {
    const { message, cause: reason } = cause as Error;
    say(`MongoDB cannot be downloaded: ${reason instanceof Error ? reason.message : message}`);
    return null;
  }
}
