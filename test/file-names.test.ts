import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { contentDisposition } from "../src/http/content-disposition.ts";
import { startServer, type TestServer } from "./support/server.ts";

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

test("a file is downloaded under the name of its code", async () => {
  const code = await server.api.createRendered({ name: 'Frühling/Sale "50%" 🎉' });
  for (const url of [code.file_url_svg, code.file_url_png] as string[]) {
    const path = new URL(url).pathname;
    const plain = await server.api.get(path, 200);
    assert.equal(plain.headers.get("content-disposition"), null);
    const saved = await server.api.get(`${path}?download=1`, 200);
    const extension = path.slice(-3);
    assert.equal(
      saved.headers.get("content-disposition"),
      `attachment; filename="Fru_hling Sale 50 _.${extension}"; filename*=UTF-8''Fr%C3%BChling%20Sale%2050%20%F0%9F%8E%89.${extension}`,
    );
    assert.equal(saved.text, plain.text);
  }
});

test("names that a file system would misunderstand are not used", () => {
  for (const label of ["", "..", "/", "\\", "CON", "nul", "   ", "\u0000", "~", "-", "\u202e"]) {
    assert.match(
      contentDisposition(label, "svg"),
      /filename="qr-code\.svg"; filename\*=UTF-8''qr-code\.svg$/,
      label,
    );
  }
  assert.match(contentDisposition("../../etc/passwd", "png"), /filename="etc passwd\.png"/);
  assert.match(contentDisposition("-rf *", "png"), /filename="rf\.png"/);
});

test("every label gives a header that is printable ASCII with one quoted name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (label) => {
      const header = contentDisposition(label, "png");
      assert.match(
        header,
        /^attachment; filename="[A-Za-z0-9 ._-]+\.png"; filename\*=UTF-8''[A-Za-z0-9%!~._-]+\.png$/,
      );
      assert.ok(header.length < 2_000);
      const name = decodeURIComponent(header.slice(header.indexOf("''") + 2));
      assert.doesNotMatch(name, /[/\\\p{Cc}]/u);
      assert.ok(!name.startsWith("."));
    }),
  );
});
