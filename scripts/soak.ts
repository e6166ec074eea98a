/** `npm run soak`: the service under mixed traffic and restarts for some minutes; see `--help`. */
import { writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { openProgress } from "../bench/report/progress.ts";
import { UsageError } from "../bench/usage.ts";
import { readArguments, usage } from "./soak/arguments.ts";
import { plot } from "./soak/report/plot.ts";
import { isGood, report } from "./soak/report/report.ts";
import type { Sample } from "./soak/report/samples.ts";
import { soak } from "./soak/run.ts";

const mib = 2 ** 20;
const minute = 60;

async function main(args: string[]): Promise<number> {
  const options = readArguments(args);
  if (options === null) {
    process.stdout.write(usage);
    return 0;
  }
  const machine = `${cpus()[0]?.model.trim() ?? "unknown processor"}, ${availableParallelism()} cores, Node ${process.versions.node}`;
  const circumstances = `${machine}; ${options.rate} requests/s, seed ${options.seed}`;
  console.log(circumstances);
  const progress = openProgress(process.stderr);
  progress.begin("soak", options.minutes * minute);
  let minutes = 0;
  const result = await soak(options, (sample) => {
    progress.step(lineOf(sample));
    if (process.stderr.isTTY || sample.second < (minutes + 1) * minute) return;
    minutes = Math.floor(sample.second / minute);
    console.error(`minute ${minutes}: ${lineOf(sample)}`);
  });
  progress.end();

  console.log(`\n${report(result)}`);
  await writeFile(options.plotFile, plot(result, circumstances));
  if (options.jsonFile !== null)
    await writeFile(options.jsonFile, `${JSON.stringify({ circumstances, ...result }, null, 1)}\n`);
  return isGood(result) ? 0 : 1;
}

function lineOf({ residentBytes, scans, api, failed }: Sample): string {
  const memory = residentBytes === null ? "away" : `${Math.round(residentBytes / mib)} MiB`;
  const p99 = [scans.p99, api.p99].map((ms) => (ms === null ? "-" : ms.toFixed(1))).join(" / ");
  return `${memory}, ${scans.count + api.count} requests/s, p99 of scans / API ${p99} ms${failed > 0 ? `, ${failed} FAILED` : ""}`;
}

process.exitCode = await main(process.argv.slice(2)).catch((cause: Error) => {
  const expected = cause instanceof UsageError;
  console.error(expected ? `qrelay soak: ${cause.message}; see --help` : cause);
  return expected ? 2 : 1;
});
