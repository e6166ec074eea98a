/**
 * A bound of the uws engine: what looks at every header line, finds a link and counts its scan, all in memory, and does
 * nothing else. It decides nothing, keeps nothing of the visitor and loses its counts with the process: more than it
 * leaves of the bare server's speed cannot be left by who does.
 */
import type { HttpResponse } from "../../src/engine/engine.ts";
import { loadUws } from "../../src/engine/uws/library.ts";
import { linksBySlug } from "./map.ts";

interface Link {
  head: Uint8Array;
  scans: number;
}

const { App, us_socket_local_port } = loadUws();
const links = new Map<string, Link>();
for (const [slug, target] of linksBySlug()) links.set(slug, { head: headTo(target), scans: 0 });

/** Whether a line says anything of a body: asked by name, the library would not tell of one that is empty. */
let namesBody = false;
const look = (name: string) => {
  if (name === "content-length" || name === "transfer-encoding") namesBody = true;
};

const app = App();
app.get("/:slug", (res: HttpResponse, req) => {
  namesBody = false;
  req.forEach(look);
  const link = links.get(req.getParameter(0)!);
  if (link === undefined || namesBody) {
    res.close();
    return;
  }
  link.scans++;
  res.writeStatus(link.head).endWithoutBody();
});
app.listen("127.0.0.1", 0, (socket) => {
  if (socket === false) throw new Error("cannot listen");
  console.log(`listening on http://127.0.0.1:${us_socket_local_port(socket)}`);
});

/** The headers that links answer with, in the status: the library passes them through. */
function headTo(target: string): Uint8Array {
  const lines = [
    "302 Found",
    "Content-Length: 0",
    "Cache-Control: no-store",
    "X-Robots-Tag: noindex",
    "X-Content-Type-Options: nosniff",
    `Location: ${target}`,
  ];
  return Buffer.from(lines.join("\r\n"), "latin1");
}
