import { type AddressInfo, createServer } from "node:net";

/** A port that a restart can take again: one that was bound as "any" port cannot be for a minute. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const trial = createServer().once("error", reject);
    trial.listen(0, "127.0.0.1", () => {
      const { port } = trial.address() as AddressInfo;
      trial.close(() => resolve(port));
    });
  });
}
