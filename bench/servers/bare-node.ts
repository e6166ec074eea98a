/** The reference of the node engine: Node's own server with constant answers, to a body once it has arrived. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answer, status, target } from "./constant.ts";

const server = createServer((request, response) => {
  if (request.method === "GET" && !request.url!.startsWith("/v1/")) {
    response.writeHead(302, { location: target, "content-length": 0 }).end();
    return;
  }
  const reply = () => {
    response.writeHead(status, { "content-type": "application/json", "content-length": answer.length });
    response.end(answer);
  };
  if (request.method === "GET") reply();
  else request.resume().on("end", reply);
});
server.listen(0, "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
