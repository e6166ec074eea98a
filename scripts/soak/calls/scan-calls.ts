/** Scans of all kinds, and what each must be answered with. */
import { base32 } from "../../../src/runtime/ids.ts";
import { type Code, type Glance, glance, type Kind, mayHaveBeen, versionOf, wasPossible } from "../ledger.ts";
import type { Answer } from "./wire.ts";
import { about, type Call, type World } from "./world.ts";

const agents = {
  ios: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)",
  android: "Mozilla/5.0 (Linux; Android 15; Pixel 9)",
  desktop: "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101",
} as const;
type Visitor = keyof typeof agents;
const visitors = Object.keys(agents) as Visitor[];
const referrers = ["https://news.example.org/a", "https://search.example.net/", "https://mail.example.com/x"];

/** Where scanners with a phone go, whatever the version of the code. */
export const ruleTargets: Partial<Record<Visitor, string>> = {
  ios: "https://example.com/soak/ios",
  android: "https://example.com/soak/android",
};

export const scanPlain: Call = (world) => scan(world, "plain");
export const scanRuled: Call = (world) => scan(world, "ruled");
export const scanLimited: Call = (world) => scan(world, "limited");

async function scan(world: World, kind: Kind): Promise<void> {
  const code = world.ledger.pick(world.chance, kind, ({ slug }) => slug !== null);
  if (code === null) return;
  const visitor = world.chance.pick(visitors);
  const since = glance(code);
  code.sent++;
  const answer = await ask(world, "GET", code, visitor);
  if (answer === null) return;
  if (answer.status === 302) code.answered++;
  else code.sent--;
  if (answer.status === 410) code.refused++;
  checkScan(world, code, since, visitor, answer);
}

/** HEAD, and what a browser fetches ahead, go where a scan would go and do not count. */
export const scanUncounted: Call = async (world) => {
  const code = world.ledger.pick(world.chance, "plain", ({ slug }) => slug !== null);
  if (code === null) return;
  const visitor = world.chance.pick(visitors);
  const since = glance(code);
  const isHead = world.chance.chance(0.7);
  const answer = isHead
    ? await ask(world, "HEAD", code, visitor)
    : await ask(world, "GET", code, visitor, { purpose: "prefetch" });
  if (answer !== null) checkScan(world, code, since, visitor, answer);
};

export const scanUnknown: Call = async ({ chance, judge }) => {
  const slug = `qr-${Array.from({ length: 10 }, () => base32[chance.below(32)]).join("")}`;
  const answer = await judge.ask("scan", { method: "GET", path: `/${slug}` });
  if (answer !== null && answer.status !== 404)
    judge.fail(`unknown /${slug} was answered with ${answer.status}`);
};

function ask(
  { chance, judge }: World,
  method: "GET" | "HEAD",
  code: Code,
  visitor: Visitor,
  more: Record<string, string> = {},
): Promise<Answer | null> {
  const headers = {
    "user-agent": agents[visitor],
    ...(chance.chance(0.5) && { referer: chance.pick(referrers) }),
    ...more,
  };
  return judge.ask("scan", { method, path: `/${code.slug}`, headers });
}

function checkScan({ judge }: World, code: Code, since: Glance, visitor: Visitor, answer: Answer): void {
  if (isExpected(code, since, visitor, answer)) return;
  const { status, headers } = answer;
  judge.fail(`a scan was answered with ${status} ${headers.location ?? ""}: ${about(code)}`);
}

function isExpected(code: Code, since: Glance, visitor: Visitor, answer: Answer): boolean {
  if (answer.status === 404) return mayHaveBeen(code, since, false);
  if (answer.status === 410) return code.limit !== null && code.sent >= code.limit;
  if (answer.status !== 302 || (code.limit !== null && code.answered > code.limit)) return false;
  const byRule = code.kind === "ruled" ? ruleTargets[visitor] : undefined;
  if (byRule !== undefined) return answer.headers.location === byRule && mayHaveBeen(code, since, true);
  const version = versionOf(code.number, answer.headers.location);
  return version !== null && wasPossible(code, since, { version, active: true });
}
