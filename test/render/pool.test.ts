/** Threads that hang, die or run out of memory are replaced, and their jobs fail with a clear reason. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { defaultMetadata } from "../../src/domain/looks/render-metadata.ts";
import { openRenderer, type Renderer, type RendererOptions } from "../../src/render/pool.ts";
import type { RenderJob } from "../../src/render/render-job.ts";
import { render } from "../../workers/render.ts";
import { shortLink } from "../golden/styles.ts";
import { endsWithTest, temporaryFolder } from "../support/endings.ts";

const job: RenderJob = { content: shortLink, metadata: defaultMetadata };
const folder = temporaryFolder();

/** Draws like the real one, unless the content is a word that asks for trouble. */
const troubled = join(folder, "troubled-worker.ts");
writeFileSync(
  troubled,
  `import draw from ${JSON.stringify(new URL("../../workers/render-worker.ts", import.meta.url).href)};
  import { threadNumber } from ${JSON.stringify(new URL("../../src/render/thread-time.ts", import.meta.url).href)};
  const put = Atomics.wait.bind(null, new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  export default function (task) {
    const { content } = task.job;
    if (content === "hang") { Atomics.store(task.begun, 0, threadNumber()); for (;;) {} }
    if (content === "put off") { Atomics.store(task.begun, 0, threadNumber()); put(2_500); }
    if (content === "die") process.exit(3);
    if (content === "devour") { const held = []; for (;;) held.push(new Array(10_000).fill({ held })); }
    return draw(task);
  }`,
);

/** The real one, after a while. */
const slow = join(folder, "slow-worker.ts");
writeFileSync(
  slow,
  `import draw from ${JSON.stringify(new URL("../../workers/render-worker.ts", import.meta.url).href)};
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  export default draw;`,
);

function startRenderer(options: Partial<RendererOptions> = {}): Renderer {
  const renderer = openRenderer({ threads: 1, ...options });
  endsWithTest(() => renderer.close());
  return renderer;
}

test("a job comes back as the bytes that the drawing code makes", async () => {
  const renderer = startRenderer();
  const result = await renderer.render(job);
  assert.deepEqual(result, render(job));
  assert.equal(result.svg.bytes.byteLength, result.svg.bytes.buffer.byteLength);
});

test("a thread that hangs, dies or devours memory is replaced", async () => {
  const worker = pathToFileURL(troubled);
  const renderer = startRenderer({ worker, jobMsMax: 1_500 });
  await renderer.render(job);
  await assert.rejects(renderer.render({ ...job, content: "hang" }), /took longer than 1500 ms/);
  assert.ok((await renderer.render(job)).png !== null);
  await assert.rejects(renderer.render({ ...job, content: "die" }), /thread died/);
  assert.ok((await renderer.render(job)).png !== null);
  const other = startRenderer({ worker });
  await assert.rejects(other.render({ ...job, content: "devour" }), /ran out of memory/);
  assert.ok((await other.render(job)).png !== null);
});

test("a thread that has to wait for a core is not taken for one that hangs", {
  skip: process.platform !== "linux" && "needs the times of threads that Linux tells",
}, async () => {
  const renderer = startRenderer({ worker: pathToFileURL(troubled), jobMsMax: 1_000 });
  assert.ok((await renderer.render({ ...job, content: "put off" })).png !== null);
});

test("a job that cannot be drawn fails alone", async () => {
  const renderer = startRenderer();
  await assert.rejects(
    renderer.render({ ...job, content: "x".repeat(3_000) }),
    /Rendering failed: .*too big/,
  );
  assert.ok((await renderer.render(job)).png !== null);
});

test("a thread that is slow to start is not taken for one that hangs", async () => {
  const renderer = startRenderer({ worker: pathToFileURL(slow), jobMsMax: 1_000 });
  assert.ok((await renderer.render(job)).png !== null);
});

test("an aborted job is not drawn", async () => {
  const renderer = startRenderer();
  await assert.rejects(renderer.render(job, AbortSignal.abort()), /cancelled/);
  const abort = new AbortController();
  const waiting = renderer.render(job, abort.signal);
  abort.abort();
  await assert.rejects(waiting, /cancelled/);
  assert.ok((await renderer.render(job)).png !== null);
});

test("threads start whatever the process was started with, in any folder", () => {
  const program = join(folder, "program.mjs");
  const pool = fileURLToPath(new URL("../../src/render/pool.ts", import.meta.url));
  const tsx = import.meta.resolve("tsx/esm/api");
  writeFileSync(
    program,
    `import { tsImport } from ${JSON.stringify(tsx)};
    const { openRenderer } = await tsImport(${JSON.stringify(pool)}, import.meta.url);
    const renderer = openRenderer({ threads: 1 });
    const result = await renderer.render(${JSON.stringify(job)});
    console.log(result.svg.hash);
    await renderer.close();`,
  );
  const printed = execFileSync(process.execPath, [program], { cwd: folder, encoding: "utf8" });
  assert.equal(printed.trim(), render(job).svg.hash);
});
