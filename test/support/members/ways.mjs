/** Loaded into a member before anything else: what it dials goes the way that a test has laid, which can be cut. */
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

/** @type {Record<string, number>} Ports to dial, by those that are asked for. */
const ways = JSON.parse(process.env.TEST_WAYS ?? "{}");
const { connect } = net;

/** @type {any} */
const dial = (/** @type {any} */ options, /** @type {any[]} */ ...rest) => {
  const port = ways[options?.port];
  return connect(port === undefined ? options : { ...options, port }, ...rest);
};
Object.assign(net, { connect: dial, createConnection: dial });
syncBuiltinESMExports();
