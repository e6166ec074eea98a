/** The bus on real sockets. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Bus, type BusListener } from "../../../src/cluster/bus/bus.ts";
import type { Answerers } from "../../../src/cluster/bus/messages.ts";
import type { Talk, Unanswered } from "../../../src/cluster/bus/talk.ts";
import { type BusTls, openTcpNetwork, parseBusAddress } from "../../../src/cluster/bus/tcp-network.ts";
import { busGreetingMsMax, busGreetingsMax } from "../../../src/limits.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { systemRandom } from "../../../src/runtime/random.ts";
import { plainAnswerers } from "../../support/bus/answerers.ts";
import { endsWithTest, temporaryFolder } from "../../support/endings.ts";
import { needs } from "../../support/needs.ts";
import { startCutProxy } from "../../support/wire/cut-proxy.ts";

const secret = Buffer.alloc(32, 7);
const aCall = { method: "GET", path: "/v1/x", query: "", headers: [], peer: "192.0.2.1", partition: null };
const waitMsMax = 10_000;

interface Options {
  answerers?: Partial<Answerers>;
  secret?: Uint8Array;
  tls?: BusTls | null;
  port?: number;
}

async function member(name: string, options: Options = {}) {
  const { answerers = {}, secret: own = secret, tls = null, port: asked = 0 } = options;
  const network = await openTcpNetwork({ host: "127.0.0.1", port: asked }, tls);
  const events: string[] = [];
  const listener: BusListener = {
    answerers: () => plainAnswerers(answerers),
    opened: ({ peer }) => events.push(`opened ${peer}`),
    closed: ({ peer }, reason) => events.push(`closed ${peer}: ${reason}`),
    beat: (talk) => void talk.ask("promise", {}).catch(() => undefined),
  };
  const log = { info() {} };
  const bus = new Bus({
    ...{ network, name, secret: own, listener, log },
    clock: systemClock,
    random: systemRandom,
  });
  const close = endsWithTest(() => bus.close());
  const { port } = network;
  return { bus, events, port, address: `127.0.0.1:${port}`, close };
}

async function until<T>(look: () => T | null | undefined | false): Promise<T> {
  const end = performance.now() + waitMsMax;
  for (;;) {
    const found = look();
    if (found) return found;
    assert.ok(performance.now() < end, "it did not happen in time");
    await pause(5);
  }
}

async function connected(): Promise<
  [Awaited<ReturnType<typeof member>>, Talk, Awaited<ReturnType<typeof member>>]
> {
  const [one, two] = [await member("one"), await member("two")];
  one.bus.seek([two.address]);
  const talk = await until(() => one.bus.with("two"));
  await until(() => two.bus.with("one"));
  return [one, talk, two];
}

test("addresses of members", () => {
  assert.deepEqual(parseBusAddress("member-1.example:7000"), { host: "member-1.example", port: 7000 });
  assert.deepEqual(parseBusAddress("[::1]:7000"), { host: "::1", port: 7000 });
  for (const wrong of [
    "member",
    "member:",
    ":7000",
    "member:70000",
    "::1:7000",
    "[x]:1",
    "a b:1",
    "http://a:1",
  ]) {
    assert.equal(parseBusAddress(wrong), null, wrong);
  }
});

test("one connection carries questions in both directions, bodies of megabytes among them", async () => {
  const [one, talk, two] = await connected();
  const body = Buffer.alloc(10 * 1024 * 1024, "qr");
  const [large, small, back] = await Promise.all([
    talk.ask("call", { ...aCall, path: "/large" }, body),
    talk.ask("call", { ...aCall, path: "/small" }, Buffer.from("x")),
    two.bus.with("one")!.ask("call", { ...aCall, path: "/back" }),
  ]);
  assert.ok(body.equals(large.bytes));
  assert.match(small.said.head, /GET \/small/);
  assert.match(back.said.head, /GET \/back/);
  assert.deepEqual([[...one.bus.talks].length, [...two.bus.talks].length], [1, 1]);
});

test("who does not know the secret gets no talk", async () => {
  const owner = await member("owner");
  const stranger = await member("stranger", { secret: Buffer.alloc(32, 8) });
  stranger.bus.seek([owner.address]);
  await pause(300);
  assert.deepEqual([owner.events, stranger.events], [[], []]);
});

test("strangers that say nothing neither stay nor keep a member out for long", async () => {
  const owner = await member("owner");
  const strangers = Array.from({ length: busGreetingsMax + 20 }, () => connect(owner.port, "127.0.0.1"));
  const closed = strangers.map((socket) => {
    socket.on("error", () => {});
    socket.resume();
    return once(socket, "close");
  });
  const began = performance.now();
  const follower = await member("follower");
  follower.bus.seek([owner.address]);
  await until(() => follower.bus.with("owner"));
  await Promise.all(closed);
  assert.ok(performance.now() - began < 3 * busGreetingMsMax);
});

test("a member that goes and comes back is found again; what it was asked meanwhile fails at once", async () => {
  const [one, talk, two] = await connected();
  const asked = talk.ask("changed", { slugs: [], limited: [], projects: [], accounts: [] });
  await two.close();
  await Promise.allSettled([asked]);
  await until(() => !talk.isOpen);
  await assert.rejects(talk.ask("call", aCall), (cause: Unanswered) => cause.isUndone);
  await pause(200);
  const again = await member("two", { port: two.port });
  await until(() => one.bus.with("two"));
  assert.deepEqual(again.events, ["opened one"]);
});

test("a way that is cut in one direction is noticed by both sides after a second, and mended", async () => {
  for (const direction of ["out", "in"] as const) {
    const [one, two] = [await member("one"), await member("two")];
    const proxy = await startCutProxy("127.0.0.1", two.port);
    endsWithTest(() => proxy.close());
    one.bus.seek([`127.0.0.1:${proxy.port}`]);
    await until(() => two.bus.with("one"));
    const began = performance.now();
    proxy.cut(direction);
    await until(() => one.events.length > 1 && two.events.length > 1);
    assert.ok(performance.now() - began > 700);
    assert.ok([...one.events, ...two.events].some((event) => event.endsWith("it is silent")));
    proxy.heal();
    await until(() => one.bus.with("two"));
  }
});

test("a second connection of the same member takes the place of the first", async () => {
  const [one, talk, two] = await connected();
  const proxy = await startCutProxy("127.0.0.1", two.port);
  endsWithTest(() => proxy.close());
  one.bus.seek([two.address, `127.0.0.1:${proxy.port}`]);
  await until(() => !talk.isOpen);
  const events = [...one.events, ...two.events];
  assert.ok(events.some((event) => event.endsWith("there is a younger connection")));
  one.bus.seek([`127.0.0.1:${proxy.port}`]);
  await until(() => one.bus.with("two"));
});

test("who is not sought any more is let go, and not dialled again", async () => {
  const [one, talk, two] = await connected();
  one.bus.seek([]);
  assert.ok(!talk.isOpen);
  await until(() => [...two.bus.talks].length === 0);
  await pause(200);
  assert.deepEqual(two.events.filter((event) => event.startsWith("opened")).length, 1);
});

test("in TLS members know each other by certificates, others get nowhere", {
  skip: needs("openssl"),
}, async () => {
  const folder = temporaryFolder();
  const [ours, theirs] = [certificates(folder, "ours"), certificates(folder, "theirs")];
  const owner = await member("owner", { tls: ours });
  const follower = await member("follower", { tls: ours });
  const stranger = await member("stranger", { tls: { ...theirs, ca: ours.ca } });
  const plain = await member("plain");
  for (const { bus } of [follower, stranger, plain]) bus.seek([`localhost:${owner.port}`]);
  const talk = await until(() => follower.bus.with("owner"));
  assert.match((await talk.ask("call", aCall)).said.head, /GET/);
  await pause(300);
  assert.deepEqual([stranger.events, plain.events, owner.events], [[], [], ["opened follower"]]);
});

/** A certificate of this machine that an authority of its own has signed. */
function certificates(folder: string, name: string): BusTls {
  const at = (file: string) => join(folder, `${name}-${file}`);
  const openssl = (...given: string[]) => execFileSync("openssl", given, { stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl("req", "-x509", ...key, "-keyout", at("ca.key"), "-out", at("ca.pem"), "-subj", `/CN=${name}`);
  openssl("req", ...key, "-keyout", at("key.pem"), "-out", at("csr.pem"), "-subj", "/CN=localhost");
  writeFileSync(at("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n");
  const signing = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial", "-extfile", at("names")];
  openssl("x509", "-req", "-in", at("csr.pem"), ...signing, "-out", at("cert.pem"));
  const read = (file: string) => readFileSync(at(file), "utf8");
  return { cert: read("cert.pem"), key: read("key.pem"), ca: read("ca.pem") };
}
