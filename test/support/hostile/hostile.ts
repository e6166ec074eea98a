/** A service with a link to scan, and the proof that it took no harm from what a test has sent it. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type ServerOptions, startServer, type TestServer } from "../server.ts";
import { openRaw, rawRequest } from "../wire/raw-http.ts";

export interface HostileServer extends TestServer {
  /** A link that only `assertUnharmed` and the test's own honest scans may count on. */
  slug: string;
  target: string;
  filePath: string;
  codeId: string;
  /** Scans that were sent honestly: the count must be exactly this. */
  honestScans: number;
  /** Alive, scanning as ever, and the count exact. */
  assertUnharmed(): Promise<void>;
}

export async function startHostile(options: ServerOptions = {}): Promise<HostileServer> {
  const server = await startServer({ ...options, env: { METRICS: "open", ...options.env } });
  const target = "https://example.com/target";
  const code = await server.api.createRendered({ redirect_url: target });
  const hostile: HostileServer = {
    ...server,
    slug: code.slug,
    target,
    codeId: code.qr_id,
    filePath: new URL(code.file_url_svg).pathname,
    honestScans: 0,
    async assertUnharmed() {
      await server.api.get("/healthz", 200);
      const scan = await fetch(`${server.url}/${code.slug}`, { redirect: "manual" });
      assert.equal(scan.status, 302);
      assert.equal(scan.headers.get("location"), target);
      hostile.honestScans++;
      const { body } = await server.api.get(`/v1/qr-codes/${code.qr_id}`, 200);
      assert.equal(body.scan_count, hostile.honestScans);
    },
  };
  return hostile;
}

/** Runs over the items, so many at a time. */
export async function inParallel<T>(items: readonly T[], lanes: number, run: (item: T) => Promise<void>) {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const item of queue) await run(item);
    }),
  );
}

export interface RawAnswer {
  status: number;
  /** As they came, in lower case; a header that came twice has two entries. */
  headers: [name: string, value: string][];
  body: string;
}

/**
 * Takes what was received apart, strictly: every answer has a length, and nothing may be left over.
 * The methods are those of the requests, in order; what is not given is GET.
 */
export function parseAnswers(received: string, methods: readonly string[] = []): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    assert.notEqual(end, -1, `no end of a head in ${JSON.stringify(rest)}`);
    const [first, ...lines] = rest.slice(0, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) [A-Za-z -]+$/.exec(first!)?.[1]);
    assert.ok(status >= 200, `no status line: ${JSON.stringify(first)}`);
    const headers = lines.map((line): [string, string] => {
      const parts = /^([A-Za-z0-9-]+): ([\x20-\x7e]*)$/.exec(line);
      assert.ok(parts, `not a header: ${JSON.stringify(line)}`);
      return [parts[1]!.toLowerCase(), parts[2]!];
    });
    const isBodiless = methods[answers.length] === "HEAD" || status === 304 || status === 204;
    const lengths = headers.filter(([name]) => name === "content-length").map(([, value]) => Number(value));
    assert.ok(lengths.length <= 1, first);
    const length = isBodiless ? 0 : lengths[0];
    // What the library refuses by itself has no length and ends with the connection.
    const bodyEnd = length === undefined ? rest.length : end + 4 + length;
    assert.ok(rest.length >= bodyEnd, `the body of ${first} is cut short`);
    answers.push({ status, headers, body: rest.slice(end + 4, bodyEnd) });
    rest = rest.slice(bodyEnd);
  }
  return answers;
}

/** Sends one request on a connection of its own and takes its answer apart. */
export async function ask(url: string, method: string, path: string, headerLines: string[] = []) {
  const connection = await openRaw(url);
  connection.socket.write(
    Buffer.from(rawRequest(method, path, [...headerLines, "Connection: close"]), "latin1"),
  );
  return parseAnswers(await connection.closed(), [method]);
}

/** Waits until it is so; fails when it does not come to be. */
export async function eventually(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 5_000) {
  for (const deadline = Date.now() + withinMs; !(await isSo()); await sleep(10)) {
    assert.ok(Date.now() < deadline, `${what} did not come about in ${withinMs} ms`);
  }
}
