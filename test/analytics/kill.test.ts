/**
 * The promise of the analytics on the real service: killed without warning in the middle of its load, every counted scan
 * is in them once, and nothing else of its visitors is on the disk.
 */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { code } from "../fakes/scan-server.ts";
import { seededKey as key, seedFolder } from "../fakes/seeded-folder.ts";
import { temporaryFolder } from "../support/endings.ts";
import { spawnService } from "../support/process.ts";

const kills = 3;
const connections = 20;
const projects = ["prj_1", "prj_2"];
const codes = Array.from({ length: 20 }, (_, n) => code(n, { project_id: projects[n % 2]! }));
const views = ["trend", "countries", "devices", "referrers", "hours"];
const directory = temporaryFolder();

/** Of every visitor: what must not be found again, and the host that may be. */
const secret = { agent: "Unmistakable/7.25.1", address: "203.0.113.", path: "private-path-of-a-visitor" };
const agents = [
  `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${secret.agent}`,
  `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${secret.agent}`,
  `Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html) ${secret.agent}`,
  `Mozilla/5.0 (X11; Linux x86_64) ${secret.agent}`,
];

/** What glibc fills memory with that is handed out: on the disk it shows that bytes were written as they were found. */
const unwritten = { fill: 0xa5, env: { MALLOC_PERTURB_: String(0xff - 0xa5) } };

async function start() {
  const service = spawnService({
    ...unwritten.env,
    DATA_DIR: directory,
    PORT: "0",
    QRELAY_BOOTSTRAP: "off",
    LOG_LEVEL: "warn",
    TRUSTED_PROXIES: "127.0.0.1",
  });
  return { ...service, url: await service.ready() };
}

function send(url: string, path: string, headers: Record<string, string>, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(`${url}${path}`, { agent, headers }, (res) => {
      res.resume();
      res.on("end", () => resolve(res.statusCode!));
      res.on("error", reject);
    }).on("error", reject);
  });
}

/** Answers scans until the service is gone; how many were led on. */
async function loadUntilGone(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let redirected = 0;
  const one = async (connection: number) => {
    for (let n = connection; ; n++) {
      const headers = {
        "user-agent": agents[n % agents.length]!,
        "x-forwarded-for": `${secret.address}${n % 250}`,
        ...(n % 3 === 0 && { referer: `https://news.example/${secret.path}` }),
      };
      const slug = codes[(n * 7) % codes.length]!.slug;
      const status = await send(url, `/${slug}`, headers, agent).catch(() => null);
      if (status === null) return;
      assert.equal(status, 302);
      redirected++;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, n) => one(n)));
  agent.destroy();
  return redirected;
}

async function read(
  url: string,
  path: string,
): Promise<{ total: number; scan_count: number; items: object[] }> {
  const answer = await fetch(url + path, { headers: { "x-api-key": key } });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as Awaited<ReturnType<typeof read>>;
}

async function totalOf(url: string, of: string): Promise<number> {
  const totals = [];
  for (const view of views)
    totals.push((await read(url, `/v2/analytics/${of}/${view}?robots=include`)).total);
  assert.equal(new Set(totals).size, 1, `${of}: ${totals}`);
  return totals[0]!;
}

/** A start has brought all that was counted into the store. */
async function compare(url: string): Promise<number> {
  const byProject = new Map(projects.map((id) => [id, 0]));
  for (const { id, project_id } of codes) {
    const { scan_count } = await read(url, `/v1/qr-codes/${id}`);
    assert.equal(await totalOf(url, `qr-codes/${id}`), scan_count, id);
    byProject.set(project_id, byProject.get(project_id)! + scan_count);
  }
  for (const [id, scans] of byProject) assert.equal(await totalOf(url, `projects/${id}`), scans);
  const all = [...byProject.values()].reduce((sum, scans) => sum + scans, 0);
  assert.equal(await totalOf(url, "account"), all);
  return all;
}

test(`after ${kills} kills all totals are the counts`, { timeout: 240_000 }, async () => {
  await seedFolder(directory, codes, { plan: "enterprise" });
  let redirected = 0;
  for (let life = 0; life <= kills; life++) {
    const { child, url, exited } = await start();
    const counted = await compare(url);
    assert.ok(counted >= redirected, `${redirected} were led on, ${counted} are counted`);
    if (life < kills) {
      const load = loadUntilGone(url);
      await sleep(300 + Math.random() * 400);
      child.kill("SIGKILL");
      redirected += await load;
    } else {
      const { items } = await read(url, "/v2/analytics/account/referrers?robots=include");
      assert.ok(JSON.stringify(items).includes('"unknown"'), "what a crash takes is the referrer");
      child.kill("SIGTERM");
    }
    await exited;
  }
  assert.ok(redirected > 100, `${redirected} scans`);
});

test("no address, no agent and no path of a visitor is in any file", async () => {
  const { child, url, exited } = await start();
  const load = loadUntilGone(url);
  await sleep(300);
  child.kill("SIGTERM");
  await load;
  await exited;
  const names = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  let isHostThere = false;
  assert.ok(files.length > 2);
  for (const file of files) {
    const bytes = await readFile(join(file.parentPath, file.name));
    for (const text of [secret.agent, "Unmistakable", secret.address, secret.path, "Googlebot", "Pixel 8"]) {
      assert.equal(bytes.includes(text), false, `${text} is in ${file.name}`);
      assert.equal(bytes.includes(Buffer.from(text, "utf16le")), false, `${text} is in ${file.name}`);
    }
    assert.equal(
      bytes.includes(Buffer.alloc(16, unwritten.fill)),
      false,
      `memory as found is in ${file.name}`,
    );
    isHostThere ||= bytes.includes("news.example");
  }
  assert.ok(isHostThere, "the referring host is what is kept");
});
