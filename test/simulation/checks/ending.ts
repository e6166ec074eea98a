/**
 * The end of a run: all faults stop, and what the service owes it has to deliver by itself. Every image is drawn,
 * every link serves what the store says, and after an orderly stop every figure is exact.
 */

import { wantsImage } from "../../../src/domain/code/render-state.ts";
import { faceOf } from "../clients/code-owner.ts";
import { scan } from "../clients/scanner.ts";
import { stopInOrder } from "../crashes.ts";
import { handOver } from "../machine/standby.ts";
import type { Scene } from "../scene.ts";
import type { World } from "../world.ts";
import { checkAnalytics } from "./analytics-checks.ts";
import { checkCounts, checkStored } from "./checks.ts";
import { require } from "./ledger.ts";

const renderMsMax = 10 * 60_000;
const foldMsMax = 60_000;

export async function settle(world: World): Promise<void> {
  world.faults.stop();
  await world.start();
  await allRendered(world);
  await linksTellTheTruth(world);
  await allHandedOver(world);
  await stopInOrder(world);
  checkStored(world);
  checkCounts(world, true);
  checkAnalytics(world);
  await world.start();
  await stopInOrder(world);
  checkCounts(world, true);
  checkAnalytics(world);
}

/** The machines that stand by give what they have, and the owner folds it. */
async function allHandedOver(world: World): Promise<void> {
  await handOver(world);
  const until = world.loop.now() + foldMsMax;
  while (world.store.database.unfolded > 0) {
    require(world.loop.now() < until, () => "the parts of finished members are never folded");
    await world.loop.sleep(1_000);
  }
}

export async function allRendered(world: Scene): Promise<void> {
  const until = world.loop.now() + renderMsMax;
  for (;;) {
    const codes = world.store.database.all("codes");
    const left = codes.filter(({ render }) => wantsImage(render));
    if (left.length === 0) return;
    require(world.loop.now() < until, () =>
      `never rendered: ${left.map(({ id, label }) => `${id} (${label})`)}`);
    await world.loop.sleep(1_000);
  }
}

/** What is stored is now the only possible value of everything; scans that do not count must agree with it. */
export async function linksTellTheTruth(world: Scene): Promise<void> {
  const { database } = world.store;
  for (const code of world.ledger.codes.values()) {
    const doc = database.get("codes", code.id)!;
    const expires_at = doc.expires_at === null ? null : new Date(doc.expires_at).toISOString();
    code.face.seen(faceOf({ ...doc, expires_at }), code.face.revision);
    const project = database.get("projects", code.project.id)!;
    code.project.archived.seen(project.is_archived, code.project.archived.revision);
    await scan(world, code, "HEAD");
  }
}
