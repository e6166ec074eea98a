/** The network of the bus: TCP connections, in TLS where that is configured, then with certificates on both sides. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, isIP, type Server, type Socket } from "node:net";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { busDialMsMax } from "../../limits.ts";
import type { BusNetwork } from "./bus.ts";
import type { Wire } from "./wire.ts";

export interface BusTls {
  cert: string;
  key: string;
  /** Whose certificates are believed. */
  ca: string;
}

export interface BusAddress {
  host: string;
  port: number;
}

/** `host:port`, an IPv6 address in brackets; null when it is not one. */
export function parseBusAddress(text: string): BusAddress | null {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) return null;
  if (bracketed !== undefined && isIP(bracketed) !== 6) return null;
  return { host: (bracketed ?? plain)!, port };
}

/** Resolves when it listens at the address. */
export async function openTcpNetwork(
  own: BusAddress,
  tls: BusTls | null,
): Promise<BusNetwork & { port: number }> {
  let accepted: (wire: Wire) => void = (wire) => wire.close();
  const take = (socket: Socket) => accepted(tcpWire(socket));
  const server: Server =
    tls === null ? createServer(take) : createTlsServer({ ...tls, requestCert: true }, take);
  // A handshake that fails is the client's affair.
  server.on("tlsClientError", () => {});
  server.listen(own.port, own.host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    accept(to) {
      accepted = to;
    },
    dial: (address) => dial(address, tls),
    close: () => void server.close(),
  };
}

async function dial(address: string, tls: BusTls | null): Promise<Wire> {
  const to = parseBusAddress(address);
  if (to === null) throw new Error(`${address} is no address of a member`);
  const servername = isIP(to.host) === 0 ? to.host : "";
  const socket = tls === null ? connect(to) : connectTls({ ...to, ...tls, servername });
  const late = setTimeout(() => socket.destroy(new Error("it does not answer")), busDialMsMax);
  try {
    await once(socket, tls === null ? "connect" : "secureConnect");
    return tcpWire(socket);
  } finally {
    clearTimeout(late);
  }
}

function tcpWire(socket: Socket): Wire {
  socket.setNoDelay(true);
  // Before anybody listens, and after it is closed, there may be errors: they end in `close`.
  socket.on("error", () => {});
  return {
    send: (bytes) => void socket.write(bytes),
    get unsentBytes() {
      return socket.writableLength;
    },
    close: () => void socket.destroy(),
    listen({ got, closed }) {
      socket.on("data", got);
      socket.on("close", closed);
      if (socket.destroyed) queueMicrotask(closed);
    },
  };
}
