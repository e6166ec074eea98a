/** Loaded before a server whose turns are counted: SIGUSR2 writes how many there were to the file of BENCH_TURNS_FILE. */
import { renameSync, writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

const file = process.env.BENCH_TURNS_FILE!;

process.on("SIGUSR2", () => {
  writeFileSync(`${file}.new`, String(performance.nodeTiming.uvMetricsInfo.loopCount));
  renameSync(`${file}.new`, file);
});
