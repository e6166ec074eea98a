/** The engine that the tests run on: `TEST_ENGINE`, or what the service itself would take. */

import { chooseEngine } from "../../src/engine/choose.ts";
import { type Engine, type EngineChoice, engineChoices } from "../../src/engine/engine.ts";

function askedFor(): EngineChoice {
  const asked = process.env.TEST_ENGINE || "auto";
  const choice = engineChoices.find((each) => each === asked);
  if (choice === undefined)
    throw new Error(`TEST_ENGINE=${asked}: it must be one of ${engineChoices.join(", ")}`);
  return choice;
}

/** For the environment of a service that a test starts. */
export const engineEnv = { HTTP_ENGINE: askedFor() };

export const testEngine: Engine = chooseEngine(askedFor()).engine;
