/** A MongoDB that wants a password gets the one in the URL, and nobody else gets to see it. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { MongoClient } from "mongodb";
import { temporaryFolder } from "../../support/endings.ts";
import { noMongod, startReplicaSet } from "../../support/mongod/mongod.ts";
import { type ServiceProcess, spawnService } from "../../support/process.ts";

const password = "p@ss:w/rd%";
const spelled = encodeURIComponent(password);
const folder = temporaryFolder();
const keyFile = join(folder, "key");
const clusterKey = randomBytes(96).toString("base64");
await writeFile(keyFile, clusterKey, { mode: 0o400 });
const set = await startReplicaSet(1, (path) => ["--auth", "--keyFile", path(keyFile)]);
const started: ServiceProcess[] = [];

after(() => set?.stop());

function startWith(credentials: string): ServiceProcess {
  const url = set!.url
    .replace("mongodb://", `mongodb://${credentials}`)
    .replace("/?", "/qrelay?authSource=admin&");
  const service = spawnService({
    PORT: "0",
    DATA_DIR: join(folder, String(started.length)),
    MONGODB_URL: url,
    LOG_LEVEL: "trace",
  });
  started.push(service);
  return service;
}

/** On a busy machine MongoDB may not answer a start in time, whoever asks. */
const isSlow = /selection timed out|did not answer/;
const triesMax = 10;

test("credentials of the URL", { skip: set ? false : noMongod, timeout: 180_000 }, async () => {
  const member = `127.0.0.1:${set!.members[0]!.port}`;
  const first = new MongoClient(
    `mongodb://__system:${encodeURIComponent(clusterKey)}@${member}/?authSource=local&directConnection=true`,
  );
  await first.db("admin").command({
    createUser: "qrelay",
    pwd: password,
    roles: [{ role: "readWrite", db: "qrelay" }],
  });
  await first.close();

  for (const wrong of ["", "qrelay:wrong@", `nobody:${spelled}@`]) {
    let said = "";
    for (let tries = 0; tries < triesMax && (said === "" || isSlow.test(said)); tries++) {
      const service = startWith(wrong);
      assert.equal((await service.exited).code, 1);
      said = service.errors();
      assert.doesNotMatch(said + service.output(), /wrong|p@ss|p%40ss/);
    }
    assert.match(said, /^qrelay: MongoDB failed: .*(auth|Auth)[^\n]*\n$/);
  }

  const service = startWith(`qrelay:${spelled}@`);
  const url = await service.ready();
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  const key = /qr_live_\w+|x-api-key: (\S+?)["']/.exec(service.output());
  assert.ok(key, "it made the demo account");
  service.child.kill("SIGTERM");
  assert.equal((await service.exited).code, 0);
  for (const secret of [password, spelled]) {
    assert.ok(!(service.errors() + service.output()).includes(secret), "the password is in no log");
  }
});
