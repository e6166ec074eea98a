/** A way to a server that can be cut in either direction without anybody being told: connections stay, and hang. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface CutProxy {
  readonly port: number;
  /** What of the two directions gets through. */
  let(through: { out: boolean; in: boolean }): void;
  close(): void;
}

export async function startCutProxy(host: string, port: number): Promise<CutProxy> {
  const open = new Set<Socket>();
  let through = { out: true, in: true };
  const server = createServer((client) => {
    const upstream = connect(port, host);
    const pair = [client, upstream];
    const end = () => {
      for (const socket of pair) {
        open.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of pair) {
      open.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.on("data", (bytes) => through.out && upstream.write(bytes));
    upstream.on("data", (bytes) => through.in && client.write(bytes));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    let(next) {
      // What was lost on a connection leaves it useless: those of a healed way are new ones.
      if (next.out && next.in) for (const socket of open) socket.destroy();
      through = next;
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
