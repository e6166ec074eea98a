import { readFileSync } from "node:fs";
import { connectionsMax, filesKept } from "../limits.ts";
import type { TemplatedApp } from "../uws.ts";

export interface Connections {
  readonly open: number;
}

/**
 * The library accepts whatever the system hands it; here is where it stops. What comes above is closed before
 * a byte of it is read. Never are all files of the process given away: without one to spare, the library
 * spins over the connection that it cannot accept, and no thread and no file of ours can be opened.
 */
export function limitConnections(app: TemplatedApp, most: number = connectionsAllowed()): Connections {
  const connections = { open: 0 };
  const changed: Parameters<TemplatedApp["filter"]>[0] = (res, change) => {
    const opened = Number(change) > 0;
    connections.open += opened ? 1 : -1;
    if (opened && connections.open > most) res.close();
  };
  app.filter(changed);
  return connections;
}

export function connectionsAllowed(filesMax: number = openFilesMax()): number {
  return Math.max(1, Math.min(connectionsMax, filesMax - filesKept));
}

/** What the system lets this process have open; infinite where it does not say. */
function openFilesMax(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "latin1");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
