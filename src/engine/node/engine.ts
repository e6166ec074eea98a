import type { AddressInfo, Server } from "node:net";
import { lookMs } from "../../limits.ts";
import {
  CannotListen,
  type ConnectionFilter,
  type Engine,
  type HttpApp,
  type Listening,
  type RefuseMalformed,
  STATUS_CODES,
} from "../engine.ts";
import type { Connection, EngineParts } from "./connection.ts";
import { CrowdMemory } from "./give-back.ts";
import { RoutedApp } from "./router.ts";
import { Turns } from "./turns.ts";
import { directServer } from "./wire/direct.ts";
import { documentedServer } from "./wire/documented.ts";
import { openParsers, type Parsers } from "./wire/parser.ts";

/** `node:http`, which is everywhere. */
export function nodeEngine(parsers: Parsers | null = openParsers()): Engine {
  return {
    name: "node",
    answersBestTogether: true,
    readsChunksStrictly: true,
    createApp: (refuse = plainly) => new NodeApp(parsers, refuse),
    listen: (app, host, port) => (app as NodeApp).listen(host, port),
  };
}

const plainly: RefuseMalformed = ({ status, problem }) => ({
  head: `${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain; charset=utf-8`,
  body: problem,
});

class NodeApp extends RoutedApp implements HttpApp, EngineParts {
  readonly turns = new Turns();
  readonly refuse: RefuseMalformed;
  tick = 0;
  readonly #parsers: Parsers | null;
  readonly #connections = new Set<Connection<never>>();
  readonly #memory = new CrowdMemory();
  readonly #looking: NodeJS.Timeout;
  #filter: ConnectionFilter = () => {};
  #listening: Listening | null = null;

  constructor(parsers: Parsers | null, refuse: RefuseMalformed) {
    super();
    this.refuse = refuse;
    this.#parsers = parsers;
    this.#looking = setInterval(() => this.#look(), lookMs).unref();
  }

  filter(changed: ConnectionFilter): void {
    this.#filter = changed;
  }

  close(): void {
    this.#listening?.close();
    clearInterval(this.#looking);
    for (const connection of [...this.#connections]) connection.cut();
  }

  listen(host: string, port: number): Promise<Listening> {
    const opened = (connection: Connection<never>) => this.#opened(connection);
    const server: Server =
      this.#parsers === null ? documentedServer(this, opened) : directServer(this.#parsers, this, opened);
    return new Promise((resolve, reject) => {
      server.once("error", () => reject(new CannotListen(host, port)));
      server.listen({ host, port, exclusive: true }, () => {
        this.#listening = { port: (server.address() as AddressInfo).port, close: () => void server.close() };
        resolve(this.#listening);
      });
    });
  }

  gone(connection: Connection<never>): void {
    if (this.#connections.delete(connection)) this.#filter({ close() {} }, -1);
  }

  /** False when the connection is not wanted. */
  #opened(connection: Connection<never>): boolean {
    this.#connections.add(connection);
    this.#filter({ close: () => connection.cut() }, 1);
    return !connection.isGone;
  }

  #look(): void {
    this.tick++;
    this.#memory.look(this.#connections.size, this.tick);
    for (const connection of this.#connections) {
      if (connection.deadline !== 0 && connection.deadline <= this.tick) connection.cut();
    }
  }
}
