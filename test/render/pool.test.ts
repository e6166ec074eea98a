/** Threads that hang, die or run out of memory are replaced, and their jobs fail with a clear reason. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { defaultMetadata } from "../../src/domain/looks/render-metadata.ts";
import { renderJobsAtOnce, renderPixelsAtOnce } from "../../src/limits.ts";
import { openRenderer, type Renderer } from "../../src/render/pool.ts";
import type { RenderJob } from "../../src/render/render-job.ts";
import type { RenderThreadsOptions } from "../../src/render/threads.ts";
import { render } from "../../workers/render.ts";
import { shortLink } from "../golden/styles.ts";
import { endsWithTest, temporaryFolder } from "../support/endings.ts";

const job: RenderJob = { content: shortLink, metadata: defaultMetadata };
const folder = temporaryFolder();
/** As workers that are written here import them. */
const realWorker = imported("../../workers/render-worker.ts");
const threadTime = imported("../../src/render/thread-time.ts");

/** Draws like the real one, unless the content is a word that asks for trouble. */
const troubled = join(folder, "troubled-worker.ts");
writeFileSync(
  troubled,
  `import draw from ${realWorker};
  import { threadNumber } from ${threadTime};
  const put = Atomics.wait.bind(null, new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  export default function (task) {
    for (const { content } of task.jobs) {
      if (content === "hang") { Atomics.store(task.begun, 0, threadNumber()); for (;;) {} }
      if (content === "put off") { Atomics.store(task.begun, 0, threadNumber()); put(2_500); }
      if (content === "die") process.exit(3);
      if (content === "devour") { const held = []; for (;;) held.push(new Array(10_000).fill({ held })); }
    }
    return draw(task);
  }`,
);

/** Draws nothing: a hash is the number of jobs that came together. Each takes 400 ms, if its content says so. */
const counting = join(folder, "counting-worker.ts");
writeFileSync(
  counting,
  `import { threadNumber } from ${threadTime};
  export default function ({ jobs, begun }) {
    Atomics.store(begun, 0, threadNumber());
    return jobs.map(({ content }) => {
      Atomics.add(begun, 1, 1);
      if (content === "long") for (const end = performance.now() + 400; performance.now() < end; );
      return { svg: { hash: String(jobs.length), bytes: new Uint8Array(1) }, png: null };
    });
  }`,
);

/** The real one, after a while. */
const slow = join(folder, "slow-worker.ts");
writeFileSync(
  slow,
  `import draw from ${realWorker};
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  export default draw;`,
);

/** The real one; a hash is how often the thread let go of its core while it drew. */
const watched = join(folder, "watched-worker.ts");
writeFileSync(
  watched,
  `import draw from ${realWorker};
  import { readFileSync } from "node:fs";
  const letGo = () => Number(/^voluntary_ctxt_switches:\\s*(\\d+)/m.exec(readFileSync("/proc/thread-self/status", "latin1"))[1]);
  export default function (task) {
    const before = letGo();
    draw(task);
    const hash = String(letGo() - before);
    return task.jobs.map(() => ({ svg: { hash, bytes: new Uint8Array(1) }, png: null }));
  }`,
);

function imported(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href);
}

function startRenderer(options: Partial<RenderThreadsOptions> = {}): Renderer {
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

test("a thread lets others have its core between pictures, and half-way through each", {
  skip: process.platform !== "linux" && "needs what Linux tells of threads",
}, async () => {
  const renderer = startRenderer({ worker: pathToFileURL(watched) });
  const drawn = await Promise.all(Array.from({ length: 8 }, () => renderer.render(job)));
  for (const { svg } of drawn) assert.ok(Number(svg.hash) >= 15, `${svg.hash} times in 8 pictures`);
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

test("jobs that are asked for in one go are drawn together, large pictures alone", async () => {
  const renderer = startRenderer({ worker: pathToFileURL(counting) });
  const together = async (jobs: readonly RenderJob[]) => {
    const drawn = await Promise.all(jobs.map((each) => renderer.render(each)));
    return drawn.map(({ svg }) => Number(svg.hash));
  };
  assert.deepEqual(await together([job]), [1]);
  assert.deepEqual(await together(new Array(3).fill(job)), [3, 3, 3]);
  const most = renderJobsAtOnce;
  assert.deepEqual(await together(new Array(most + 1).fill(job)), [...new Array(most).fill(most), 1]);
  const side = Math.sqrt(renderPixelsAtOnce);
  const large = { ...job, metadata: { ...job.metadata, width: side, height: side } };
  assert.deepEqual(await together([job, large, job, job, large, large]), [1, 1, 2, 2, 1, 1]);
});

test("each of several threads gets some of what is asked for in one go", async () => {
  const renderer = startRenderer({ worker: pathToFileURL(counting), threads: 2 });
  const drawn = await Promise.all(Array.from({ length: 5 }, () => renderer.render(job)));
  assert.deepEqual(
    drawn.map(({ svg }) => svg.hash),
    ["3", "3", "3", "1", "1"],
  );
});

test("there is room for as many small pictures as threads draw together, and for few large ones", async () => {
  const renderer = startRenderer({ worker: pathToFileURL(counting) });
  const fill = async (wanted: RenderJob) => {
    const drawn = [];
    while (renderer.hasRoom()) drawn.push(renderer.render(wanted));
    await Promise.all(drawn);
    return drawn.length;
  };
  const side = Math.sqrt(renderPixelsAtOnce);
  const large = { ...job, metadata: { ...job.metadata, width: side, height: side } };
  assert.equal(await fill(job), 2 * renderJobsAtOnce);
  assert.equal(await fill(large), 2);
});

test("jobs that are drawn together may each take as long as one alone", async () => {
  const renderer = startRenderer({ worker: pathToFileURL(counting), jobMsMax: 1_000 });
  const jobs = Array.from({ length: 5 }, () => renderer.render({ ...job, content: "long" }));
  for (const { svg } of await Promise.all(jobs)) assert.equal(svg.hash, "5");
});

test("what goes wrong with one job does not concern those that are drawn together with it", async () => {
  const renderer = startRenderer({ worker: pathToFileURL(troubled), jobMsMax: 1_500 });
  const contents = ["one", "die", "two", "x".repeat(3_000), "hang", "three"];
  const ended = await Promise.allSettled(contents.map((content) => renderer.render({ ...job, content })));
  const said = ended.map((end) => (end.status === "fulfilled" ? "drawn" : String(end.reason.message)));
  assert.deepEqual([said[0], said[2], said[5]], ["drawn", "drawn", "drawn"]);
  assert.match(said[1]!, /thread died/);
  assert.match(said[3]!, /Rendering failed: .*too big/);
  assert.match(said[4]!, /took longer than 1500 ms/);
  assert.ok(renderer.hasRoom());
});

test("what is not drawn when the threads are closed fails", async () => {
  const renderer = startRenderer({ worker: pathToFileURL(troubled) });
  await renderer.render(job);
  const jobs = ["hang", "one", "two"].map((content) => renderer.render({ ...job, content }));
  const ended = Promise.allSettled(jobs);
  await turn();
  await renderer.close();
  for (const end of await ended) assert.equal(end.status, "rejected");
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
