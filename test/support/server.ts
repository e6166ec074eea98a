/** The real service in this process, on a folder of its own and a free port, and clients for it. */
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import type { UpdateAccountBody } from "../../src/domain/requests.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import type { Log } from "../../src/runtime/log.ts";
import type { Random } from "../../src/runtime/random.ts";
import { type Service, startService } from "../../src/service/service.ts";
import { Client } from "./client.ts";
import { endsWithTest, temporaryFolder } from "./endings.ts";
import { engineEnv } from "./engine.ts";
import { freePort } from "./wire/free-port.ts";

export interface TestAccount {
  id: string;
  key: string;
  projectId: string;
  api: Client;
}

export interface TestServer {
  url: string;
  /** Key of a first account on the largest plan. */
  key: string;
  api: Client;
  admin: Client;
  adminToken: string;
  account: TestAccount;
  dataDir: string;
  /** Null on the embedded store. */
  databaseUrl: string | null;
  /** A further account. */
  newAccount(settings?: UpdateAccountBody): Promise<TestAccount>;
  /** Stops the service and starts it again on the same data, or on what was made of it meanwhile. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  /** By itself with the test, or the file, that started it. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  env?: Record<string, string>;
  clock?: Clock;
  random?: Random;
  log?: Log;
}

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = temporaryFolder();
  const database = process.env.TEST_STORE === "mongodb" ? await databaseOnMongodb() : null;
  const env = {
    ...(database && { MONGODB_URL: database.url }),
    QRELAY_BOOTSTRAP: "off",
    PORT: String(await freePort()),
    RENDER_THREADS: "1",
    LOG_LEVEL: "silent",
    ...engineEnv,
    ...options.env,
  };
  const log = options.log ?? pino({ level: env.LOG_LEVEL });
  const start = (port: string): Promise<Service> =>
    startService(readConfig({ ...env, PORT: port, DATA_DIR: dataDir }), {
      log,
      ...(options.clock && { clock: options.clock }),
      ...(options.random && { random: options.random }),
    });

  let service = await start(env.PORT);
  const url = service.address;
  const admin = new Client(url, { authorization: `Bearer ${service.adminToken}` });
  const newAccount = (settings?: UpdateAccountBody) => createAccount(url, admin, settings);
  const account = await newAccount();
  return {
    url,
    key: account.key,
    api: account.api,
    admin,
    adminToken: service.adminToken,
    account,
    dataDir,
    databaseUrl: database?.url ?? null,
    newAccount,
    async restart(meanwhile) {
      await service.stop();
      await meanwhile?.();
      service = await start(new URL(url).port);
    },
    stop: endsWithTest(async () => {
      await service.stop();
      await database?.drop();
    }),
  };
}

/** Loaded where it is used: the driver and the search for a server take longer to load than most tests take to run. */
async function databaseOnMongodb(): Promise<{ url: string; drop(): Promise<void> }> {
  const { freshDatabase } = await import("./mongod/mongod.ts");
  return freshDatabase();
}

export async function createAccount(
  url: string,
  admin: Client,
  settings: UpdateAccountBody = {},
): Promise<TestAccount> {
  const { name = "test", plan = "enterprise", ...others } = settings;
  const { body } = await admin.post("/admin/v1/accounts", { name, plan }, 201);
  const id = body.account_id;
  if (Object.keys(others).length > 0) await admin.patch(`/admin/v1/accounts/${id}`, others, 200);
  const { key } = (await admin.post(`/admin/v1/accounts/${id}/keys`, {}, 201)).body;
  const api = new Client(url, { "x-api-key": key }, admin.patienceMs);
  return { id, key, projectId: body.default_project_id, api };
}
