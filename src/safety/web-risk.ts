/**
 * The remote check by a look-up over HTTP, in the manner of Google's Web Risk (`uris:search`): one GET for
 * each URL, answered with a `threat` or with an empty object.
 *
 * Whoever waits for it is a client of ours, so everything about it is bounded: the time, how many look-ups
 * run, how many wait, how large an answer may be. A URL that many ask for at once is looked up once. When
 * several look-ups in a row have failed the service counts as away: it is not asked for a while, and the
 * verdict is `unknown` at once instead of after the time-out.
 */
import { remoteCheckLimits } from "../limits.ts";
import { BoundedMap } from "../runtime/bounded-map.ts";
import type { Clock, Millis } from "../runtime/clock.ts";
import type { RemoteCheck, Verdict } from "./remote-check.ts";

const threatTypes = ["MALWARE", "SOCIAL_ENGINEERING", "UNWANTED_SOFTWARE"];

export interface WebRiskOptions {
  /** Address of the look-up, for instance `https://webrisk.googleapis.com/v1/uris:search`. */
  url: string;
  /** Sent as `x-goog-api-key`, never in the address, which proxies write into their logs. */
  key: string | null;
  clock: Clock;
  log: { info(detail: object, message: string): void; warn(detail: object, message: string): void };
  limits?: Partial<typeof remoteCheckLimits>;
}

interface Found {
  verdict: "safe" | "unsafe";
  ms: number;
}

export function openWebRisk(options: WebRiskOptions): RemoteCheck {
  const { url, key, clock, log } = options;
  const limits = { ...remoteCheckLimits, ...options.limits };
  /** When it is full, the one that was not asked for the longest goes. */
  const cache = new BoundedMap<string, { verdict: Found["verdict"]; until: Millis }>(limits.cacheEntriesMax);
  const underWay = new Map<string, Promise<Verdict>>();
  const waiting: (() => void)[] = [];
  const closing = new AbortController();
  let running = 0;
  let failures = 0;
  let awayUntil = 0;

  function cached(target: string): Verdict | null {
    const entry = cache.get(target);
    cache.delete(target);
    if (entry === undefined || entry.until <= clock.now()) return null;
    cache.set(target, entry);
    return entry.verdict;
  }

  function verdictOf(target: string): Promise<Verdict> | Verdict {
    const known = cached(target);
    if (known !== null) return known;
    const asked = underWay.get(target);
    if (asked !== undefined) return asked;
    if (clock.now() < awayUntil || waiting.length >= limits.waitingMax || closing.signal.aborted) {
      return "unknown";
    }
    const asking = ask(target).finally(() => underWay.delete(target));
    underWay.set(target, asking);
    return asking;
  }

  async function ask(target: string): Promise<Verdict> {
    const stop = new AbortController();
    const abort = () => stop.abort();
    const cancel = clock.after(limits.timeoutMs, abort);
    closing.signal.addEventListener("abort", abort);
    try {
      if (!(await place(stop.signal))) return "unknown";
      try {
        const { verdict, ms } = await lookUp(target, stop.signal);
        answered();
        cache.set(target, { verdict, until: clock.now() + ms });
        return verdict;
      } finally {
        running--;
        waiting.shift()?.();
      }
    } catch (cause) {
      if (!closing.signal.aborted) failed(cause as Error);
      return "unknown";
    } finally {
      cancel();
      closing.signal.removeEventListener("abort", abort);
    }
  }

  /** False when none became free in time. */
  function place(signal: AbortSignal): Promise<boolean> {
    if (running < limits.lookupsMax) {
      running++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const take = () => {
        signal.removeEventListener("abort", give);
        running++;
        resolve(true);
      };
      const give = () => {
        waiting.splice(waiting.indexOf(take), 1);
        resolve(false);
      };
      signal.addEventListener("abort", give, { once: true });
      waiting.push(take);
    });
  }

  async function lookUp(target: string, signal: AbortSignal): Promise<Found> {
    const address = new URL(url);
    for (const type of threatTypes) address.searchParams.append("threatTypes", type);
    address.searchParams.set("uri", target);
    const headers: Record<string, string> = { accept: "application/json" };
    if (key !== null) headers["x-goog-api-key"] = key;
    const answer = await fetch(address, { headers, signal, redirect: "error" });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      throw new Error(`it answered ${answer.status}`);
    }
    return foundIn(await boundedText(answer, limits.answerBytesMax));
  }

  function foundIn(text: string): Found {
    const answer: unknown = JSON.parse(text);
    if (typeof answer !== "object" || answer === null || Array.isArray(answer)) {
      throw new Error("it answered something else than an object");
    }
    const { threat } = answer as { threat?: { expireTime?: unknown } | null };
    if (threat === undefined || threat === null) return { verdict: "safe", ms: limits.safeMs };
    const expires = Date.parse(String(threat.expireTime)) - clock.now();
    const ms = Number.isNaN(expires) ? limits.unsafeMsMin : expires;
    return { verdict: "unsafe", ms: Math.min(limits.unsafeMsMax, Math.max(limits.unsafeMsMin, ms)) };
  }

  function answered(): void {
    if (failures >= limits.failuresMax) log.info({}, "the remote URL check answers again");
    failures = 0;
  }

  function failed(cause: Error): void {
    failures++;
    if (failures < limits.failuresMax) return;
    awayUntil = clock.now() + limits.awayMs;
    if (failures === limits.failuresMax) {
      log.warn({ problem: cause.message, again_ms: limits.awayMs }, "the remote URL check is away");
    }
  }

  return {
    async verdict(urls) {
      const verdicts = await Promise.all([...new Set(urls)].map(verdictOf));
      if (verdicts.includes("unsafe")) return "unsafe";
      return verdicts.includes("unknown") ? "unknown" : "safe";
    },
    close: () => closing.abort(),
  };
}

async function boundedText(answer: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error("its answer is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
