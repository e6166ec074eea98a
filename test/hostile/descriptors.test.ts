/** More connections than the process may have files: it keeps some files for itself, works on, and does not spin. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connectionsAllowed } from "../../src/door/connection-limit.ts";
import { connectionsMax, filesKept } from "../../src/limits.ts";
import { eventually } from "../support/hostile/hostile.ts";
import { openDeaf, spawnAttacked } from "../support/hostile/hostile-process.ts";
import { openRaw, rawRequest } from "../support/wire/raw-http.ts";

const files = 320;

const attacked = await spawnAttacked(files);

test("connections are allowed up to the bound, or to what the files of the process leave", () => {
  assert.equal(connectionsAllowed(1_000_000), connectionsMax);
  assert.equal(connectionsAllowed(Number.POSITIVE_INFINITY), connectionsMax);
  assert.equal(connectionsAllowed(1_024), 1_024 - filesKept);
  assert.equal(connectionsAllowed(10), 1);
});

test("with all its connections taken, a process serves those that it has, renders, and rests", async () => {
  const held = await openRaw(attacked.url);
  held.socket.write(rawRequest("GET", "/healthz", []));
  await held.until("alive");
  const crowd = await Promise.all(Array.from({ length: files }, () => openDeaf(attacked.url)));
  await eventually("rest", async () => {
    const busyFrom = attacked.cpuMs();
    await sleep(300);
    return attacked.cpuMs() - busyFrom < 100;
  });
  // Drawing starts a thread, and that opens files.
  const body = JSON.stringify({ redirect_url: "https://example.com/" });
  const json = ["Content-Type: application/json", `Content-Length: ${body.length}`];
  held.socket.write(rawRequest("POST", "/v1/qr-codes", [`x-api-key: ${attacked.key}`, ...json], body));
  const id = /"qr_id":"(\w+)"/.exec(await held.until('"last_rendered_at"'))![1]!;
  await eventually("the picture", async () => {
    const from = held.received().length;
    held.socket.write(rawRequest("GET", `/v1/qr-codes/${id}`, [`x-api-key: ${attacked.key}`]));
    await eventually("the answer", () => held.received().slice(from).includes('"last_rendered_at"'));
    return held.received().slice(from).includes('"render_status":"done"');
  });

  for (const socket of crowd) socket.resetAndDestroy();
  await eventually(
    "room",
    async () => (await attacked.metric("qrelay_connections ").catch(() => files)) < 10,
  );
  const { slug } = (await attacked.api.get(`/v1/qr-codes/${id}`, 200)).body;
  const scan = await fetch(`${attacked.url}/${slug}`, { redirect: "manual" });
  assert.equal(scan.status, 302);
  assert.equal((await attacked.api.get(`/v1/qr-codes/${id}`, 200)).body.scan_count, 1);
});
