/**
 * Clients of members, from outside: each asks any of them, whatever happens to them, and knows what must be true because of
 * what it was answered. What was not answered, or was answered with 503, may or may not have been done: it is *lost*.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Client, Json } from "../client.ts";
import { type Called, call } from "../wire/call.ts";

/** Whoever is asked. */
export interface Asked {
  readonly address: string;
}

const askMsMax = 30_000;
/** So long a client waits before it asks another member: it shall not wait for one that is paused. */
const writeMsMax = 2_500;
const settledMsMax = 60_000;
const repeatMs = 50;
/** Scans that use up what is left of a limit. */
const together = 10;

/** Null when it is lost. */
async function ask(url: string, options: object = {}, body: object | null = null): Promise<Called | null> {
  const signal = AbortSignal.timeout(body === null ? askMsMax : writeMsMax);
  const parts = body === null ? [] : [JSON.stringify(body)];
  const answer = await call(url, { signal, ...options }, parts).catch(() => null);
  return answer?.status === 503 ? null : answer;
}

function jsonOf(key: string): Record<string, string> {
  return { "x-api-key": key, "content-type": "application/json" };
}

function unforeseen({ status, body }: Called): never {
  assert.fail(`${status} ${body}`);
}

/** A link, and what became of its scans. */
export class Scanned {
  readonly slug: string;
  readonly id: string;
  led = 0;
  lost = 0;

  constructor({ slug, qr_id }: Json) {
    this.slug = slug;
    this.id = qr_id;
  }

  async scan({ address }: Asked): Promise<Called | null> {
    // Lost until it is answered.
    this.lost++;
    const answer = await ask(`${address}/${this.slug}`);
    if (answer === null) return null;
    this.lost--;
    if (answer.status === 302) this.led++;
    else if (answer.status !== 410) unforeseen(answer);
    return answer;
  }

