/** The soak: its parts, and one of a few seconds with a restart through the same code. */
import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { UsageError } from "../../bench/usage.ts";
import { readArguments, type SoakOptions } from "../../scripts/soak/arguments.ts";
import { openJudge, openOutages } from "../../scripts/soak/calls/judge.ts";
import { scanLimited, scanPlain } from "../../scripts/soak/calls/scan-calls.ts";
import { openWire } from "../../scripts/soak/calls/wire.ts";
import { planRestarts } from "../../scripts/soak/instance.ts";
import {
  glance,
  Ledger,
  mayHaveBeen,
  numberOf,
  propose,
  settle,
  targetOf,
  versionOf,
  wasPossible,
} from "../../scripts/soak/ledger.ts";
import { judgeMemory } from "../../scripts/soak/report/memory.ts";
import { plot } from "../../scripts/soak/report/plot.ts";
import { isGood, report } from "../../scripts/soak/report/report.ts";
import { openLatencies, type Sample } from "../../scripts/soak/report/samples.ts";
import { soak } from "../../scripts/soak/run.ts";
import { dice } from "../support/dice.ts";
import { engineEnv } from "../support/engine.ts";

const options: SoakOptions = {
  ...{ minutes: 15, rate: 500, restarts: 6, seed: 1, mongodb: false, plotFile: "soak.svg", jsonFile: null },
};

function sampleAt(second: number, residentBytes: number | null, p99 = 4): Sample {
  const figures = { count: 100, p50: 0.5, p99 };
  return {
    second,
    residentBytes,
    heapBytes: 2e7,
    scans: figures,
    api: figures,
    lost: 0,
    unavailable: 0,
    failed: 0,
  };
}

/** Runs with a server that answers as told, and everything a soak judges it by. */
async function judged(
  listener: RequestListener,
  run: (parts: {
    judge: ReturnType<typeof openJudge>;
    outages: ReturnType<typeof openOutages>;
    ledger: Ledger;
    measured: number[];
  }) => Promise<void>,
): Promise<void> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const wire = openWire(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const outages = openOutages();
  const measured: number[] = [];
  try {
    const judge = openJudge(wire, outages, (_, ms) => measured.push(ms));
    await run({ judge, outages, ledger: new Ledger(), measured });
  } finally {
    wire.close();
    server.close();
  }
}

describe("the command line of the soak", () => {
  it("takes a quarter of an hour on the embedded store when nothing is said", () => {
    const { seed, ...usual } = readArguments([])!;
    const { seed: _, ...expected } = options;
    assert.deepEqual(usual, expected);
    assert.ok(Number.isSafeInteger(seed));
    assert.equal(readArguments(["--help"]), null);
  });

  it("takes every option", () => {
    const given = "--minutes 0.5 --rate 50 --restarts 0 --seed 9 --mongodb --plot a.svg --json b.json";
    assert.deepEqual(readArguments(given.split(" ")), {
      ...{
        minutes: 0.5,
        rate: 50,
        restarts: 0,
        seed: 9,
        mongodb: true,
        plotFile: "a.svg",
        jsonFile: "b.json",
      },
    });
  });

  it("names what it cannot use", () => {
    const refused: [string[], RegExp][] = [
      [["--minutes", "0"], /--minutes 0/],
      [["--minutes", "1e3"], /--minutes 1e3/],
      [["--rate", "-"], /--rate/],
      [["--rate", "100000"], /from 1 to 5000/],
      [["--restarts", "1.5"], /--restarts 1.5/],
      [["--hours", "1"], /--hours/],
      [["15"], /15/],
    ];
    for (const [args, message] of refused) {
      assert.throws(
        () => readArguments(args),
        (error) => error instanceof UsageError && message.test(error.message),
      );
    }
  });
});

describe("the restarts of the soak", () => {
  it("are in the first two fifths, of both kinds, and the same for the same seed", () => {
    const plan = planRestarts(options);
    assert.equal(plan.length, 6);
    assert.deepEqual(
      plan.map(({ atMs }) => atMs),
      plan.map(({ atMs }) => atMs).sort((a, b) => a - b),
    );
    for (const { atMs } of plan) assert.ok(atMs > 30_000 && atMs < 6 * 60_000, `${atMs}`);
    assert.deepEqual(new Set(plan.map(({ signal }) => signal)), new Set(["SIGKILL", "SIGTERM"]));
    assert.deepEqual(planRestarts(options), plan);
    assert.notDeepEqual(planRestarts({ ...options, seed: 2 }), plan);
    assert.deepEqual(planRestarts({ ...options, restarts: 0 }), []);
  });
});

