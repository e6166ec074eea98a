/** Every bound of the service: its name, its unit, its one home. */

export const kib = 1024;

/** Text. */
export const labelCharsMax = 200;
export const descriptionCharsMax = 2_000;
export const urlCharsMax = 2_048;
export const textCharsMax = 1_000;
export const defaultLabelChars = 40;
export const redirectRulesMax = 20;
export const scanLimitMax = 2 ** 31 - 1;
export const idempotencyKeyCharsMax = 255;

/** Lists. */
export const pageSizeDefault = 20;
export const pageSizeMax = 100;

/** HTTP. */
export const bodyBytesMax = 64 * kib;
export const answerKeptMs = 24 * 60 * 60 * 1000;
export const drainMsMax = 10_000;

/** Actors. */
export const mailboxCommandsMax = 10_000;
export const liveActorsMax = 100_000;
export const actorIdleMs = 5 * 60 * 1000;
export const passivationStepMs = 1_000;

/** Group commit. */
export const dirtyWritesMax = 100_000;

/** How long one step of a walk over many documents may hold the event loop. */
export const loopHoldMsMax = 5;
