/** The dashboard of one account: projects, limits and keys. It is their only writer. */

import { type AccountRecord, type ProjectRecord, Register, require } from "../checks/ledger.ts";
import type { Answer } from "../machine/door.ts";
import type { Scene } from "../scene.ts";
import { callWithKey, isUncertain, requireCalm } from "./key-holder.ts";
import { keyRecord } from "./population.ts";

const actions = 7;
const keysMax = 3;

export function operator(world: Scene, account: AccountRecord): () => Promise<void> {
  const random = world.random.fork();

  async function createProject(): Promise<void> {
    const name = `project ${world.ledger.projectCreates.size}`;
    const isDefault = random.chance(0.6);
    world.ledger.projectCreates.set(name, "unknown");
    const before = account.defaultProject.possible;
    if (isDefault) account.defaultProject.begin(() => name);
    const idempotencyKey = name.replace(" ", "-");
    const send = () =>
      callWithKey(world, account, "POST", "/v1/projects", {
        body: { name, set_as_default: isDefault },
        idempotencyKey,
      });
    const answers = [await send()];
    while (answers.length < 3 && isUncertain(answers.at(-1)!) && random.chance(0.7))
      answers.push(await send());
    const answer = answers.at(-1)!;
    if (answer !== "lost" && answer.status === 201) {
      world.ledger.projectCreates.set(name, "created");
      const id: string = answer.fields.project_id;
      if (!account.projects.some((known) => known.id === id)) {
        account.projects.push({ name, id, archived: new Register(`archiving of ${name}`, false) });
      }
      if (isDefault) account.defaultProject.answered(name);
    } else if (answers.some(isUncertain)) {
      if (isDefault) account.defaultProject.lost();
    } else {
      world.ledger.projectCreates.set(name, "refused");
      if (isDefault) account.defaultProject.refused(before);
    }
  }

  async function archive(): Promise<void> {
    const archived = random.chance(0.5);
    await setArchived(random.pick(account.projects), archived);
    if (random.chance(0.3)) await setArchived(random.pick(account.projects), !archived);
  }

  async function setArchived(project: ProjectRecord, archived: boolean): Promise<void> {
    project.archived.begin(() => archived);
    const answer = await call("PATCH", "/admin/v1/accounts/:id/projects/:project_id", {
      params: [account.id, project.id],
      body: { archived },
    });
    if (isUncertain(answer)) project.archived.lost();
    else project.archived.answered(answer.fields.is_archived);
  }

  async function changeLimits(): Promise<void> {
    const qr_cap = random.pick([2, 5, 1_000]);
    const per_minute = random.pick([5, 30]);
    account.capMax = Math.max(account.capMax, qr_cap);
    account.perMinuteMax = Math.max(account.perMinuteMax, per_minute);
    await call("PATCH", "/admin/v1/accounts/:id", {
      params: [account.id],
      body: { limits: random.chance(0.5) ? { qr_cap } : { per_minute } },
    });
  }

  async function changeKeys(): Promise<void> {
    const live = account.keys.filter((key) => key.revoked.possible.includes(false));
    if (live.length < keysMax && random.chance(0.6)) {
      const answer = await call("POST", "/admin/v1/accounts/:id/keys", { params: [account.id], body: {} });
      if (!isUncertain(answer)) account.keys.push(keyRecord(answer.fields.key_id, answer.fields.key));
      return;
    }
    const key = random.pick(account.keys);
    key.revoked.begin(() => true);
    const answer = await call("DELETE", "/admin/v1/accounts/:id/keys/:key_id", {
      params: [account.id, key.id],
    });
    if (isUncertain(answer)) key.revoked.lost();
    else key.revoked.answered(answer.fields.revoked_at !== null);
  }

  /** All pages, or as far as the service lets us. */
  async function listProjects(): Promise<void> {
    const revisions = new Map(account.projects.map((project) => [project, project.archived.revision]));
    const { revision } = account.defaultProject;
    const items: { name: string; is_default: boolean; is_archived: boolean }[] = [];
    for (let token: string | null = ""; token !== null; ) {
      const answer = await call("GET", "/admin/v1/accounts/:id/projects", {
        params: [account.id],
        query: { page_size: "2", ...(token === "" ? {} : { page_token: token }) },
      });
      if (isUncertain(answer)) return;
      items.push(...answer.fields.items);
      token = answer.fields.next_page_token;
    }
    const defaults = items.filter((item) => item.is_default);
    require(defaults.length === 1, () => `${account.id} has ${defaults.length} default projects`);
    account.defaultProject.seen(defaults[0]!.name, revision);
    for (const [project, since] of revisions) {
      const shown = items.filter((item) => item.name === project.name);
      require(shown.length === 1, () => `${project.name} is listed ${shown.length} times`);
      project.archived.seen(shown[0]!.is_archived, since);
    }
  }

  async function call(...request: Parameters<Scene["call"]>): Promise<Answer | "lost"> {
    const answer = await world.call(...request);
    if (answer !== "lost") requireCalm(world, answer);
    return answer;
  }

  return async () => {
    for (let n = 0; n < actions; n++) {
      await world.loop.sleep(random.chance(0.3) ? random.below(20) : random.below(5_000));
      const act = random.pick([createProject, archive, changeLimits, changeKeys, listProjects, listProjects]);
      await act();
    }
  };
}
