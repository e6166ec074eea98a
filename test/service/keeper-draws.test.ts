/** Pictures that wait in the store when a member begins to keep. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { sampleAccount, sampleCode, sampleProject, sampleRender } from "../fakes/sample-documents.ts";
import { MemoryCluster } from "../support/members/members.ts";

const waitMsMax = 20_000;

test("are drawn, however long its start takes from then on", async () => {
  const cluster = new MemoryCluster();
  const code = sampleCode({ slug: "qr-0123456789", render: sampleRender("pending") });
  cluster.documents.commit([
    { collection: "accounts", put: sampleAccount() },
    { collection: "projects", put: sampleProject() },
    { collection: "codes", put: code },
  ]);
  let isListed = false;
  // The list is there long before the member has begun to decide.
  cluster.before = (name) => {
    if (name === "pendingRenders") isListed = true;
    return name === "listAccounts" ? pause(100) : undefined;
  };
  await cluster.start({ QRELAY_BOOTSTRAP: "on" });
  const end = performance.now() + waitMsMax;
  while (cluster.documents.get("codes", code.id)?.render.status !== "done") {
    assert.ok(performance.now() < end, "it is not drawn");
    await pause(20);
  }
  assert.ok(isListed);
});
