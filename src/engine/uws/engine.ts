import type { us_listen_socket } from "uWebSockets.js";
import { CannotListen, type Engine, type HttpApp } from "../engine.ts";
import { loadUws } from "./library.ts";

/** An overload that the library has and its types leave out. */
type ListenWithOptions = (
  host: string,
  port: number,
  options: number,
  done: (socket: us_listen_socket | false) => void,
) => void;

/** By default the library shares a port with whoever has it, and half of the requests would go astray. */
const exclusivePort = 1;

/** Fails where there is no build. What `createApp` returns is the library's own, with nothing around it. */
export function uwsEngine(): Engine {
  const library = loadUws();
  return {
    name: "uws",
    answersBestTogether: false,
    readsChunksStrictly: false,
    createApp: (): HttpApp => library.App(),
    listen: (app, host, port) =>
      new Promise((resolve, reject) => {
        (app as unknown as { listen: ListenWithOptions }).listen(host, port, exclusivePort, (socket) => {
          if (!socket) return reject(new CannotListen(host, port));
          resolve({
            port: library.us_socket_local_port(socket),
            close: () => library.us_listen_socket_close(socket),
          });
        });
      }),
  };
}