  /** Every scan that led is counted, once, and of the lost ones no other. */
  async isCounted(api: Client): Promise<void> {
    for (const end = performance.now() + settledMsMax; (await this.#count(api)) < this.led; ) {
      assert.ok(performance.now() < end, await this.#figures(api));
      await pause(repeatMs);
    }
    assert.ok((await this.#count(api)) <= this.led + this.lost, await this.#figures(api));
  }

  /** The limit of the link is used up exactly. */
  async isUsedUp(api: Client, limit: number, anyone: () => Asked): Promise<void> {
    const end = performance.now() + settledMsMax;
    for (let isReached = false; !isReached; ) {
      assert.ok(performance.now() < end, "the limit is not reached");
      const answers = await Promise.all(Array.from({ length: together }, () => this.scan(anyone())));
      isReached = answers.every((answer) => answer?.status === 410);
    }
    assert.equal(await this.#count(api), limit, await this.#figures(api));
    assert.ok(this.led <= limit && limit <= this.led + this.lost, await this.#figures(api));
  }

  async #count(api: Client): Promise<number> {
    return (await api.get(`/v1/qr-codes/${this.id}`, 200)).body.scan_count;
  }

  async #figures(api: Client): Promise<string> {
    return `led ${this.led}, lost ${this.lost}, counted ${await this.#count(api)}`;
  }
}

/** Targets are numbered; those of changes that were lost may or may not have come. */
export class Changed extends Scanned {
  readonly #answered = new Set<number>();
  #sent = 0;
  #last = -1;

  /** How many changes were answered. */
  get changes(): number {
    return this.#answered.size;
  }

  async change({ address }: Asked, key: string): Promise<void> {
    const n = this.#sent++;
    const body = { redirect_url: `https://example.com/${n}` };
    const answer = await ask(
      `${address}/v1/qr-codes/${this.id}`,
      { method: "PATCH", headers: jsonOf(key) },
      body,
    );
    if (answer === null) return;
    if (answer.status !== 200) unforeseen(answer);
    this.#answered.add(n);
    this.#last = n;
  }

  override async scan(member: Asked): Promise<Called | null> {
    const last = this.#last;
    const answer = await super.scan(member);
    const target = Number(answer?.headers.location?.split("/").at(-1) ?? Number.NaN);
    const isOld = this.#answered.has(target) && target < last;
    assert.ok(!isOld, `led to target ${target} after ${last} was answered`);
    return answer;
  }
}

/** Codes of one account, which may have `cap` of them at a time. */
export class Created {
  readonly #key: string;
  readonly #labels = new Set<string>();
  /** Their ids, of those that nobody has tried to archive. */
  readonly #live: string[] = [];

  constructor(key: string) {
    this.#key = key;
  }

  /** How many creates were answered. */
  get size(): number {
    return this.#labels.size;
  }

  /** Repeated under one key until somebody answers; false when there was no room. */
  async create(anyone: () => Asked, isOver: () => boolean = () => false): Promise<boolean> {
    const body = { label: randomUUID(), redirect_url: "https://example.com/" };
    const headers = { ...jsonOf(this.#key), "idempotency-key": randomUUID() };
    while (!isOver()) {
      const answer = await ask(`${anyone().address}/v1/qr-codes`, { method: "POST", headers }, body);
      if (answer?.status === 201) {
        this.#labels.add(body.label);
        this.#live.push(JSON.parse(answer.body).qr_id);
        return true;
      }
      if (answer?.status === 402) return false;
      if (answer !== null) unforeseen(answer);
      await pause(repeatMs);
    }
    return false;
  }

  /** Makes room for another one. */
  async archive({ address }: Asked): Promise<void> {
    const id = this.#live.shift();
    if (id === undefined) return;
    const url = `${address}/v1/qr-codes/${id}`;
    const answer = await ask(url, { method: "PATCH", headers: jsonOf(this.#key) }, { status: "archived" });
    if (answer !== null && answer.status !== 200) unforeseen(answer);
  }

  /** Every create that was answered is there, and none twice. */
  async areThere(api: Client): Promise<void> {
    const codes = await api.allCodes("status=active&status=archived&");
    const labels = new Set(codes.map(({ label }) => label));
    assert.equal(labels.size, codes.length, "a create was done twice");
    const missing = [...this.#labels].filter((label) => !labels.has(label));
    assert.deepEqual(missing, [], "an answered create is not there");
  }

  /** There is room for so many codes, and for no more. */
  async isFull(api: Client, cap: number, anyone: () => Asked): Promise<void> {
    for (let more = 0; await this.create(anyone); more++) assert.ok(more < cap, "there is always room");
    assert.equal((await api.allCodes()).length, cap);
  }
}

/** One key, asked with more often than it may be. An answer tells in which second and minute its request was let through. */
export class Metered {
  readonly #key: string;
  readonly #limits: { second: number; minute: number };
  readonly #passed = new Map<string, number>();
  readonly #refused = new Set<string>();
  #lost = 0;

  constructor(key: string, { burst, per_minute }: { burst: number; per_minute: number }) {
    this.#key = key;
    this.#limits = { second: burst, minute: per_minute };
  }

  async ask({ address }: Asked): Promise<void> {
    this.note(await ask(`${address}/v1/projects`, { headers: { "x-api-key": this.#key } }));
  }

  note(answer: Called | null): void {
    if (answer === null) {
      this.#lost++;
      return;
    }
    const { status, headers } = answer;
    if (status !== 200 && status !== 429) unforeseen(answer);
    const end = Number(headers["x-ratelimit-reset"]);
    const [, quota, toEnd] = /"(burst|minute)";r=\d+;t=(\d+)(?:, "day".*)?$/.exec(String(headers.ratelimit))!;
    if (status === 429) this.#refused.add(`${quota === "burst" ? "second" : "minute"} ${end}`);
    else {
      this.#pass("minute", end);
      this.#pass("second", end - Number(toEnd) + 1);
    }
  }

  /** Nothing was lost, and whoever was refused found that all had passed that may. */
  assertFull(): void {
    assert.equal(this.#lost, 0, "all were answered");
    assert.ok(this.#refused.size > 0, "nobody was refused");
    for (const window of this.#refused) {
      const [name] = window.split(" ") as ["second" | "minute"];
      assert.equal(this.#passed.get(window), this.#limits[name], `passed in the ${window}`);
    }
  }

  #pass(name: "second" | "minute", end: number): void {
    const passed = (this.#passed.get(`${name} ${end}`) ?? 0) + 1;
    this.#passed.set(`${name} ${end}`, passed);
    assert.ok(passed <= this.#limits[name], `${passed} requests passed in a ${name}`);
  }
}