describe("the statistics of the soak", () => {
  it("takes percentiles and begins anew", () => {
    const latencies = openLatencies();
    assert.deepEqual(latencies.figures(), { count: 0, p50: null, p99: null });
    for (let ms = 1; ms <= 100; ms++) latencies.add(ms);
    const { count, p50, p99 } = latencies.figures();
    assert.equal(count, 100);
    assert.ok(Math.abs(p50! - 50) < 0.1 && Math.abs(p99! - 99) < 0.2, `${p50}, ${p99}`);
    latencies.clear();
    assert.equal(latencies.figures().count, 0);
  });

  it("finds memory flat after the warm-up, and growing when it grows", () => {
    const stretch = { from: 100, to: 300 };
    const samples = (bytesAt: (second: number) => number | null) =>
      Array.from({ length: 301 }, (_, second) => sampleAt(second, bytesAt(second)));
    const warmed = judgeMemory(
      samples((second) => (second < 200 ? 40 + second : 240) * 1e6),
      stretch,
    )!;
    assert.equal(warmed.ratio, 1);
    assert.equal(warmed.isFlat, true);
    assert.deepEqual([warmed.firstHeapLow, warmed.lastHeapLow], [2e7, 2e7]);
    const sawTooth = judgeMemory(
      samples((second) => (100 + (second % 70)) * 1e6),
      stretch,
    )!;
    assert.equal(sawTooth.isFlat, true, "wherever a tooth begins");
    assert.deepEqual(
      [warmed.first, warmed.last],
      [
        { from: 200, to: 250 },
        { from: 250, to: 300 },
      ],
    );
    assert.equal(
      judgeMemory(
        samples((second) => second * 1e6),
        stretch,
      )!.isFlat,
      false,
    );
    assert.equal(
      judgeMemory(
        samples(() => null),
        stretch,
      ),
      null,
    );
    assert.equal(
      judgeMemory(
        samples(() => 1),
        { from: 0, to: 60 },
      ),
      null,
    );
  });
});

describe("the ledger of the soak", () => {
  const ledger = new Ledger();
  const code = ledger.created({
    number: ledger.newNumber(),
    id: "qr_1",
    account: 0,
    kind: "plain",
    limit: null,
  });

  it("knows its own labels and targets", () => {
    assert.equal(numberOf("soak 12"), 12);
    assert.equal(numberOf("soak x"), null);
    assert.equal(versionOf(12, targetOf(12, 3)), 3);
    assert.equal(versionOf(1, targetOf(12, 3)), null);
    assert.equal(versionOf(12, undefined), null);
  });

  it("allows one state while nothing changes, both while a change is under way, and the new one after it", () => {
    const before = glance(code);
    const [old, next] = [
      { version: 0, active: true },
      { version: 1, active: true },
    ];
    assert.ok(wasPossible(code, before, old));
    assert.ok(!wasPossible(code, before, next));
    assert.ok(!mayHaveBeen(code, before, false));
    propose(code, next);
    const during = glance(code);
    for (const state of [old, next]) assert.ok(wasPossible(code, before, state));
    settle(code, next);
    for (const state of [old, next]) assert.ok(wasPossible(code, during, state));
    assert.ok(!wasPossible(code, glance(code), old));
    assert.ok(wasPossible(code, glance(code), next));
    assert.ok(!wasPossible(code, during, { version: 2, active: true }));
  });

  it("lets codes go when there are too many, the oldest first", () => {
    const many = new Ledger();
    const codes = Array.from({ length: 13 }, () =>
      many.created({ number: many.newNumber(), id: "qr", account: 0, kind: "limited", limit: 5 }),
    );
    assert.equal(many.outlived(), codes[0]);
    many.retire(codes[0]!);
    assert.equal(many.outlived(), null);
    codes[7]!.refused = 100;
    assert.equal(many.outlived(), codes[7]);
    assert.equal(many.codes.size, 13);
  });
});

