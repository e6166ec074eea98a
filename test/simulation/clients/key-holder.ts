/** Requests with an API key, and what must hold for every one of them. */

import { dayMs, minuteMs, secondMs } from "../../../src/domain/account/rate-window.ts";
import type { Method } from "../../../src/http/access.ts";
import { type AccountRecord, type KeyRecord, require } from "../checks/ledger.ts";
import type { Answer, Lost, Request } from "../machine/door.ts";
import type { Scene } from "../scene.ts";

export async function callWithKey(
  world: Scene,
  account: AccountRecord,
  method: Method,
  path: string,
  request: Request,
): Promise<Answer | Lost> {
  const usable = account.keys.filter((key) => key.revoked.possible.includes(false));
  const key = world.random.pick(world.random.chance(0.9) && usable.length > 0 ? usable : account.keys);
  const { revision } = key.revoked;
  const wasRevoked = !key.revoked.possible.includes(false);
  const answer = await world.call(method, path, { ...request, key: key.key });
  if (answer === "lost") return answer;
  requireCalm(world, answer);
  require(!wasRevoked || answer.status === 401 || answer.status === 503, () =>
    `a revoked key got ${answer.status}`);
  if (answer.status === 401) key.revoked.seen(true, revision);
  notePassed(account, key, answer);
  return answer;
}

/** Where nothing fails, nothing may be unavailable. */
export function requireCalm(world: Scene, answer: Answer): void {
  require(!world.faults.weather.isCalm || answer.status !== 503, () =>
    `nothing failed, and a request got a 503: ${answer.bytes}`);
}

const windows = [
  { name: "second", lengthMs: secondMs, limit: "burstMax", refusal: "rate_limited" },
  { name: "minute", lengthMs: minuteMs, limit: "perMinuteMax", refusal: "rate_limit_minute" },
  { name: "day", lengthMs: dayMs, limit: "perDayMax", refusal: "rate_limit_day" },
] as const;

function notePassed(account: AccountRecord, key: KeyRecord, { admission, status }: Answer): void {
  if (admission === null || status === 503) return;
  for (const { name, lengthMs, limit, refusal } of windows) {
    const window = `${name} ${admission.at - (admission.at % lengthMs)}`;
    if (admission.refusal?.code === refusal) key.refused.add(window);
    if (admission.refusal !== null) continue;
    const passed = (key.passed.get(window) ?? 0) + 1;
    key.passed.set(window, passed);
    require(passed <= account[limit], () =>
      `${passed} requests passed in a ${name}, the limit is ${account[limit]}`);
  }
}

/** Where nothing failed, whoever was refused found the window used up by requests that passed. */
export function requireFullWindows(accounts: readonly AccountRecord[]): void {
  for (const account of accounts) {
    for (const { id, passed, refused } of account.keys) {
      for (const window of refused) {
        const limit = account[windows.find(({ name }) => window.startsWith(name))!.limit];
        require(passed.get(window) === limit, () =>
          `${id} was refused in ${window} after ${passed.get(window) ?? 0} requests, the limit is ${limit}`);
      }
    }
  }
}

/** Nobody knows whether the request was carried out. */
export function isUncertain(answer: Answer | Lost): answer is Lost | (Answer & { status: 503 }) {
  return answer === "lost" || answer.status === 503;
}
