/**
 * A MongoDB replica set of this machine for a test: real processes that can be killed, paused and started
 * again. Everything they store goes when the test ends.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { freePort } from "../wire/free-port.ts";
import { findMongod, type MongodBinary, runsUnderWine } from "./mongod-binary.ts";

export interface Member {
  port: number;
  /** Starts the process, or starts it again on its old data. */
  start(): Promise<void>;
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
}

export interface ReplicaSet {
  url: string;
  members: Member[];
  /** The member that takes writes now; waits for an election. */
  primary(): Promise<Member>;
  stop(): Promise<void>;
}

const startMsMax = 60_000;
const setName = "rs0";
/** A server that hangs fails the test, and does not hold it up. What a killed process had begun keeps its locks for 60 s. */
const bounded = { socketTimeoutMS: 180_000 };

/** Why tests on MongoDB did not run, and what to do about it. */
export const noMongod = `no MongoDB to test with: set MONGODB_URL, or put mongod on the PATH${
  runsUnderWine ? ", or run `npx tsx scripts/mongod.ts install`" : ""
}`;

/** A database address for tests that need no control over the server; null when there is no server. */
export async function mongodForTests(): Promise<{ url: string; stop(): Promise<void> } | null> {
  const given = process.env.TEST_MONGODB_URL;
  if (given) return { url: given, stop: async () => undefined };
  return startReplicaSet(1);
}

/** A database of its own for the tests of a file, gone when they are over. Where there is no server, they are left out. */
export async function databaseForTests(purpose: string) {
  const server = await mongodForTests();
  const url = databaseUrl(server?.url ?? "mongodb://none/", `qrelay_${purpose}_${process.pid}`);
  const admin = new MongoClient(url, bounded);
  after(async () => {
    if (server) await admin.db().dropDatabase();
    await admin.close();
    await server?.stop();
  });
  return { url, admin, skip: server ? (false as const) : noMongod };
}

/** A database of its own on the server that `TEST_MONGODB_URL` names. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const given = process.env.TEST_MONGODB_URL;
  if (!given)
    throw new Error(`TEST_STORE=mongodb needs TEST_MONGODB_URL, which test:mongodb sets; ${noMongod}`);
  return databaseOn(given, "qrelay_test");
}

/** A database on this server that nobody else has. Dropped without the short time-outs of the service's own. */
export function databaseOn(server: string, purpose: string): { url: string; drop(): Promise<void> } {
  const url = databaseUrl(server, `${purpose}_${randomUUID()}`);
  return {
    url,
    async drop() {
      const client = new MongoClient(url, bounded);
      await client.db().dropDatabase();
      await client.close();
    },
  };
}

/** The same server, another database. */
export function databaseUrl(url: string, name: string): string {
  return url.replace(/^(mongodb(?:\+srv)?:\/\/[^/]+)\/?[^?]*/, `$1/${name}`);
}

/** `options` are mongod's own, beyond those that make it a member of the set; `path` spells a file as it does. */
export async function startReplicaSet(
  size: 1 | 3,
  options: (path: (local: string) => string) => string[] = () => [],
): Promise<ReplicaSet | null> {
  const binary = await findMongod();
  if (binary === null) return null;
  const folder = await mkdtemp(join(tmpdir(), "qrelay-mongod-"));
  const members: Member[] = [];
  for (let n = 0; n < size; n += 1) {
    members.push(await newMember(binary, join(folder, String(n)), options(binary.path)));
  }
  const stop = async () => {
    await Promise.all(members.map((member) => member.kill()));
    await rm(folder, { recursive: true, maxRetries: 5 });
  };
  const hosts = members.map((member) => `127.0.0.1:${member.port}`).join(",");
  const set: ReplicaSet = {
    url: `mongodb://${hosts}/?replicaSet=${setName}`,
    members,
    primary: () => eventually("a primary", () => findPrimary(members)),
    stop,
  };
  try {
    await Promise.all(members.map((member) => member.start()));
    await initiate(members);
    await set.primary();
    if (size > 1) await reachesAll(set.url, size);
    return set;
  } catch (cause) {
    // Processes that are left would keep this one.
    await stop();
    throw cause;
  }
}

async function newMember(binary: MongodBinary, folder: string, options: string[]): Promise<Member> {
  const port = await freePort();
  await mkdir(folder);
  let child: ChildProcess | null = null;
  const endWithUs = () => child?.kill("SIGKILL");
  return {
    port,
    async start() {
      const own = [
        ...["--dbpath", binary.path(folder), "--replSet", setName, "--bind_ip", "127.0.0.1"],
        ...["--port", String(port), "--oplogSize", "128", "--wiredTigerCacheSizeGB", "0.25"],
        ...["--setParameter", "diagnosticDataCollectionEnabled=false"],
        ...options,
      ];
      child = spawn(binary.command, [...binary.before, ...own], {
        stdio: "ignore",
        env: { ...process.env, ...binary.env },
      });
      process.once("exit", endWithUs);
      await eventually(`mongod on port ${port}`, () => hello(port));
    },
    async kill() {
      process.off("exit", endWithUs);
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
  };
}

async function initiate(members: Member[]): Promise<void> {
  const config = {
    _id: setName,
    members: members.map(({ port }, _id) => ({ _id, host: `127.0.0.1:${port}` })),
    settings: { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500 },
  };
  await direct(members[0]!.port, (client) => client.db("admin").command({ replSetInitiate: config }));
}

async function findPrimary(members: Member[]): Promise<Member | null> {
  for (const member of members) {
    if ((await hello(member.port))?.isWritablePrimary === true) return member;
  }
  return null;
}

/** Until members have copied what there is, a write waits for a majority for longer than the service would. */
async function reachesAll(url: string, size: number): Promise<void> {
  const client = new MongoClient(url, { ...bounded, writeConcern: { w: size, wtimeoutMS: startMsMax } });
  const begun = client.db("begun");
  await begun.collection("writes").insertOne({});
  await begun.dropDatabase();
  await client.close();
}

async function hello(port: number): Promise<{ isWritablePrimary?: boolean } | null> {
  return direct(port, (client) => client.db("admin").command({ hello: 1 })).catch(() => null);
}

async function direct<T>(port: number, ask: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
    connectTimeoutMS: 1_000,
    socketTimeoutMS: 10_000,
  });
  try {
    return await ask(client);
  } finally {
    await client.close();
  }
}

async function eventually<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const end = performance.now() + startMsMax;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > end) throw new Error(`${what} did not appear within ${startMsMax} ms`);
    await pause(100);
  }
}
