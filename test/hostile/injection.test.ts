/** NUL, CR and LF, raw and encoded, in everything that reaches a header: no header is added, no answer split. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, inParallel, type RawAnswer, startHostile } from "../support/hostile/hostile.ts";
import { openRaw, rawRequest } from "../support/wire/raw-http.ts";

const server = await startHostile({ env: { TRUSTED_PROXIES: "127.0.0.0/8", COUNTRY_HEADER: "x-country" } });

const evil = "x-evil: 1";
const breaks = [
  "\r\n",
  "\r",
  "\n",
  "\0",
  "\r\n\r\n",
  "\u0085",
  "\u2028",
  "\u010d\u010a",
  "\v\f",
  "%0d%0a",
  "%00",
  "%0D%0A%0D%0A",
  "\\r\\n",
  "&#13;&#10;",
];

function assertOneClean(answers: RawAnswer[], told: string): RawAnswer {
  assert.equal(answers.length, 1, told);
  assert.ok(!answers[0]!.headers.some(([name]) => name === "x-evil"), told);
  return answers[0]!;
}

test("targets and the targets of rules: refused, or sent as one Location of printable ASCII", async () => {
  const urls = breaks.flatMap((each) => [
    `https://example.com/${each}x-evil:1`,
    `https://example.com/?q=${each}x-evil:1`,
    `https://example.com/#${each}x-evil:1`,
    `https://exam${each}ple.com/`,
    `${each}https://example.com/`,
  ]);
  let accepted = 0;
  await inParallel(urls, 10, async (url) => {
    const told = JSON.stringify(url);
    const rules = [{ condition: "device", value: "ios", url }];
    const made = await server.api.post("/v1/qr-codes", { redirect_url: url });
    const ruled = await server.api.post("/v1/qr-codes", {
      redirect_url: server.target,
      redirect_rules: rules,
    });
    for (const { status, body } of [made, ruled]) {
      assert.ok([201, 400, 422].includes(status), told);
      if (status !== 201) continue;
      accepted++;
      const { slug, qr_id } = await server.api.rendered(body.qr_id);
      for (const method of ["GET", "HEAD"]) {
        const answer = assertOneClean(
          await ask(server.url, method, `/${slug}`, ["User-Agent: iPhone"]),
          told,
        );
        assert.equal(answer.status, 302, told);
        const locations = answer.headers.filter(([name]) => name === "location");
        assert.deepEqual(locations, [["location", new URL(url).href]], told);
      }
      assert.equal((await server.api.get(`/v1/qr-codes/${qr_id}`)).body.scan_count, 1, told);
    }
  });
  assert.ok(accepted > 10, `${accepted} targets were accepted`);
  await server.assertUnharmed();
});

test("labels never reach Content-Disposition", async () => {
  const labels = breaks.flatMap((each) => [`a${each}${evil}`, `"; ${each}${evil}`, each]);
  await inParallel(labels, 10, async (label) => {
    const told = JSON.stringify(label);
    const made = await server.api.post("/v1/qr-codes", { redirect_url: server.target, label });
    assert.ok([201, 400].includes(made.status), told);
    if (made.status !== 201) return;
    const code = await server.api.rendered(made.body.qr_id);
    const path = `${new URL(code.file_url_svg).pathname}?download=1`;
    const answer = assertOneClean(await ask(server.url, "GET", path), told);
    const [, disposition] = answer.headers.find(([name]) => name === "content-disposition")!;
    assert.equal(disposition, `attachment; filename="${code.slug}.svg"`, told);
  });
  await server.assertUnharmed();
});

test("texts are bodies, whatever is in them", async () => {
  for (const each of ["\r\n", "\0", "\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "\u2028"]) {
    const made = await server.api.post("/v1/qr-codes", { type: "text", text: `a${each}${evil}` });
    if (made.status !== 201) continue;
    const { slug } = await server.api.rendered(made.body.qr_id);
    const answer = assertOneClean(await ask(server.url, "GET", `/${slug}`), JSON.stringify(each));
    assert.equal(Buffer.from(answer.body, "latin1").toString(), `a${each}${evil}`);
  }
  await server.assertUnharmed();
});

test("request headers: what is no header value is refused, and nothing of the rest comes back", async () => {
  const names = [
    "x-request-id",
    "idempotency-key",
    "x-country",
    "x-forwarded-for",
    "accept",
    "user-agent",
    "referer",
    "x-api-key",
    "authorization",
    "if-none-match",
    "content-type",
    "purpose",
    "origin",
    "cookie",
  ];
  const routes = [
    "/healthz",
    "/v1/projects",
    "/admin/v1/accounts",
    server.filePath,
    "/qr-0000000000",
    "/no/where",
  ];
  const raw = ["a\0b", "a\rb", "a\nb", `a\n${evil}`, `a\r${evil}`];
  const odd = [
    "",
    " ",
    `%0d%0a${evil}`,
    `\xff\xfe${evil}`,
    `\x85${evil}`,
    "é".repeat(200),
    "'\"<>",
    "x".repeat(8_000),
  ];
  await inParallel(
    names.flatMap((name) => routes.map((path) => ({ name, path }))),
    20,
    async ({ name, path }) => {
      for (const value of raw) {
        const connection = await openRaw(server.url);
        connection.socket.write(Buffer.from(rawRequest("GET", path, [`${name}: ${value}`]), "latin1"));
        // A bare CR leaves the server waiting, anything else is refused at once.
        if (value.includes("\r")) connection.socket.end();
        assert.match(await connection.closed(), /^$|^HTTP\/1\.1 400 /, `${name} ${JSON.stringify(value)}`);
      }
      for (const value of odd) {
        const told = `${name} of ${JSON.stringify(value.slice(0, 30))} to ${path}`;
        const answer = assertOneClean(await ask(server.url, "GET", path, [`${name}: ${value}`]), told);
        assert.ok(answer.status < 500, told);
        const ids = answer.headers.filter(([header]) => header === "x-request-id");
        assert.equal(ids.length, 1, told);
        assert.match(ids[0]![1], /^[0-9a-f-]{36}$/, told);
      }
    },
  );
  await server.assertUnharmed();
});

test("scans with odd visitors go where all others go", async () => {
  const visitors = [
    "x-country: \xff\xff",
    "x-country: %0d%0a",
    "x-forwarded-for: %00, 1.2.3",
    "user-agent: \x80iPhone",
  ];
  visitors.push(
    `referer: https://a/%0d%0a${evil}`,
    "referer: \xff",
    `x-forwarded-for: ${"1.1.1.1, ".repeat(1_000)}`,
  );
  for (const visitor of visitors) {
    const answer = assertOneClean(await ask(server.url, "GET", `/${server.slug}`, [visitor]), visitor);
    assert.equal(answer.status, 302, visitor);
    server.honestScans++;
  }
  await server.assertUnharmed();
});

test("an idempotency key comes back nowhere, and repeats the first answer", async () => {
  const body = JSON.stringify({ name: "once" });
  for (const value of [`%0d%0a${evil}`, `a\xff${evil}`, "x".repeat(255), "\t tab \t inside"]) {
    const headers = [
      `x-api-key: ${server.key}`,
      "Content-Type: application/json",
      `Idempotency-Key: ${value}`,
    ];
    const texts: string[] = [];
    for (let time = 0; time < 2; time++) {
      const connection = await openRaw(server.url);
      const text = rawRequest("POST", "/v1/projects", [...headers, `Content-Length: ${body.length}`], body);
      connection.socket.write(Buffer.from(text, "latin1"));
      await connection.until("}");
      texts.push(connection.received());
      connection.socket.destroy();
    }
    assert.ok(!texts.some((text) => text.includes("x-evil")), value);
    const [first, second] = texts.map((text) => text.slice(text.indexOf("\r\n\r\n")));
    if (texts[0]!.startsWith("HTTP/1.1 201")) assert.equal(first, second, value);
  }
  await server.assertUnharmed();
});
