import { readFileSync } from "node:fs";
import type { ConnectionFilter, HttpApp } from "../engine/engine.ts";
import { connectionsMax, filesKept } from "../limits.ts";

export interface Connections {
  readonly open: number;
}

/**
 * An engine accepts whatever the system hands it; here is where it stops. What comes above is closed before
 * a byte of it is read. Never are all files of the process given away: without one to spare, an
 * engine spins over the connection that it cannot accept, and no thread and no file of ours can be opened.
 */
export function limitConnections(app: HttpApp, most: number = connectionsAllowed()): Connections {
  const connections = { open: 0 };
  const changed: ConnectionFilter = (connection, change) => {
    const opened = Number(change) > 0;
    connections.open += opened ? 1 : -1;
    if (opened && connections.open > most) connection.close();
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
