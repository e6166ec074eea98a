/** Members as processes of their own on a MongoDB. Each way to another member, and to each server of MongoDB, can be cut. */
import { setTimeout as pause } from "node:timers/promises";
import type { ClusterFields } from "../../../src/schema/responses.ts";
import { endsWithTest, temporaryFolder } from "../endings.ts";
import type { Member, ReplicaSet } from "../mongod/mongod.ts";
import { type ServiceProcess, spawnService } from "../process.ts";
import { type CutProxy, startCutProxy } from "../wire/cut-proxy.ts";
import { freePort } from "../wire/free-port.ts";

export const adminToken = "an-admin-token-for-tests";

const readyMsMax = 90_000;
const waysHook = new URL("ways.mjs", import.meta.url).href;

/** Who is at the end of a way: a member, or a server of MongoDB. */
type End = MemberProcess | Pick<Member, "port">;

export class MemberProcess {
  readonly address: string;
  readonly bus: number;
  service: ServiceProcess | null = null;
  readonly #env: Record<string, string>;
  /** By the port that they lead to. */
  readonly ways = new Map<number, CutProxy>();

  constructor(port: number, bus: number, database: string) {
    this.address = `http://127.0.0.1:${port}`;
    this.bus = bus;
    this.#env = {
      PORT: String(port),
      DATA_DIR: temporaryFolder(),
      MONGODB_URL: database,
      CLUSTER: "on",
      CLUSTER_ADDRESS: `127.0.0.1:${bus}`,
      PUBLIC_URL: "http://localhost:3000",
      ADMIN_TOKEN: adminToken,
      QRELAY_BOOTSTRAP: "off",
      LOG_LEVEL: process.env.TEST_LOG ?? "warn",
    };
  }

  /** Again on its old folder. */
  start(): void {
    const ways = [...this.ways].map(([to, { port }]) => [to, port]);
    this.service = spawnService({
      ...this.#env,
      NODE_OPTIONS: `--import ${waysHook}`,
      TEST_WAYS: JSON.stringify(Object.fromEntries(ways)),
    });
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    this.service!.child.kill(signal);
    return (await this.service!.exited).code;
  }

  async isReady(): Promise<boolean> {
    const signal = AbortSignal.timeout(2_000);
    return (await fetch(`${this.address}/readyz`, { signal }).catch(() => null))?.status === 200;
  }

  /** One that ended by itself is started again, as a supervisor would. */
  async untilReady(): Promise<void> {
    const end = performance.now() + readyMsMax;
    const said = () => `${this.service!.output()}${this.service!.errors()}`;
    let before = "";
    while (!(await this.isReady())) {
      const { exitCode } = this.service!.child;
      if (exitCode !== null) {
        before += `${said()}ended with ${exitCode}\n`;
        this.start();
      }
      if (performance.now() > end) throw new Error(`not ready: ${before}${said()}`);
      await pause(100);
    }
  }
}

export class MemberProcesses {
  readonly members: readonly MemberProcess[];

  private constructor(members: readonly MemberProcess[]) {
    this.members = members;
  }

  /** All of them serve when this resolves. */
  static async start(
    size: number,
    { url, members: servers }: Pick<ReplicaSet, "url" | "members">,
  ): Promise<MemberProcesses> {
    const members: MemberProcess[] = [];
    for (let n = 0; n < size; n++) {
      members.push(new MemberProcess(await freePort(), await freePort(), url));
    }
    for (const member of members) {
      const others = members.filter((other) => other !== member).map(({ bus }) => bus);
      for (const port of [...others, ...servers.map((server) => server.port)]) {
        const way = await startCutProxy("127.0.0.1", port);
        endsWithTest(() => way.close());
        member.ways.set(port, way);
      }
      member.start();
      await member.untilReady();
    }
    return new MemberProcesses(members);
  }

  /** The one that shares the accounts out, when all are ready. */
  async keeper(): Promise<MemberProcess> {
    const headers = { authorization: `Bearer ${adminToken}` };
    const answer = await fetch(`${this.members[0]!.address}/admin/v1/cluster`, { headers });
    const { members: seen } = (await answer.json()) as ClusterFields;
    const { address } = seen.find(({ state }) => state === "owner")!;
    return this.members.find(({ bus }) => address === `127.0.0.1:${bus}`)!;
  }

  /** What any of the ones says to any of the others is lost on the way. */
  lose(from: readonly End[], to: readonly End[]): void {
    for (const one of from) {
      for (const other of to) {
        if (one instanceof MemberProcess) one.ways.get(doorOf(other))!.cut("out");
        if (other instanceof MemberProcess) other.ways.get(doorOf(one))!.cut("in");
      }
    }
  }

  heal(): void {
    for (const { ways } of this.members) for (const way of ways.values()) way.heal();
  }
}

function doorOf(end: End): number {
  return end instanceof MemberProcess ? end.bus : end.port;
}
