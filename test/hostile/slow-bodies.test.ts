/** Clients that announce a body and send next to nothing of it: memory is set aside for what has come, not for what was said. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyBytesMax } from "../../src/limits.ts";
import { eventually } from "../support/hostile/hostile.ts";
import { openDeaf, spawnAttacked } from "../support/hostile/hostile-process.ts";
import { rawRequest } from "../support/wire/raw-http.ts";

const slow = 2_000;
/** What so many connections and their requests cost without a byte of a body, and room for the collector. */
const slackMb = 60;

const attacked = await spawnAttacked();

for (const [what, framing, first] of [
  ["lengths", `Content-Length: ${bodyBytesMax}`, "{"],
  ["chunks", "Transfer-Encoding: chunked", `${bodyBytesMax.toString(16)}\r\n{`],
] as const) {
  test(`${slow} bodies that hardly begin, with ${what}, cost little`, async (t) => {
    attacked.forgetPeak();
    const beginning = attacked.rssMb();
    const sockets = await Promise.all(
      Array.from({ length: slow }, async () => {
        const socket = await openDeaf(attacked.url);
        await new Promise<void>((sent) => {
          socket.write(
            rawRequest("POST", "/v1/projects", ["Content-Type: application/json", framing], first),
            () => sent(),
          );
        });
        return socket;
      }),
    );
    await attacked.api.get("/healthz", 200);
    assert.ok((await attacked.metric("qrelay_connections ")) >= slow);
    const grown = attacked.peakMb() - beginning;
    t.diagnostic(`${grown.toFixed()} MB`);
    for (const socket of sockets) socket.resetAndDestroy();
    await eventually("the end", async () => (await attacked.metric("qrelay_connections ")) < 10);
    assert.ok(grown < slackMb, `${grown.toFixed()} MB`);
  });
}
