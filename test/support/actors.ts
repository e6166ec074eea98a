/** Actors on a real embedded store whose faults a test decides, without a server around them. */
import type { Changes } from "../../src/account/account-actor.ts";
import { Directory, hashKey } from "../../src/account/directory.ts";
import { GroupCommit } from "../../src/account/group-commit.ts";
import { createKey, newAccount, updateAccount } from "../../src/domain/account/account-commands.ts";
import { builtInPlans } from "../../src/domain/account/plans.ts";
import type { UpdateAccountBody } from "../../src/domain/requests.ts";
import { systemRandom } from "../../src/runtime/random.ts";
import { assertDocument } from "../../src/schema/validators.ts";
import { openLmdbStore } from "../../src/store/lmdb/lmdb-store.ts";
import type { Write } from "../../src/store/store.ts";
import { faulty } from "../fakes/faulty-store.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { endsWithTest, temporaryFolder } from "./endings.ts";

export async function openActors() {
  const store = faulty(await openLmdbStore({ path: temporaryFolder(), assertDocument }));
  const clock = new ManualClock();
  const durable: Write[] = [];
  const uncertain: Write[] = [];
  const changes: Changes = {
    durable: (write) => durable.push(write),
    uncertain: (write) => uncertain.push(write),
  };
  const open = () =>
    new Directory({
      store,
      commits: new GroupCommit(store, { committed() {}, failed() {} }),
      clock,
      plans: builtInPlans,
      changes,
    });
  const actors = {
    store,
    clock,
    durable,
    uncertain,
    directory: open(),
    /** As after a crash: the memory is gone, the store is what it is. */
    forgetEverything() {
      actors.directory = open();
    },
    async newAccount(
      settings: UpdateAccountBody = {},
    ): Promise<{ id: string; key: string; projectId: string }> {
      const { account, writes } = newAccount(
        { name: "a", plan: "enterprise" },
        builtInPlans,
        clock.now(),
        systemRandom,
      );
      await actors.directory.create(writes);
      await actors.directory.run(account.id, updateAccount(settings, builtInPlans));
      const { key } = await actors.directory.run(account.id, createKey("k", systemRandom, hashKey));
      return { id: account.id, key, projectId: account.default_project_id };
    },
    close: endsWithTest(async () => {
      await actors.directory.close();
      await store.close();
    }),
  };
  return actors;
}
