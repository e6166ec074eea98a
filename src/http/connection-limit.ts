import type { TemplatedApp } from "../uws.ts";

/** Connections at the same time. What comes above is closed before a byte of it is read. */
export const connectionsMax = 50_000;

export interface Connections {
  readonly open: number;
}

/** The library accepts whatever the system hands it; here is where it stops. */
export function limitConnections(app: TemplatedApp, most: number = connectionsMax): Connections {
  const connections = { open: 0 };
  const changed: Parameters<TemplatedApp["filter"]>[0] = (res, change) => {
    const opened = Number(change) > 0;
    connections.open += opened ? 1 : -1;
    if (opened && connections.open > most) res.close();
  };
  app.filter(changed);
  return connections;
}
