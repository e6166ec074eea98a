/**
 * Loaded before the service so that it finds no parser of Node's to use directly and keeps to the documented
 * interface of `node:http`, as it does on a Node whose parser is not what it expects.
 */
import { Server } from "node:http";
import { Socket } from "node:net";

type Emit = (this: Server, event: string, ...rest: unknown[]) => boolean;

const emit = Server.prototype.emit as Emit;
Server.prototype.emit = function (this: Server, event: string, ...rest: unknown[]): boolean {
  const isNoNetwork = event === "connection" && !(rest[0] instanceof Socket);
  return isNoNetwork ? false : emit.call(this, event, ...rest);
};
