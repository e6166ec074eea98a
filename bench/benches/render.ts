/** Rendering: images a second and thread, their size, and what the event loop and a client feel of it. */
import { setTimeout as pause } from "node:timers/promises";
import { type Bench, type BenchContext, interleaved } from "../bench.ts";
import { dataFolder, filledStore } from "../filling/fill.ts";
import { accounts, keyOf } from "../filling/links.ts";
import { openApi } from "../load/api-client.ts";
import { type Core, runToEnd, startServer } from "../processes.ts";
import { compare, median, type Slices, spread } from "../report/compare.ts";
import { alone, compared, type Figure } from "../report/figures.ts";
import { qrelay } from "../servers/qrelay.ts";
import type { RenderSlice } from "../servers/render-slice.ts";

const bench = "render";
const perSecond = (slice: RenderSlice) => slice.perSecond;
const createdAtRest = 20;
const restMs = 50;

export const render: Bench = async (context) => {
  const { options, cores, progress } = context;
  const drawn = (kind: "qrelay" | "qrcode" | "idle", threads: number, core: Core) => {
    const args = [kind, String(threads), String(options.seconds)];
    return runToEnd<RenderSlice>({ script: "bench/servers/render-slice.ts", args }, core);
  };
  const slice = async (...what: Parameters<typeof drawn>) => {
    const figures = await drawn(...what);
    progress.step(`${what[0]}, ${what[1]} threads`);
    return figures;
  };
  /** Two that share nothing but the machine. */
  const twoAtOnce = async () => {
    const [one, other] = await Promise.all([drawn("qrelay", 1, cores.all), drawn("qrelay", 1, cores.all)]);
    progress.step("2 processes");
    return { ...one, perSecond: one.perSecond + other.perSecond };
  };
  const againstQrcode: Slices<RenderSlice>[] = [];
  const twoThreads: Slices<RenderSlice>[] = [];
  const twoProcesses: Slices<RenderSlice>[] = [];
  const againstIdle: Slices<RenderSlice>[] = [];
  const comparisons = options.isBrief ? 3 : 4;
  progress.begin(bench, options.rounds * (comparisons * (2 * options.pairs + 1) + 1));
  const toDone: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    againstQrcode.push(
      await interleaved(context, {
        reference: () => slice("qrcode", 1, cores.server),
        variant: () => slice("qrelay", 1, cores.server),
      }),
    );
    twoThreads.push(
      await interleaved(context, {
        reference: () => slice("qrelay", 1, cores.all),
        variant: () => slice("qrelay", 2, cores.all),
      }),
    );
    if (!options.isBrief) {
      twoProcesses.push(
        await interleaved(context, {
          reference: () => slice("qrelay", 1, cores.all),
          variant: twoAtOnce,
        }),
      );
    }
    againstIdle.push(
      await interleaved(context, {
        reference: () => slice("idle", 1, cores.all),
        variant: () => slice("qrelay", 1, cores.all),
      }),
    );
    toDone.push(await msToDone(context));
    progress.step("creation to done");
  }
  progress.end();
  return [...speed(againstQrcode, twoThreads, twoProcesses), ...calm(againstIdle), timeToDone(toDone)];
};

function speed(
  againstQrcode: Slices<RenderSlice>[],
  twoThreads: Slices<RenderSlice>[],
  twoProcesses: Slices<RenderSlice>[],
): Figure[] {
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
function scaling(twoProcesses: Slices<RenderSlice>[]): Figure {
  const about = {
    bench,
    name: "SVG and PNG of 512 px, 2 processes of 1 thread",
    unit: "per second",
  } as const;
  return compared(about, "1 thread", compare(twoProcesses, perSecond));
}

function calm(againstIdle: Slices<RenderSlice>[]): Figure[] {
  const longest = spread(againstIdle.flatMap(({ variants }) => variants.map((slice) => slice.loopDelayMax)));
  return [
    compared(
      { bench, name: "p99 of event-loop delay, rendering flat out", unit: "ms" },
      "idle",
      compare(againstIdle, (slice) => slice.loopDelayP99),
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
