import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { benchNames, readArguments } from "../../bench/arguments.ts";
import { dataFolder, filledStore } from "../../bench/filling/fill.ts";
import { slugAt, targetAt } from "../../bench/filling/links.ts";
import type { TemporaryFolder } from "../../bench/filling/temporary.ts";
import { findGenerator } from "../../bench/load/load.ts";
import { rawRequest, scanRequests } from "../../bench/load/requests.ts";
import { visitAll } from "../../bench/load/visit.ts";
import { pacesOf } from "../../bench/pace.ts";
import { type Server, startServer } from "../../bench/processes.ts";
import {
  alternating,
  compare,
  compareThrough,
  interleave,
  median,
  quantile,
  ratios,
  spread,
} from "../../bench/report/compare.ts";
import { alone, compared, type Figure, verdict } from "../../bench/report/figures.ts";
import { plot } from "../../bench/report/plot.ts";
import { openProgress } from "../../bench/report/progress.ts";
import { table } from "../../bench/report/table.ts";
import { qrelay } from "../../bench/servers/qrelay.ts";
import { undisturbed } from "../../bench/undisturbed.ts";
import { UsageError } from "../../bench/usage.ts";
import { isSlug } from "../../src/link/slug.ts";
import { temporaryFolder } from "../support/endings.ts";

const same = (value: number) => value;

