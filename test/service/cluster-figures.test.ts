/** What members tell of the cluster that they are in, against what was really sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { metricsKeptMs, partitionsMax, rightMs } from "../../src/limits.ts";
import type { Service } from "../../src/service/shared.ts";
import { parseExposition, sampleValue } from "../metrics/metrics-format.ts";
import { Client } from "../support/client.ts";
import { adminToken } from "../support/members/members.ts";
import { scan, threeMembers, until } from "../support/members/three-members.ts";
import { startServer } from "../support/server.ts";

/** Taken after everything that came before. */
async function figuresOf(member: Service) {
  await pause(metricsKeptMs + 50);
  const client = new Client(member.address, { authorization: `Bearer ${adminToken}` });
  return parseExposition((await client.get("/metrics", 200)).text);
}

const requests = { kind: "request", outcome: "answered" };
const batches = { kind: "limited_scans", outcome: "answered" };

test("members count those that they speak with, what they own and what they hand on", async () => {
  const { owner, followers, members, apis } = await threeMembers();
  const follower = followers[1]!;
  const before = await figuresOf(follower);
  const code = await apis[2]!.createRendered({ scan_limit: 3 });
  const read = 5;
  for (let n = 0; n < read; n++) await apis[2]!.get(`/v1/qr-codes/${code.qr_id}`, 200);
  assert.equal((await scan(follower, code.slug)).status, 302);
  const after = await figuresOf(follower);
  const added = (name: string, labels: Record<string, string>) =>
    sampleValue(after, name, labels) - sampleValue(before, name, labels);
  const handedOn = added("qrelay_cluster_forwarded_total", requests);
  assert.ok(handedOn >= 1 + read, "the create, reads until it is drawn, and these");
  assert.equal(added("qrelay_cluster_forwarded_seconds_count", { kind: "request" }), handedOn);
  assert.equal(added("qrelay_cluster_forwarded_total", batches), 1);
  assert.equal(
    sampleValue(after, "qrelay_cluster_forwarded_total", { ...requests, outcome: "unanswered" }),
    0,
  );
  assert.equal(sampleValue(after, "qrelay_cluster_members"), 2, "itself and the owner");
  const shares = [sampleValue(after, "qrelay_cluster_partitions_owned")];
  const left = sampleValue(after, "qrelay_cluster_right_left_seconds");
  assert.ok(left > 0 && left <= rightMs / 1000, String(left));
  assert.equal(sampleValue(after, "qrelay_cluster_rights_lost_total"), 0);
  assert.equal(sampleValue(after, "qrelay_right_to_serve"), 1);

  const acknowledged = sampleValue(await figuresOf(owner), "qrelay_cluster_acknowledgement_seconds_count");
  await apis[1]!.patch(`/v1/qr-codes/${code.qr_id}`, { redirect_url: "https://example.com/new" }, 200);
  const owners = await figuresOf(owner);
  assert.ok(sampleValue(owners, "qrelay_cluster_acknowledgement_seconds_count") > acknowledged);
  assert.equal(sampleValue(owners, "qrelay_cluster_members"), members.length);
  for (const member of [owner, followers[0]!]) {
    shares.push(sampleValue(await figuresOf(member), "qrelay_cluster_partitions_owned"));
  }
  assert.ok(Math.min(...shares) > 0, String(shares));
  assert.equal(
    shares.reduce((sum, share) => sum + share),
    partitionsMax,
  );
  assert.equal(sampleValue(owners, "qrelay_cluster_forwarded_total", requests), 0);
});

test("a member that loses its owner tells so, and counts what was not answered", async () => {
  const { cluster, owner, followers } = await threeMembers();
  // Not the first one, which makes way for an owner that leaves.
  const follower = followers[1]!;
  const admin = new Client(follower.address, { authorization: `Bearer ${adminToken}` });
  const lost = sampleValue(await figuresOf(follower), "qrelay_cluster_rights_lost_total");
  // So that nobody takes over at once.
  cluster.isAway = true;
  void owner.stop().catch(() => {});
  await until("the loss", async () => {
    const { status } = await admin.get("/admin/v1/accounts");
    const figures = await figuresOf(follower);
    return (
      status === 503 &&
      sampleValue(figures, "qrelay_right_to_serve") === 0 &&
      sampleValue(figures, "qrelay_cluster_right_left_seconds") === 0 &&
      sampleValue(figures, "qrelay_cluster_rights_lost_total") === lost + 1 &&
      sampleValue(figures, "qrelay_cluster_forwarded_total", { ...requests, outcome: "unanswered" }) > 0
    );
  });
  cluster.isAway = false;
});

test("a process that is no member tells nothing of a cluster", async () => {
  const { url } = await startServer({ env: { METRICS: "open" } });
  const { text } = await new Client(url).get("/metrics", 200);
  assert.doesNotMatch(text, /qrelay_cluster/);
});
