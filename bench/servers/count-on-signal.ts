/** Loaded before a server whose turns are counted: it tells how many there were. */
import { performance } from "node:perf_hooks";
import { tellOnSignal } from "./tell-on-signal.ts";

tellOnSignal(() => performance.nodeTiming.uvMetricsInfo.loopCount);
