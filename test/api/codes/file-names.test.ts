/** A downloaded file is named by its slug: whoever has the image must not learn the owner's label from it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../support/server.ts";

const server = await startServer();

test("a file is downloaded under the slug of its code, never under its label", async () => {
  const code = await server.api.createRendered({ name: "Acme takeover, secret" });
  for (const url of [code.file_url_svg, code.file_url_png] as string[]) {
    const path = new URL(url).pathname;
    const plain = await server.api.get(path, 200);
    assert.equal(plain.headers.get("content-disposition"), null);
    const saved = await server.api.get(`${path}?download=1`, 200);
    const name = `attachment; filename="${code.slug}.${path.slice(-3)}"`;
    assert.equal(saved.headers.get("content-disposition"), name);
    assert.equal(saved.text, plain.text);
    for (const [, value] of saved.headers) assert.doesNotMatch(value, /acme|secret/i);
  }
});
