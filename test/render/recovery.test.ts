/** Real threads behind the real queue: what a thread's death interrupts is drawn all the same. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { defaultMetadata } from "../../src/domain/looks/render-metadata.ts";
import { openRenderer } from "../../src/render/pool.ts";
import type { RenderRequest } from "../../src/render/render-job.ts";
import { openRenderQueue } from "../../src/render/render-queue.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { render } from "../../workers/render.ts";
import { MemoryStore } from "../fakes/memory-store.ts";
import { temporaryFolder } from "../support/endings.ts";

test("a code whose thread dies or hangs at the first attempt is drawn at the second", async (t) => {
  const folder = temporaryFolder();
  const worker = join(folder, "worker.ts");
  writeFileSync(
    worker,
    `import { existsSync, writeFileSync } from "node:fs";
    import draw from ${JSON.stringify(new URL("../../workers/render-worker.ts", import.meta.url).href)};
    export default function (task) {
      for (const { content } of task.jobs) {
        const seen = ${JSON.stringify(folder)} + "/" + content;
        if (existsSync(seen)) continue;
        // Together with others it fails as well, which counts for none of them.
        if (task.jobs.length === 1) writeFileSync(seen, "");
        if (content === "dies") process.exit(1);
        if (content === "hangs") { Atomics.store(task.begun, 0, 1); for (;;) {} }
      }
      return draw(task);
    }`,
  );
  const renderer = openRenderer({ threads: 1, worker: pathToFileURL(worker), jobMsMax: 1_500 });
  const hashes = new Map<string, string>();
  const failures: string[] = [];
  let finished = () => {};
  const allDone = new Promise<void>((resolve) => {
    finished = resolve;
  });
  const queue = openRenderQueue({
    renderer,
    store: new MemoryStore(),
    clock: systemClock,
    toRequest: () => assert.fail("nothing is in the store"),
    report: (error) => assert.fail(String(error)),
    outcomes: {
      async rendered({ code_id }, result) {
        assert.ok(!hashes.has(code_id), "one image a version");
        hashes.set(code_id, result.svg.hash);
        if (hashes.size === 3) finished();
      },
      async failed({ code_id }, error, final) {
        failures.push(`${code_id}: ${error}`);
        assert.equal(final, false);
      },
    },
  });
  t.after(async () => {
    await queue.close();
    await renderer.close();
  });

  const jobs = ["dies", "hangs", "fine"].map((content) => ({ content, metadata: defaultMetadata }));
  for (const job of jobs) {
    const request: RenderRequest = { account_id: "a", code_id: job.content, version: 1, job, attempt: 0 };
    queue.request(request);
  }
  // The clock's timers do not keep the process alive.
  const alive = setInterval(() => {}, 1_000);
  t.after(() => clearInterval(alive));
  await allDone;
  assert.deepEqual(failures.sort(), [
    "dies: The render thread died.",
    "hangs: Rendering took longer than 1500 ms.",
  ]);
  for (const job of jobs) assert.equal(hashes.get(job.content), render(job).svg.hash);
});
