import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { FolderInUse, takeDataFolder, UnusableFolder } from "../../src/cluster/data-folder.ts";
import { temporaryFolder } from "../support/endings.ts";
import { spawnService } from "../support/process.ts";

for (const [kind, name] of [
  ["a folder", "data"],
  ["a folder with a name longer than a socket may have", `${"long".repeat(30)}/data`],
]) {
  test(`${kind} is one holder's at a time, and free again when it is given back`, async () => {
    const directory = temporaryFolder();
    const folder = join(directory, name!);
    const giveBack = await takeDataFolder(folder);
    await assert.rejects(takeDataFolder(folder), FolderInUse);
    await giveBack();
    const again = await takeDataFolder(folder);
    await again();
  });
}

test("a folder that cannot be made ends the start with one line", async () => {
  for (const folder of ["/proc/nope", "/proc/no/where", "/dev/null/data"]) {
    await assert.rejects(takeDataFolder(folder), UnusableFolder);
  }
  const service = spawnService({ PORT: "0", DATA_DIR: "/proc/nope", LOG_LEVEL: "warn" });
  assert.equal((await service.exited).code, 1);
  assert.match(service.errors(), /^qrelay: the data folder \/proc\/nope cannot be made: [^\n]+\n$/);
});

test("what a killed holder left is no lock", async () => {
  const directory = temporaryFolder();
  const program = `
    import { takeDataFolder } from "./src/cluster/data-folder.ts";
    await takeDataFolder(${JSON.stringify(directory)});
    console.log("taken");
    setInterval(() => {}, 1_000);`;
  const holder = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  await assert.rejects(takeDataFolder(directory), FolderInUse);
  holder.kill("SIGSTOP");
  await assert.rejects(takeDataFolder(directory), FolderInUse, "a paused one still holds it");
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const starters = await Promise.allSettled(Array.from({ length: 8 }, () => takeDataFolder(directory)));
  const takers = starters.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  assert.equal(takers.length, 1, "of many that start at once one gets it");
  await takers[0]!();
});

test("a second service on the same folder says so and leaves the first alone", async () => {
  const directory = temporaryFolder();
  const env = { PORT: "0", DATA_DIR: directory, LOG_LEVEL: "warn" };
  const first = spawnService(env);
  const url = await first.ready();
  const second = spawnService(env);
  assert.equal((await second.exited).code, 1);
  assert.match(
    second.errors(),
    /^qrelay: .* is in use by another qrelay process; give each its own DATA_DIR\n$/m,
  );
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  first.child.kill("SIGTERM");
  assert.equal((await first.exited).code, 0);
});
