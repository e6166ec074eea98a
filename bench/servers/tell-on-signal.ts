/** How a server that is measured tells something of itself: at SIGUSR2 it writes a number to the file of BENCH_TOLD_FILE. */
import { renameSync, writeFileSync } from "node:fs";

const file = process.env.BENCH_TOLD_FILE!;

export function tellOnSignal(told: () => number): void {
  process.on("SIGUSR2", () => {
    writeFileSync(`${file}.new`, String(told()));
    renameSync(`${file}.new`, file);
  });
}
