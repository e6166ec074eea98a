/**
 * A bound of the uws engine: what looks at every header line, finds a link, counts its scan in memory and answers, by
 * the service's own means, and does nothing else. It decides nothing, keeps nothing of the visitor and loses its counts
 * with the process: more than it leaves of the bare server's speed cannot be left by who does.
 */
import type { HttpResponse } from "../../src/engine/engine.ts";
import { loadUws } from "../../src/engine/uws/library.ts";
import { LinkTable } from "../../src/link/link-table.ts";
import { ProjectStates, projectless } from "../../src/link/project-states.ts";
import { slugKey } from "../../src/link/slug.ts";
import { Zones } from "../../src/link/zones.ts";
import { RedirectHead } from "../../src/redirect/redirect-head.ts";
import { slugAt, targetAt } from "../filling/links.ts";

const { App, us_socket_local_port } = loadUws();
const table = filledTable(Number(process.env.BENCH_LINKS));
const head = new RedirectHead(table);

/** Whether a line says anything of a body: asked by name, the library would not tell of one that is empty. */
let namesBody = false;
const look = (name: string) => {
  if (name === "content-length" || name === "transfer-encoding") namesBody = true;
};

const app = App();
app.get("/:slug", (res: HttpResponse, req) => {
  namesBody = false;
  req.forEach(look);
  const slot = table.find(slugKey(req.getParameter(0)!));
  if (slot < 0 || namesBody) {
    res.close();
    return;
  }
  table.addScan(slot);
  res.writeStatus(head.of(slot)).endWithoutBody();
});
app.listen("127.0.0.1", 0, (socket) => {
  if (socket === false) throw new Error("cannot listen");
  console.log(`listening on http://127.0.0.1:${us_socket_local_port(socket)}`);
});

function filledTable(links: number): LinkTable {
  const filled = new LinkTable(links, new ProjectStates(), new Zones());
  for (let number = 0; number < links; number++) {
    const fields = { flags: 0, expiresAt: 0, limit: 0, url: targetAt(number), text: null, rules: null };
    filled.describe(filled.insert(slugKey(slugAt(number))), projectless, fields);
  }
  return filled;
}
