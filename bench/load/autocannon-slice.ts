/** One slice of load by autocannon, in a process of its own that can be pinned. Prints what `wrk.lua` prints. */
import { readFileSync } from "node:fs";
import autocannon from "autocannon";
import type { LoadRequest } from "./requests.ts";

const [file, url, connectionsText, secondsText] = process.argv.slice(2) as [string, string, string, string];
const requests = JSON.parse(readFileSync(file, "utf8")) as LoadRequest[];
const connections = Number(connectionsText);
let place = 0;

const result = await autocannon({
  url,
  connections,
  duration: Number(secondsText),
  timeout: 10,
  // Each connection begins elsewhere, so that together they ask for as many different links as one list has.
  setupClient(client) {
    const from = Math.floor((place++ * requests.length) / connections);
    client.setRequests(
      requests.slice(from).concat(requests.slice(0, from)).slice(0, requestsPerConnection()),
    );
  },
});
const figures = {
  requests: result.requests.total,
  seconds: result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  refused: result["4xx"] + result["5xx"],
  failed: result.errors + result.timeouts,
};
console.log(`figures ${JSON.stringify(figures)}`);

/** autocannon builds the bytes of every request of every connection beforehand. */
function requestsPerConnection(): number {
  return Math.max(1, Math.ceil(requests.length / connections));
}
