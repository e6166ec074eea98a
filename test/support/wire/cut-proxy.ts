/**
 * A way to a server that can be cut in either direction without anybody being told: connections stay, and hang. Whoever
 * ends one is not heard either in a direction that is cut, and new ones come about in neither: that takes both.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Seen from the one who dials. */
export type Direction = "out" | "in";

export interface CutProxy {
  readonly port: number;
  /** Nothing gets through in this direction any more. */
  cut(direction: Direction): void;
  heal(): void;
  close(): void;
}

export async function startCutProxy(host: string, port: number): Promise<CutProxy> {
  const open = new Set<Socket>();
  const lost = new Set<Direction>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => {}).on("close", () => open.delete(socket));
  };
  const carry = (from: Socket, to: Socket, direction: Direction) => {
    from.on("data", (bytes) => lost.has(direction) || to.write(bytes));
    from.on("close", () => lost.has(direction) || to.destroy());
  };
  const endAll = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((client) => {
    keep(client);
    if (lost.size > 0) return;
    const upstream = connect(port, host);
    keep(upstream);
    carry(client, upstream, "out");
    carry(upstream, client, "in");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    cut: (direction) => void lost.add(direction),
    heal() {
      if (lost.size === 0) return;
      lost.clear();
      // What was lost on a connection leaves it useless: those of a healed way are new ones.
      endAll();
    },
    close() {
      server.close();
      endAll();
    },
  };
}