describe("the statistics of the bench", () => {
  it("takes medians and quantiles", () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 2, 3]), 2.5);
    assert.equal(quantile([0, 10], 0.25), 2.5);
    assert.deepEqual(spread([5, 1, 9]), { median: 5, low: 1, high: 9 });
    assert.throws(() => median([]), /nothing/);
  });

  it("puts every slice of a variant between two of the reference", async () => {
    const order: string[] = [];
    const measure = (name: string) => async () => order.push(name);
    const slices = await interleave(2, { reference: measure("r"), variant: measure("v") });
    assert.deepEqual(order, ["r", "v", "r", "v", "r"]);
    assert.deepEqual(slices, { references: [1, 3, 5], variants: [2, 4] });
  });

  it("measures again what the host disturbed, within bounds, and tells so", async () => {
    const standstill = 900;
    /** The host takes these ticks during the slices, one after the other, and nothing later. */
    const hostTaking = (ticksTaken: number[], againMax: number) => {
      const notes = new Set<string>();
      let [slices, used, taken] = [0, 0, 0];
      const look = () => ({ used, taken });
      const again = undisturbed(againMax, (text) => notes.add(text), pacesOf([], 0), look);
      const measure = async () => {
        used += 100;
        taken += ticksTaken[slices] ?? 0;
        if (ticksTaken[slices] === standstill) throw new Error(`slice ${slices++} failed`);
        return ++slices;
      };
      return { notes, measured: () => again(measure) };
    };
    const calm = hostTaking([5], 10);
    assert.equal(await calm.measured(), 1);
    assert.deepEqual([...calm.notes], []);

    const busyAtFirst = hostTaking([50, 6], 10);
    assert.equal(await busyAtFirst.measured(), 3);
    assert.match([...busyAtFirst.notes].join(), /measured again$/);

    assert.equal(await hostTaking([standstill], 10).measured(), 2);
    await assert.rejects(hostTaking([standstill, standstill], 1).measured(), /slice 1 failed/);

    const busy = hostTaking(new Array(20).fill(50), 4);
    assert.equal(await busy.measured(), 4, "no slice is measured more than four times");
    assert.equal(await busy.measured(), 6, "no run measures more than it may again");
    assert.equal(await busy.measured(), 7);
    assert.match([...busy.notes].join(), /are among these figures/);
  });

  it("waits for cores that run as fast as they can, within bounds, and measures again what they did not", async () => {
    /** What two cores tell, look by look, and the last for ever. */
    const coresAt = (looks: [number, number][], patienceMs: number) => {
      const notes = new Set<string>();
      const waits: number[] = [];
      let asked = 0;
      const at = (core: 0 | 1) => ({
        tell: async () => looks[Math.min(asked++ >> 1, looks.length - 1)]![core],
        stop() {},
      });
      const paces = pacesOf([at(0), at(1)], patienceMs, async (ms) => void waits.push(ms));
      const calm = () => ({ used: 0, taken: 0 });
      const again = undisturbed(10, (text) => notes.add(text), paces, calm);
      let slices = 0;
      return { notes, waits, paces, measured: () => again(async () => ++slices) };
    };
    const full: [number, number] = [340, 330];
    const slow: [number, number] = [340, 205];
    const fast = coresAt([full], 1_000);
    assert.equal(await fast.measured(), 1);
    assert.deepEqual([fast.waits, [...fast.notes]], [[], []]);

    const slowAtFirst = coresAt([full, slow, slow, full], 1_000);
    assert.equal(await slowAtFirst.paces.areFull(), true);
    assert.equal(await slowAtFirst.measured(), 1);
    assert.deepEqual([slowAtFirst.waits.length, [...slowAtFirst.notes]], [2, []], "waited, and told nobody");

    const slowMeanwhile = coresAt([full, slow, full], 1_000);
    assert.equal(await slowMeanwhile.measured(), 2);
    assert.match(
      [...slowMeanwhile.notes].join(),
      /^slices in which a core ran slower .* were measured again$/,
    );

    const slowForEver = coresAt([full, slow], 1_000);
    assert.equal(await slowForEver.paces.areFull(), true);
    assert.equal(await slowForEver.measured(), 4, "no slice is measured more than four times");
    assert.equal(slowForEver.waits.length, 4, "no run waits for longer than it may");
    assert.match([...slowForEver.notes].join(), /are among these figures/);

    assert.equal(
      await coresAt([[200, 205]], 0).measured(),
      1,
      "what was never faster is as fast as it can be",
    );
  });

  it("turns the order of the variants around from round to round", () => {
    assert.deepEqual(alternating(["a", "b", "c"], 3), ["a", "b", "c", "c", "b", "a", "a", "b", "c"]);
  });

  it("is not deceived by a machine that becomes faster while it measures", () => {
    const slices = { references: [100, 200, 300], variants: [120, 200] };
    assert.deepEqual(ratios(slices, same), [0.8, 0.8]);
    assert.deepEqual(compare([slices], same), {
      ours: { median: 160, low: 120, high: 200 },
      reference: { median: 200, low: 100, high: 300 },
      ratio: { median: 0.8, low: 0.8, high: 0.8 },
    });
  });

  it("compares two variants through the reference that both were measured against", () => {
    const ours = [{ references: [100, 100], variants: [90] }];
    const theirs = [{ references: [200, 200], variants: [60] }];
    assert.ok(Math.abs(compareThrough(ours, theirs, same).ratio.median - 3) < 1e-9);
  });

  it("refuses slices that do not alternate, and a reference that did nothing", () => {
    assert.throws(() => ratios({ references: [1], variants: [1] }, same), /need 2/);
    assert.throws(() => ratios({ references: [0, 0], variants: [1] }, same), /nothing/);
  });
});

