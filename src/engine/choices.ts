/** What an operator may ask for: an engine, or the faster one wherever it loads. */
export const engineChoices = ["auto", "uws", "node"] as const;
export type EngineChoice = (typeof engineChoices)[number];
