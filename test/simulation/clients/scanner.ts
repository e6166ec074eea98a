/** A visitor of public links, alone or in a crowd. */
import type { CodeFace, CodeRecord } from "../checks/ledger.ts";
import { require } from "../checks/ledger.ts";
import type { ScanAnswer } from "../machine/scan-socket.ts";
import type { Scene } from "../scene.ts";

const visits = 14;

export function scanner(world: Scene): () => Promise<void> {
  const random = world.random.fork();
  return async () => {
    for (let n = 0; n < visits; n++) {
      await world.loop.sleep(random.chance(0.4) ? random.below(5) : random.below(2_500));
      const codes = [...world.ledger.codes.values()];
      if (codes.length === 0 || world.process === null) continue;
      const code = random.pick(codes);
      const crowd = random.chance(0.3) ? random.between(2, 6) : 1;
      await Promise.all(
        Array.from({ length: crowd }, async (_, place) => {
          if (place % 2 === 1) await world.loop.sleep(random.below(3));
          await scan(world, code, random.chance(0.9) ? "GET" : "HEAD");
        }),
      );
    }
  };
}

/** At whatever process takes it, or the given one. */
export async function scan(
  world: Scene,
  code: CodeRecord,
  method: "GET" | "HEAD",
  process = world.process,
): Promise<void> {
  if (process === null) return;
  const { face, project, scans } = code;
  const counts = method === "GET";
  const began = world.loop.now();
  const faceRevision = face.revision;
  const projectRevision = project.archived.revision;
  const leaves = world.faults.visitorLeaves() ? world.random.below(20) : null;
  world.scans++;
  if (counts) scans.inFlight++;
  let wasAnswered = false;
  const answer = await process.scan(method, code.slug, leaves, (given) => {
    wasAnswered = true;
    if (!counts) return;
    scans.inFlight--;
    if (given.status === 302) {
      if (isLimitedByStore(world, code)) scans.gaveDestinationStored();
      else scans.gaveDestination(world.loop.now(), process.parts.scans.health() !== null);
    }
    if (given.status === 503) scans.unknown++;
  });
  if (counts) scans.wasSent(began, world.loop.now());
  if (counts && !wasAnswered) {
    scans.inFlight--;
    scans.unknown++;
  }
  world.trace(`${method} link ${answer === "lost" ? answer : answer.status}`);
  if (answer === "lost") return;
  checkLimit(code, answer);
  checkExpiry(code, answer, began, world.loop.now());
  require(!world.faults.weather.isCalm || answer.status !== 503, () =>
    "nothing failed, and a scan got a 503");
  // Somebody may have changed it meanwhile: what it was and what it became are both right.
  checkTarget(
    code.id,
    answer,
    face.possibleSince(faceRevision),
    project.archived.possibleSince(projectRevision),
  );
}

/** Whichever of the possible faces it has. */
function isLimitedByStore({ settings }: Scene, { face }: CodeRecord): boolean {
  return settings.machines > 0 && face.possible.every(({ scan_limit }) => scan_limit !== null);
}

function checkLimit({ face, scans, id }: CodeRecord, answer: ScanAnswer): void {
  const limit = face.possible[0]!.scan_limit;
  if (limit === null) return;
  const { answered, excused, most, inFlight } = scans;
  require(answered - excused <= limit, () =>
    `${answered} scans of ${id} got the destination, the limit is ${limit}`);
  if (answer.status === 410 && answer.body.includes("qr_scan_limit_reached")) {
    require(most + inFlight >= limit, () => `${id} is exhausted after ${most} of ${limit} scans`);
  }
}

function checkExpiry({ face, id }: CodeRecord, answer: ScanAnswer, began: number, ended: number): void {
  const at = face.possible[0]!.expires_at;
  const expiry = at === null ? Number.POSITIVE_INFINITY : Date.parse(at);
  if (answer.status === 302) require(began < expiry, () => `${id} was served after it had expired`);
  if (answer.body.includes("qr_expired")) require(ended >= expiry, () => `${id} expired too soon`);
}

function checkTarget(
  id: string,
  answer: ScanAnswer,
  faces: readonly CodeFace[],
  archived: readonly boolean[],
): void {
  const targets = faces.filter(({ status }) => status === "active").map((value) => value.redirect_url);
  const mayBeThere = targets.length > 0 && archived.includes(false);
  const mayBeAway = targets.length < faces.length || archived.includes(true);
  if (answer.status === 302) {
    require(mayBeThere && targets.includes(answer.location!), () =>
      `${id} went to ${answer.location}; possible were ${mayBeThere ? targets : "none"}`);
  }
  if (answer.status === 404) require(mayBeAway, () => `${id} is not found, and nothing was archived`);
}
