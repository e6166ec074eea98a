/** The README's first session, typed by somebody who copies every command as it stands. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";
import { startServer } from "../support/server.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const session = readme.split("\n## A first session\n")[1]!.split("\n## ")[0]!;
/** Assignments and commands, each with the lines that continue it. */
const typed = [...session.matchAll(/^ {4}((?:[A-Z]+=|curl )(?:.*\\\n)*.*)$/gm)].map(([, text]) => text!);

const server = await startServer();

test("every command works, and every variable is set before it is used", async () => {
  const set: Record<string, string> = { KEY: server.key };
  const known = new Set<string>();
  const answers: string[] = [];
  for (const text of typed) {
    const assigned = /^([A-Z]+)=\S+$/.exec(text)?.[1];
    if (assigned !== undefined) {
      assert.ok(set[assigned], `${assigned} can be known by then`);
      known.add(assigned);
      continue;
    }
    for (const [, name] of text.matchAll(/\$([A-Z]+)/g)) assert.ok(known.has(name!), `$${name} in ${text}`);
    const command = text.replaceAll("http://127.0.0.1:3000", server.url);
    const { stdout } = await promisify(execFile)("sh", ["-c", command], { env: { ...process.env, ...set } });
    answers.push(stdout);
    const id = /"qr_id":"([^"]+)"/.exec(stdout)?.[1];
    if (id === undefined) continue;
    set.ID = id;
    set.SLUG = (await server.api.rendered(id)).slug;
  }
  const [created, read, scanned, changed] = answers;
  assert.equal(answers.length, 4);
  assert.equal(JSON.parse(created!).label, "Hello");
  assert.equal(JSON.parse(read!).render_status, "done");
  assert.match(scanned!, /^HTTP\/1\.1 302 Found\r\n/);
  for (const [, header] of session.matchAll(/^ {4}([A-Z][A-Za-z-]+: .+)$/gm)) {
    assert.ok(scanned!.includes(`${header}\r\n`), header);
  }
  assert.equal(JSON.parse(changed!).redirect_url, "https://example.org/spring");
});
