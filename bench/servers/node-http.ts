/** A peer: the redirect on Node's own server. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { linksBySlug } from "./map.ts";

const links = linksBySlug();
const server = createServer((request, response) => {
  const target = links.get(request.url!.slice(1));
  if (target === undefined) response.writeHead(404, { "content-length": 0 });
  else {
    response.writeHead(302, {
      location: target,
      "cache-control": "no-store",
      "x-robots-tag": "noindex",
      "x-content-type-options": "nosniff",
      "content-length": 0,
    });
  }
  response.end();
});
server.listen(0, "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
