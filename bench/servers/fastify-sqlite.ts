/**
 * A peer that keeps what it answers, as most small services do: Fastify and an SQLite file. A redirect adds to the
 * link's count in the file, a create is synced before it is answered. It checks no key and no field and draws nothing.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { fastify } from "fastify";
import { slugAt, targetAt } from "../filling/links.ts";
import { openSqlite } from "../filling/sqlite.ts";

interface Created {
  name: string;
  redirect_url: string;
}

const file = join(process.env.BENCH_FOLDER!, "links.sqlite");
const counting = openSqlite(file);
counting.pragma("journal_mode = WAL");
counting.pragma("synchronous = NORMAL");
counting.exec(
  "CREATE TABLE link (slug TEXT PRIMARY KEY, target TEXT, name TEXT, scans INTEGER) WITHOUT ROWID",
);
counting.exec("BEGIN");
const fill = counting.prepare("INSERT INTO link VALUES (?, ?, '', 0)");
for (let number = 0; number < Number(process.env.BENCH_LINKS); number++) {
  fill.run(slugAt(number), targetAt(number));
}
counting.exec("COMMIT");
const creating = openSqlite(file);
creating.pragma("synchronous = FULL");

const scan = counting.prepare("UPDATE link SET scans = scans + 1 WHERE slug = ? RETURNING target");
const create = creating.prepare("INSERT INTO link VALUES (?, ?, ?, 0)");

const app = fastify({ logger: false });
app.get<{ Params: { slug: string } }>("/:slug", (request, reply) => {
  const link = scan.get(request.params.slug) as { target: string } | undefined;
  if (link === undefined) return reply.code(404).send();
  return reply
    .code(302)
    .header("location", link.target)
    .header("cache-control", "no-store")
    .header("x-robots-tag", "noindex")
    .header("x-content-type-options", "nosniff")
    .send();
});
app.post<{ Body: Created }>("/v1/qr-codes", (request, reply) => {
  const slug = `qr-${randomBytes(5).toString("hex")}`;
  const { name, redirect_url } = request.body;
  create.run(slug, redirect_url, name);
  return reply.code(201).send({ success: true, slug, label: name, redirect_url, scans: 0 });
});
console.log(`listening on ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
