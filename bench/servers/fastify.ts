/** A peer: the redirect on Fastify. */
import { fastify } from "fastify";
import { linksBySlug } from "./map.ts";

const links = linksBySlug();
const app = fastify({ logger: false });

app.get<{ Params: { slug: string } }>("/:slug", (request, reply) => {
  const target = links.get(request.params.slug);
  if (target === undefined) return reply.code(404).send();
  return reply
    .code(302)
    .header("location", target)
    .header("cache-control", "no-store")
    .header("x-robots-tag", "noindex")
    .header("x-content-type-options", "nosniff")
    .send();
});
console.log(`listening on ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
