/** Connections of the store that end with their test: one that is left open keeps the process of a failed test for ever. */
import { type Connection, connect } from "../../../src/store/mongo/client.ts";
import { StoreUnavailable } from "../../../src/store/store.ts";
import { endsWithTest } from "../endings.ts";

const triesMax = 3;

export async function connectForTest(url: string): Promise<Connection> {
  const connection = await connect(url);
  endsWithTest(() => connection.client.close());
  return connection;
}

/** A server that does not answer for a second, on a machine that stands still, says nothing about what is tested: once more. */
export function patiently(run: () => Promise<void>): () => Promise<void> {
  return async () => {
    for (let tries = 1; ; tries++) {
      try {
        return await run();
      } catch (cause) {
        const isLate = cause instanceof StoreUnavailable && cause.message.includes("did not answer within");
        if (!isLate || tries === triesMax) throw cause;
      }
    }
  };
}
