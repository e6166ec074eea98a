/**
 * Loaded before a server whose memory is measured, with `--expose-gc`: it collects all garbage before it tells how much
 * is in use, so that what is left is what the server keeps and not when its collector last ran.
 */
import { tellOnSignal } from "./tell-on-signal.ts";

tellOnSignal(() => {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
});
