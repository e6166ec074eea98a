/** What must hold of the store whenever no process is at work on it. */

import { fileId } from "../../../src/domain/code/code-commands.ts";
import type { CodeDoc } from "../../../src/domain/documents.ts";
import type { Scene } from "../scene.ts";
import type { AccountRecord, CreateOutcome } from "./ledger.ts";
import { require } from "./ledger.ts";

export function checkStored(world: Scene): void {
  const { ledger } = world;
  const { database } = world.store;
  const codes = database.all("codes");
  const projects = database.all("projects");
  checkCreates(
    "code",
    ledger.codeCreates,
    codes.map(({ id, label }) => ledger.codes.get(id)?.firstLabel ?? label),
  );
  checkCreates(
    "project",
    ledger.projectCreates,
    projects.filter(({ created_via }) => created_via === "api").map(({ name }) => name),
  );
  const slugs = new Set(codes.map(({ slug }) => slug));
  require(slugs.size === codes.length, () => "two codes have the same slug");

  const byId = new Map(codes.map((code) => [code.id, code]));
  for (const code of ledger.codes.values()) {
    const doc = byId.get(code.id);
    require(doc !== undefined, () => `${code.id} was answered and is not stored`);
    require(doc.slug === code.slug, () => `${code.id} has another slug`);
    code.face.mustHave({
      label: doc.label,
      status: doc.status,
      redirect_url: doc.redirect_url,
      scan_limit: doc.scan_limit,
      expires_at: doc.expires_at === null ? null : new Date(doc.expires_at).toISOString(),
    });
  }
  for (const account of ledger.accounts) checkAccount(world, account, codes);
  checkFiles(world, codes);
}

function checkCreates(kind: string, creates: Map<string, CreateOutcome>, stored: string[]): void {
  const times = new Map<string, number>();
  for (const name of stored) times.set(name, (times.get(name) ?? 0) + 1);
  for (const [name, outcome] of creates) {
    const found = times.get(name) ?? 0;
    times.delete(name);
    const right = outcome === "created" ? found === 1 : outcome === "refused" ? found === 0 : found <= 1;
    require(right, () => `${kind} "${name}" was ${outcome} and is stored ${found} times`);
  }
  require(times.size === 0, () => `nobody created ${kind} "${[...times.keys()]}"`);
}

function checkAccount(world: Scene, account: AccountRecord, codes: CodeDoc[]): void {
  const { database } = world.store;
  const doc = database.get("accounts", account.id)!;
  const active = codes.filter((code) => code.account_id === account.id && code.status === "active").length;
  require(doc.active_codes === active, () =>
    `${account.id} counts ${doc.active_codes} active codes of ${active}`);
  require(active <= account.capMax, () =>
    `${account.id} has ${active} active codes, the cap is ${account.capMax}`);
  const projects = database.all("projects").filter(({ account_id }) => account_id === account.id).length;
  require(doc.project_count === projects, () =>
    `${account.id} counts ${doc.project_count} projects of ${projects}`);
  require(projects <= account.projectsMax, () =>
    `${account.id} has ${projects} projects, the cap is ${account.projectsMax}`);
  const project = database.get("projects", doc.default_project_id);
  require(project?.account_id === account.id, () => `${account.id} has no default project`);
  account.defaultProject.mustHave(project.name);
  for (const key of account.keys) {
    const stored = database.get("keys", key.id);
    require(stored !== null, () => `${key.id} was answered and is not stored`);
    key.revoked.mustHave(stored.revoked_at !== null);
  }
  for (const { id, name, archived } of account.projects) {
    const stored = database.get("projects", id);
    require(stored !== null, () => `${name} was answered and is not stored`);
    archived.mustHave(stored.is_archived);
  }
}

/** The images that codes refer to, and no others. */
function checkFiles(world: Scene, codes: CodeDoc[]): void {
  const wanted = new Set<string>();
  for (const { id, render } of codes) {
    if (render.svg !== null) wanted.add(fileId(id, render.svg, "svg"));
    if (render.png !== null) wanted.add(fileId(id, render.png, "png"));
  }
  const files = world.store.database.all("files");
  for (const { id } of files) require(wanted.delete(id), () => `nothing refers to the file ${id}`);
  require(wanted.size === 0, () => `files are missing: ${[...wanted]}`);
}

/** Every count is at least what was answered, unless some may still be on an idle machine, and at most what was sent. */
export function checkCounts(world: Scene, areWhole: boolean): void {
  for (const { id, slug, scans } of world.ledger.codes.values()) {
    const count = world.store.database.scanCount(slug);
    const isEnough = count >= scans.least || !areWhole;
    require(isEnough && count <= scans.most, () =>
      `${id} has count ${count}; ${scans.least} scans were answered, ${scans.most} sent`);
  }
}
