/** Sends requests to members that say they are ready, and to another one where nobody takes the connection. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Service } from "../../../src/service/shared.ts";
import { type Called, call } from "../wire/call.ts";

const waitMsMax = 30_000;

export interface Balanced {
  readonly address: string;
}

export class Balancer<Member extends Balanced = Service> {
  readonly members: Member[] = [];
  #turn = 0;

  async isReady({ address }: Balanced): Promise<boolean> {
    return (await taken(`${address}/readyz`))?.status === 200;
  }

  async untilReady(member: Balanced): Promise<void> {
    const end = performance.now() + waitMsMax;
    while (!(await this.isReady(member))) {
      assert.ok(performance.now() < end, "a member is not ready in time");
      await pause(20);
    }
  }

  async send(path: string, options: object = {}, body: readonly string[] = []): Promise<Called> {
    const end = performance.now() + waitMsMax;
    while (performance.now() < end) {
      const member = this.members[this.#turn++ % this.members.length]!;
      if (!(await this.isReady(member))) continue;
      const answer = await taken(`${member.address}${path}`, options, body);
      if (answer !== null) return answer;
    }
    throw new Error("nobody is ready");
  }

  /** Of every member that is ready now, at once. */
  async askAll(path: string): Promise<Called[]> {
    const asked = this.members.map(async (member) =>
      (await this.isReady(member)) ? taken(`${member.address}${path}`) : null,
    );
    return (await Promise.all(asked)).filter((answer) => answer !== null);
  }
}

/** Whoever closes its socket while a connection is being made takes nothing from it: null. */
async function taken(
  url: string,
  options: object = {},
  body: readonly string[] = [],
): Promise<Called | null> {
  try {
    return await call(url, options, body);
  } catch (cause) {
    if (!["ECONNREFUSED", "ECONNRESET"].includes((cause as NodeJS.ErrnoException).code!)) throw cause;
    return null;
  }
}
