/** Which engine serves: the one that was asked for, or the faster one wherever it loads. */
import type { Engine, EngineChoice, EngineName } from "./engine.ts";
import { nodeEngine } from "./node/engine.ts";
import { uwsEngine } from "./uws/engine.ts";

export interface ChosenEngine {
  engine: Engine;
  /** Why it is this one, for the log. */
  reason: string;
}

/** One line for people: what they asked for cannot be had. */
export class NoSuchEngine extends Error {
  override name = "NoSuchEngine";
}

const load: Readonly<Record<EngineName, () => Engine>> = { uws: uwsEngine, node: nodeEngine };

export function chooseEngine(choice: EngineChoice): ChosenEngine {
  if (choice === "node") return { engine: load.node(), reason: "HTTP_ENGINE=node" };
  try {
    const reason = choice === "uws" ? "HTTP_ENGINE=uws" : "uWebSockets.js loads here";
    return { engine: load.uws(), reason };
  } catch (cause) {
    const why = (cause as Error).message;
    if (choice === "auto") return { engine: load.node(), reason: why };
    throw new NoSuchEngine(`HTTP_ENGINE=uws cannot be had: ${why}; HTTP_ENGINE=auto takes node instead`);
  }
}