describe("the command line of the bench", () => {
  it("runs everything by default and one bench with its options", () => {
    assert.equal(readArguments([])!.benches.length, benchNames.length);
    const one = readArguments(["redirect", "--connections", "256", "--seconds", "10"])!;
    assert.deepEqual(one.benches, ["redirect"]);
    assert.deepEqual(one.connections, [256]);
    assert.equal(one.seconds, 10);
    assert.equal(one.rounds, 5);
    assert.equal(readArguments(["--help"]), null);
  });

  it("loads a running instance with what needs no server of its own", () => {
    const { target, benches, key } = readArguments(["--target", "http://127.0.0.1:3000"], {
      QRELAY_KEY: "k",
    })!;
    assert.deepEqual(
      { target, benches, key },
      { target: "http://127.0.0.1:3000", benches: ["redirect"], key: "k" },
    );
    assert.throws(() => readArguments(["start", "--target", "http://127.0.0.1:3000"]), /start/);
  });

  it("has a quick way, in which single options still hold", () => {
    const { rounds, seconds, connections, links } = readArguments(["--quick", "--rounds", "3"])!;
    assert.deepEqual(
      { rounds, seconds, connections, links },
      { rounds: 3, seconds: 1, connections: [64], links: 100_000 },
    );
  });

  it("leaves out what has no target only in a quick run of everything", () => {
    assert.equal(readArguments(["--quick"])!.isBrief, true);
    assert.equal(readArguments(["--quick", "cluster"])!.isBrief, false);
    assert.equal(readArguments([])!.isBrief, false);
  });

  it("measures both engines, or the one that is named", () => {
    assert.deepEqual(readArguments([])!.engines, ["uws", "node"]);
    assert.deepEqual(readArguments(["--engine", "node"])!.engines, ["node"]);
  });

  it("names what it cannot use", () => {
    for (const [args, named] of [
      [["--rounds", "0"], /--rounds 0/],
      [["--seconds", "1.5"], /--seconds 1\.5/],
      [["--connections", "64,x"], /--connections x/],
      [["--target", "localhost"], /--target localhost/],
      [["--engine", "diesel"], /diesel/],
      [["--speed", "9"], /--speed/],
      [["nonsense"], /nonsense/],
    ] as const) {
      assert.throws(
        () => readArguments(args),
        (error) => error instanceof UsageError && named.test(error.message),
      );
    }
  });
});

const figures: Figure[] = [
  compared(
    { bench: "redirect", name: "redirects", unit: "per second" },
    "bare uWS",
    compare([{ references: [100_000, 100_000], variants: [85_000] }], same),
    { of: "ratio", atLeast: 0.8 },
  ),
  alone({ bench: "start", name: "to the <ready> line", unit: "s" }, spread([3.4, 3.6]), {
    of: "ours",
    atMost: 3,
  }),
  alone({ bench: "render", name: "size of the SVG", unit: "bytes" }, spread([2_286])),
];

describe("what the bench shows", () => {
  it("holds each figure against its target", () => {
    assert.deepEqual(figures.map(verdict), ["reached", "missed", ""]);
    const highest = alone({ bench: "b", name: "n", unit: "ms" }, spread([1, 2, 30]), {
      of: "highest",
      atMost: 20,
    });
    assert.equal(verdict(highest), "missed");
  });

  it("prints one table with our figure, the reference's, the ratio and the target", () => {
    const lines = table(figures).split("\n");
    assert.equal(lines.length, 5);
    assert.equal(new Set(lines.map((line) => line.length)).size, 1);
    assert.match(lines[2]!, /85,000\/s .*100,000\/s bare uWS .*0\.85 .*≥ 0\.80 × .*reached/);
    assert.match(lines[3]!, /3\.50 s \(3\.40–3\.60\) .*≤ 3\.00 s .*missed/);
  });

  it("draws a chart with a bar for each figure", () => {
    const svg = plot(figures, ["a machine", "npm run bench"]);
    assert.match(svg, /^<svg [^>]*>/);
    assert.equal(svg.match(/<rect [^>]*height="16"/g)?.length, figures.length);
    assert.ok(svg.includes("to the &lt;ready&gt; line"));
    assert.ok(!/NaN|undefined|Infinity/.test(svg));
  });

  it("shows progress on a terminal only", () => {
    const written: string[] = [];
    const out = (isTTY: boolean) =>
      ({ isTTY, columns: 80, write: (text: string) => written.push(text) }) as unknown as NodeJS.WriteStream;
    const silent = openProgress(out(false));
    silent.begin("redirect", 2);
    silent.step();
    silent.end();
    assert.deepEqual(written, []);
    const shown = openProgress(out(true));
    shown.begin("redirect", 2);
    shown.step("half");
    assert.match(written.at(-1)!, /redirect .*50 % {2}half/);
  });
});

