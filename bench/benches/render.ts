/** Rendering: images a second and thread, their size, and what the event loop and a client feel of it. */
import { setTimeout as pause } from "node:timers/promises";
import { type Bench, type BenchContext, interleaved } from "../bench.ts";
import { dataFolder, filledStore } from "../filling/fill.ts";
import { accounts, keyOf } from "../filling/links.ts";
import { openApi } from "../load/api-client.ts";
import { startServer, startTeller, type Teller } from "../processes.ts";
import { compare, median, type Slices, spread } from "../report/compare.ts";
import { alone, compared, type Figure } from "../report/figures.ts";
import type { Drawn } from "../servers/drawing.ts";
import { qrelay } from "../servers/qrelay.ts";

interface Rounds {
  againstQrcode: Slices<Drawn>[];
  twoThreads: Slices<Drawn>[];
  twoProcesses: Slices<Drawn>[];
  againstRest: Slices<Drawn>[];
}

const bench = "render";
const perSecond = (slice: Drawn) => slice.perSecond;
const warmUpSeconds = { brief: 0.7, thorough: 6 };
const createdAtRest = 20;
const restMs = 50;

export const render: Bench = async (context) => {
  const { options, progress } = context;
  const done: Rounds = { againstQrcode: [], twoThreads: [], twoProcesses: [], againstRest: [] };
  const comparisons = options.isBrief ? 3 : 4;
  progress.begin(bench, options.rounds * (comparisons * (2 * options.pairs + 1) + 1));
  const toDone: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    await runRound(done, context);
    toDone.push(await msToDone(context));
    progress.step("creation to done");
  }
  progress.end();
  return [...speed(done), ...calm(done.againstRest), timeToDone(toDone)];
};

async function runRound(done: Rounds, context: BenchContext): Promise<void> {
  const { options, cores, progress } = context;
  const draw = `draw ${options.seconds}`;
  const rest = `rest ${options.seconds}`;
  const started: Teller<Drawn>[] = [];
  const start = async (kind: "qrelay" | "qrcode", threads: number, core = cores.all) => {
    const args = [kind, String(threads)];
    const drawing = await startTeller<Drawn>({ script: "bench/servers/drawing.ts", args }, core);
    started.push(drawing);
    // Until it is compiled: the threads that compile take time from both the loop and the threads that draw.
    await drawing.tell(`draw ${warmUpSeconds[options.isBrief ? "brief" : "thorough"]}`);
    return drawing;
  };
  const slice =
    (name: string, drawing: Teller<Drawn>, line = draw) =>
    async () => {
      const drawn = await drawing.tell(line);
      progress.step(name);
      return drawn;
    };
  try {
    const qrcode = await start("qrcode", 1, cores.server);
    const pinned = await start("qrelay", 1, cores.server);
    done.againstQrcode.push(
      await interleaved(context, {
        reference: slice("qrcode", qrcode),
        variant: slice("1 thread on a core", pinned),
      }),
    );
    const one = await start("qrelay", 1);
    const two = await start("qrelay", 2);
    const oneThread = slice("1 thread", one);
    done.twoThreads.push(
      await interleaved(context, { reference: oneThread, variant: slice("2 threads", two) }),
    );
    if (!options.isBrief) {
      const another = await start("qrelay", 1);
      /** They share nothing but the machine. */
      const both = async () => {
        const [here, there] = await Promise.all([one.tell(draw), another.tell(draw)]);
        progress.step("2 processes");
        return { ...here, perSecond: here.perSecond + there.perSecond };
      };
      done.twoProcesses.push(await interleaved(context, { reference: oneThread, variant: both }));
    }
    done.againstRest.push(
      await interleaved(context, { reference: slice("at rest", one, rest), variant: oneThread }),
    );
  } finally {
    for (const drawing of started) drawing.stop();
  }
}

function speed({ againstQrcode, twoThreads, twoProcesses }: Rounds): Figure[] {
  const pngBytes = compare(againstQrcode, (slice) => slice.pngBytes);
  const svgBytes = spread(againstQrcode.flatMap(({ variants }) => variants.map((slice) => slice.svgBytes)));
  return [
    compared(
      { bench, name: "SVG and PNG of 512 px, 1 thread", unit: "per second" },
      "qrcode.toBuffer, PNG only",
      compare(againstQrcode, perSecond),
      { of: "ratio", atLeast: 8 },
    ),
    compared(
      { bench, name: "SVG and PNG of 512 px, 2 threads", unit: "per second" },
      "1 thread",
      compare(twoThreads, perSecond),
      { of: "ratio", atLeast: 1.7 },
    ),
    ...(twoProcesses.length === 0 ? [] : [scaling(twoProcesses)]),
    compared({ bench, name: "size of the PNG", unit: "bytes" }, "qrcode.toBuffer", pngBytes, {
      of: "ours",
      atMost: 4_096,
    }),
    alone({ bench, name: "size of the SVG", unit: "bytes" }, svgBytes),
  ];
}

/** What the machine itself makes of two cores: more than this no threads can reach. */
function scaling(twoProcesses: Slices<Drawn>[]): Figure {
  const about = {
    bench,
    name: "SVG and PNG of 512 px, 2 processes of 1 thread",
    unit: "per second",
  } as const;
  return compared(about, "1 thread", compare(twoProcesses, perSecond));
}

function calm(againstRest: Slices<Drawn>[]): Figure[] {
  const longest = spread(againstRest.flatMap(({ variants }) => variants.map((slice) => slice.loopDelayMax)));
  return [
    compared(
      { bench, name: "p99 of event-loop delay, rendering flat out", unit: "ms" },
      "at rest",
      compare(againstRest, (slice) => slice.loopDelayP99),
      { of: "ratio", atMost: 2 },
    ),
    alone({ bench, name: "longest event-loop delay, rendering flat out", unit: "ms" }, longest, {
      of: "highest",
      atMost: 20,
    }),
  ];
}

function timeToDone(times: number[]): Figure {
  return alone({ bench, name: "creation to done, at rest", unit: "ms" }, spread(times), {
    of: "ours",
    atMost: 100,
  });
}

/** One code after the other on a server that does nothing else; the median of a few. */
async function msToDone({ cores, progress }: BenchContext): Promise<number> {
  const data = await dataFolder(await filledStore({ links: 2_000, withRules: 0 }, progress), "copied");
  const server = await startServer(qrelay(data), cores.all);
  const api = openApi(server.url, keyOf(accounts.few));
  try {
    const times: number[] = [];
    for (let code = 0; code <= createdAtRest; code++) {
      await pause(restMs);
      const began = performance.now();
      await api.rendered(await api.create({ redirect_url: "https://example.com/" }), 1);
      times.push(performance.now() - began);
    }
    // The first one waits for the render thread to start, which happens once.
    return median(times.slice(1));
  } finally {
    api.close();
    await server.stop("kill");
    await data.remove();
  }
}
