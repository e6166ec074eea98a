import { createServer } from "node:net";

/**
 * Below those that a system gives to connections, and to servers that take any: until a port is used, nobody else may
 * get it.
 */
const range = { first: 20_000, ports: 12_000 };
/** Processes that run beside each other have numbers close to each other. */
const apart = 97;

let next = process.pid * apart;

/** A port that a restart can take again: one that was bound as "any" port cannot be for a minute. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < range.ports; tries++) {
    const port = range.first + (next++ % range.ports);
    if (await isFree(port)) return port;
  }
  throw new Error("no port is free");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const trial = createServer().once("error", () => resolve(false));
    trial.listen(port, "127.0.0.1", () => trial.close(() => resolve(true)));
  });
}