describe("the judge of the soak", () => {
  const get = { method: "GET", path: "/qr-0123456789" } as const;

  it("expects lost connections and 503 around a restart, and never otherwise", async () => {
    let reply: RequestListener = (req) => req.socket.destroy();
    await judged(
      (req, res) => reply(req, res),
      async ({ judge, outages, measured }) => {
        const ask = () => judge.ask("scan", get);
        await outages.during(async () => assert.equal(await ask(), null));
        reply = (_, res) => res.writeHead(503).end();
        await outages.during(async () => assert.equal(await ask(), null));
        assert.deepEqual(judge.counts, { answered: 0, lost: 1, unavailable: 1, failed: 0 });
        reply = (_, res) => res.writeHead(500).end("broken");
        await outages.during(ask);
        assert.match(judge.failures[0]!, /500: broken/);
        assert.deepEqual(measured, []);
      },
    );
    await judged(
      (_, res) => res.writeHead(503).end(),
      async ({ judge }) => {
        await judge.ask("scan", get);
        assert.match(judge.failures[0]!, /503/);
      },
    );
    await judged(
      (req) => req.socket.destroy(),
      async ({ judge }) => {
        await judge.ask("scan", get);
        assert.match(judge.failures[0]!, /lost/);
      },
    );
  });

  it("holds answers of the API against the contract", () =>
    judged(
      (_, res) => res.writeHead(200, { "content-type": "application/json" }).end(`{"ok":true}`),
      async ({ judge }) => {
        await judge.ask("api", { method: "GET", path: "/v1/projects" });
        assert.equal(judge.counts.failed, 1);
      },
    ));

  it("finds a scan that goes to an old target, and a limit that is passed", () =>
    judged(
      (req, res) => res.writeHead(302, { location: targetOf(req.url === "/plain" ? 0 : 1, 0) }).end(),
      async ({ judge, ledger }) => {
        const world = { judge, ledger, chance: dice(1, 1), accounts: [], adminToken: "" };
        const newCode = (kind: "plain" | "limited", limit: number | null) =>
          Object.assign(ledger.created({ number: ledger.newNumber(), id: kind, account: 0, kind, limit }), {
            slug: kind,
          });
        const plain = newCode("plain", null);
        newCode("limited", 2);
        await scanPlain(world);
        await scanLimited(world);
        await scanLimited(world);
        assert.equal(judge.counts.failed, 0);
        await scanLimited(world);
        assert.match(judge.failures[0]!, /"limited".*"limit":2/);
        settle(plain, { version: 1, active: true });
        await scanPlain(world);
        assert.match(judge.failures[1]!, /"plain"/);
      },
    ));
});

describe("the picture of the soak", () => {
  const samples = Array.from({ length: 2_000 }, (_, at) =>
    sampleAt(at + 1, at > 500 && at < 520 ? null : 9e7, at % 7 === 0 ? 80 : 4),
  );
  const memory = judgeMemory(samples, { from: 800, to: 2_000 });
  const restarts = [{ atMs: 500_000, signal: "SIGKILL" as const, readyMs: 2_000 }];
  const drawing = plot({ samples, restarts, memory, options, store: "embedded store" }, "a < b & c");

  it("has both panels with their units, the restarts and what was compared", () => {
    for (const word of ["MiB", "ms (log scale)", "minutes", "SIGKILL", "scans p99", "API p50", "compared"])
      assert.ok(drawing.includes(word), word);
    assert.ok(drawing.includes("a &lt; b &amp; c"));
    assert.doesNotMatch(drawing, /NaN|Infinity|undefined|null/);
  });

  it("stays small, and can be drawn of nothing", () => {
    assert.ok(drawing.length < 100_000, `${drawing.length}`);
    const empty = plot({ samples: [], restarts: [], memory: null, options, store: "x" }, "");
    assert.doesNotMatch(empty, /NaN|Infinity|undefined/);
  });
});

describe("a soak", () => {
  const bare = (data: { path: string }, env: Record<string, string>) => ({
    script: "src/main.ts",
    env: {
      ...{ DATA_DIR: data.path, HOST: "127.0.0.1", LOG_LEVEL: "warn", QRELAY_BOOTSTRAP: "off" },
      ...{ MONGODB_URL: "", PUBLIC_URL: "", RENDER_THREADS: "1", METRICS: "open", ...engineEnv, ...env },
    },
  });

  it("of a few seconds with a restart finds nothing wrong", { timeout: 60_000 }, async () => {
    let seen = 0;
    const short = { ...options, minutes: 7 / 60, rate: 200, restarts: 1 };
    const result = await soak(short, () => seen++, bare);
    assert.deepEqual(result.failures, []);
    assert.ok(isGood(result));
    assert.equal(result.restarts.length, 1);
    assert.equal(seen, result.samples.length);
    const { scansAnswered, scansCounted, scansSent, codes } = result.exactness;
    assert.ok(codes > 74 && scansAnswered > 100, `${codes} codes, ${scansAnswered} scans`);
    assert.ok(scansAnswered <= scansCounted && scansCounted <= scansSent);
    assert.match(report(result), /failures +\| 0 /);
    assert.doesNotMatch(plot(result, ""), /NaN|Infinity|undefined/);
    assert.equal(isGood({ ...result, counts: { ...result.counts, failed: 1 } }), false);
  });
});
