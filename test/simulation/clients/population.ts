/** Who lives in a world: accounts with small limits, and the clients that use them. */
import { hashKey } from "../../../src/account/directory.ts";
import { newAccount } from "../../../src/domain/account/account-commands.ts";
import { builtInPlans } from "../../../src/domain/account/plans.ts";
import { type AccountRecord, type KeyRecord, Register } from "../checks/ledger.ts";
import type { Scene } from "../scene.ts";
import type { Seeded } from "../seeded-random.ts";
import { codeOwner } from "./code-owner.ts";
import { lister } from "./lister.ts";
import { operator } from "./operator.ts";
import { scanner } from "./scanner.ts";

type Limits = ReturnType<typeof drawLimits>;

export type Client = () => Promise<void>;

export function populate(world: Scene): Client[] {
  const random = world.random.fork();
  const clients: Client[] = [];
  for (let n = random.between(1, 2); n > 0; n--) {
    const account = newcomer(world);
    for (let owners = random.between(1, 2); owners > 0; owners--) clients.push(codeOwner(world, account));
    clients.push(operator(world, account), lister(world, account));
  }
  for (let scanners = random.between(1, 3); scanners > 0; scanners--) clients.push(scanner(world));
  return clients;
}

function drawLimits(random: Seeded) {
  return {
    qr_cap: random.pick([3, 6, 1_000]),
    per_minute: random.pick([5, 20, 1_000]),
    per_day: random.pick([30, 100_000]),
    burst: 1_000,
    projects: random.pick([2, 4, 1_000]),
  };
}

export function newcomer(world: Scene, draw: (random: Seeded) => Limits = drawLimits): AccountRecord {
  const random = world.random.fork();
  const { database } = world.store;
  const limits = draw(random);
  const { account, writes } = newAccount(
    { name: "account", plan: "agency" },
    builtInPlans,
    world.loop.now(),
    random.bytes,
  );
  const secret = `api_live_${account.id.slice(-12).padStart(32, "k")}`;
  const key = {
    id: `key_${account.id}`,
    account_id: account.id,
    hash: hashKey(secret),
    last4: secret.slice(-4),
    name: "first",
    created_at: account.created_at,
    last_used_at: null,
    revoked_at: null,
    minute: { start: 0, used: 0 },
    day: { start: 0, used: 0 },
  };
  const stored = writes.map((write) =>
    write.collection === "accounts"
      ? ({ collection: "accounts", put: { ...account, limits } } as const)
      : write,
  );
  database.commit([...stored, { collection: "keys", put: key }]);
  const name = "Default project";
  const record: AccountRecord = {
    id: account.id,
    keys: [keyRecord(key.id, secret)],
    projects: [{ name, id: account.default_project_id, archived: new Register("first project", false) }],
    defaultProject: new Register(`default project of ${account.id}`, name),
    capMax: limits.qr_cap,
    projectsMax: limits.projects,
    burstMax: limits.burst,
    perMinuteMax: limits.per_minute,
    perDayMax: limits.per_day,
  };
  world.ledger.accounts.push(record);
  return record;
}

export function keyRecord(id: string, key: string): KeyRecord {
  return {
    id,
    key,
    revoked: new Register(`revocation of ${id}`, false),
    passed: new Map(),
    refused: new Set(),
  };
}
