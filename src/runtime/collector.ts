/**
 * How the collector of memory works on the cores that there are.
 *
 * By default it shares the collection of young memory out among four threads, and the event loop waits for all of them.
 * Where they have one core for all, sharing gains nothing, and each of them may have to wait for whoever else wants that
 * core, such as the store's threads: the loop then stands still for as long as the unluckiest.
 */
import { availableParallelism } from "node:os";
import { setFlagsFromString } from "node:v8";

export function fitCollectorToCores(cores = availableParallelism()): void {
  if (cores === 1) setFlagsFromString("--no-parallel-scavenge");
}
