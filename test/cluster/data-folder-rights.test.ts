/** Nobody but its owner can read a data folder, also one that an earlier version made. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { keepToOwner } from "../../src/runtime/owner-only.ts";
import { startService } from "../../src/service/service.ts";
import { temporaryFolder } from "../support/endings.ts";
import { engineEnv } from "../support/engine.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;

/** Everything in the folder, and the folder. */
function walk(folder: string): string[] {
  return [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((at) => join(folder, at)),
  ];
}

function assertOwners(folder: string, names: readonly string[]): void {
  const found = walk(folder);
  for (const name of names) assert.ok(found.includes(join(folder, name)), `${name} is there`);
  for (const path of found) {
    const stat = statSync(path);
    if (stat.isDirectory()) assert.equal(modeOf(path), 0o700, path);
    else if (stat.isFile()) assert.equal(modeOf(path), 0o600, path);
  }
}

async function start(folder: string): Promise<{ log: string; stop(): Promise<void> }> {
  let log = "";
  const stream = {
    write(line: string) {
      log += line;
    },
  };
  const config = readConfig({ DATA_DIR: folder, PORT: "0", RENDER_THREADS: "1", ...engineEnv });
  const service = await startService(config, { log: pino({ level: "info" }, stream) });
  return { log, stop: () => service.stop() };
}

const parts = ["store", "store/data.mdb", "store/lock.mdb", "journal", "admin-token"];

test("what a start makes is its owner's, whatever the mask", async () => {
  const directory = temporaryFolder();
  const folder = join(directory, "data");
  const mask = process.umask(0);
  try {
    const service = await start(folder);
    assertOwners(folder, parts);
    assert.doesNotMatch(service.log, /other users/);
    await service.stop();
  } finally {
    process.umask(mask);
  }
});

test("a folder that was open to others is closed at the next start, which says so once", async () => {
  const directory = temporaryFolder();
  const folder = join(directory, "data");
  await (await start(folder)).stop();
  for (const path of walk(folder)) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
  const foreign = join(folder, "notes.txt");
  writeFileSync(foreign, "of the operator");
  chmodSync(foreign, 0o644);

  const second = await start(folder);
  const said = second.log.split("\n").filter((line) => line.includes("other users could read"));
  assert.equal(said.length, 1);
  const { closed } = JSON.parse(said[0]!) as { closed: string[] };
  for (const name of ["", ...parts]) assert.ok(closed.includes(join(folder, name)), name);
  assert.equal(modeOf(foreign), 0o644, "what is not the service's is left alone");
  chmodSync(foreign, 0o600);
  assertOwners(folder, parts);
  await second.stop();

  const third = await start(folder);
  assert.doesNotMatch(third.log, /other users/);
  await third.stop();
});

test("a folder that is shared on purpose is left as it is, and told", () => {
  const directory = temporaryFolder();
  const shared = join(directory, "shared");
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  assert.deepEqual(keepToOwner(shared), { closed: [], open: [shared] });
  assert.equal(statSync(shared).mode & 0o7777, 0o1777);
});

test("a part that lies elsewhere is closed where it lies", () => {
  const directory = temporaryFolder();
  const folder = join(directory, "data");
  const elsewhere = join(directory, "big-disk");
  mkdirSync(folder, { mode: 0o700 });
  mkdirSync(elsewhere, { mode: 0o755 });
  chmodSync(elsewhere, 0o755);
  writeFileSync(join(elsewhere, "data.mdb"), "");
  chmodSync(join(elsewhere, "data.mdb"), 0o664);
  symlinkSync(elsewhere, join(folder, "store"));
  keepToOwner(folder);
  assert.equal(modeOf(elsewhere), 0o700);
  assert.equal(modeOf(join(elsewhere, "data.mdb")), 0o600);
});
