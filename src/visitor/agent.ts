/**
 * What a user agent says of its device, and whether it is a known robot.
 *
 * To find that out takes a search of the header for some dozens of names. Agents come again and again, so what was
 * found is kept for the last few thousand, each at a place that follows from its length and some of its letters; a
 * comparison says whether it is the same. That is less than the search for the device alone took. Rejected: a `Map`,
 * which reads every letter of every header to find its place.
 */
import type { Device } from "../domain/documents.ts";
import { agentsKept } from "../limits.ts";
import { isRobotAgent } from "./robot.ts";

export interface Agent {
  readonly device: Device;
  readonly isRobot: boolean;
}

/** Who does not name itself. */
export const noAgent: Agent = agentOf("");

const mask = agentsKept - 1;

export class Agents {
  readonly #texts: string[] = new Array(agentsKept).fill("");
  readonly #agents: Agent[] = new Array(agentsKept).fill(noAgent);

  of(userAgent: string): Agent {
    const place = placeOf(userAgent);
    if (this.#texts[place] === userAgent) return this.#agents[place]!;
    const agent = agentOf(userAgent);
    this.#texts[place] = userAgent;
    this.#agents[place] = agent;
    return agent;
  }
}

function agentOf(userAgent: string): Agent {
  return { device: deviceOf(userAgent), isRobot: isRobotAgent(userAgent) };
}

/** Versions of browsers and models of telephones differ in the middle and near the end. */
function placeOf(text: string): number {
  const { length } = text;
  if (length < 8) return 0;
  let hash = length;
  for (let part = 1; part < 8; part++) {
    hash = Math.imul(hash, 31) + text.charCodeAt((length * part) >> 3);
  }
  return (Math.imul(hash, 0x9e3779b1) >>> 16) & mask;
}

/**
 * Two searches of the header and no pattern matching: this runs on the scan path. Apple's hand-held devices
 * all name themselves `iP…`, and few other agents contain those two letters.
 */
export function deviceOf(userAgent: string): Device {
  for (let at = userAgent.indexOf("iP"); at !== -1; at = userAgent.indexOf("iP", at + 2)) {
    if (
      userAgent.startsWith("hone", at + 2) ||
      userAgent.startsWith("ad", at + 2) ||
      userAgent.startsWith("od", at + 2)
    ) {
      return "ios";
    }
  }
  return userAgent.includes("Android") ? "android" : "desktop";
}