describe("the links of the bench", () => {
  it("are valid, different and have targets of 30 characters", () => {
    const slugs = new Set(Array.from({ length: 50_000 }, (_, number) => slugAt(number)));
    assert.equal(slugs.size, 50_000);
    assert.ok([...slugs].every(isSlug));
    assert.equal(targetAt(0).length, 30);
    assert.equal(targetAt(999_999).length, 30);
  });

  it("are asked for as browsers do", () => {
    const [first] = scanRequests(["qr-0123456789"]);
    assert.match(
      rawRequest(first!, "h"),
      /^GET \/qr-0123456789 HTTP\/1\.1\r\nhost: h\r\nuser-agent: Mozilla.*\r\n\r\n$/s,
    );
  });
});

describe("a short bench of redirects", () => {
  const links = 400;
  const slugs = Array.from({ length: 100 }, (_, number) => slugAt(number));
  const silent = openProgress({ isTTY: false } as NodeJS.WriteStream);
  let folder: string;
  let data: TemporaryFolder;
  let server: Server;

  before(async () => {
    folder = temporaryFolder();
    data = await dataFolder(await filledStore({ links, withRules: 100 }, silent), "copied");
    server = await startServer(qrelay(data), null);
  });
  after(async () => {
    await server.stop();
    await data.remove();
  });

  it("compares the service with the bare server", async () => {
    const requests = scanRequests(slugs);
    const load = await findGenerator(null).prepare(requests);
    const bare = await startServer({ script: "bench/servers/bare-node.ts" }, null);
    try {
      await visitAll(server.url, requests);
      // More than one, since a host that stops for a moment makes any one of them nonsense.
      const slices = await interleave(3, {
        reference: () => load.slice(bare.url, 4, 1),
        variant: () => load.slice(server.url, 4, 1),
      });
      const { ours, ratio } = compare([slices], (slice) => slice.perSecond);
      assert.ok(ours.median > 100, `only ${ours.median} redirects a second`);
      assert.ok(ratio.median > 0.05 && ratio.median < 5, `ratio ${ratio.median}`);
      assert.ok(slices.variants[0]!.p99 > 0);
    } finally {
      await bare.stop("kill");
      await load.remove();
    }
  });

  it("fails when links are refused", async () => {
    const load = await findGenerator(null).prepare(scanRequests([slugAt(links + 1)]));
    await assert.rejects(load.slice(server.url, 2, 1), /refused/);
    await load.remove();
    await assert.rejects(visitAll(server.url, scanRequests([slugAt(links + 1)])), /404/);
  });

  // Without a PATH there is no wrk.
  for (const [generator, path] of [
    ["what is installed", process.env.PATH],
    ["autocannon", ""],
  ] as const) {
    it(`loads a running instance with ${generator} and writes its results`, async () => {
      const [list, json, svg] = ["slugs", "results.json", "chart.svg"].map((name) => join(folder, name));
      await writeFile(list!, slugs.join("\n"));
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [
          ...["--import", "tsx", "bench/main.ts", "redirect", "--target", server.url, "--slugs", list!],
          ...["--rounds", "1", "--seconds", "1", "--connections", "4", "--json", json!, "--plot", svg!],
        ],
        { env: { ...process.env, PATH: path } },
      );
      const results = JSON.parse(await readFile(json!, "utf8"));
      assert.ok(stdout.includes(`load by ${results.load}`));
      if (path === "") assert.equal(results.load, "autocannon");
      assert.match(stdout, /redirects, 100 links, 4 connections .*\/s/);
      const [rate, latency] = results.figures as [Figure, Figure];
      assert.equal(rate.unit, "per second");
      assert.ok(rate.ours.median > 0);
      assert.equal(latency.unit, "ms");
      // autocannon counts whole milliseconds, and a fast machine needs less than one.
      assert.ok(latency.ours.median >= 0);
      assert.match(await readFile(svg!, "utf8"), /^<svg/);
    });
  }
});
