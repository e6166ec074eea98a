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

/** Projects of an account, unless its plan or the account itself says otherwise. */
export const projectsMax = 1_000;

/** Lists. */
export const pageSizeDefault = 20;
export const pageSizeMax = 100;

/** HTTP. */
export const bodyBytesMax = 64 * kib;
export const answerKeptMs = 24 * 60 * 60 * 1000;
export const drainMsMax = 10_000;
/** Answers of a loop turn, over all connections, that are given before all of the turn's requests are read. */
export const answersAtOnceMax = 32;
/** A longer answer counts as one more for every so many bytes. */
export const answerBytesAtOnce = 4 * kib;
/** How long the figures of `/metrics` are given out before they are taken again. */
export const metricsKeptMs = 1_000;
/** A longer `Accept` or `Accept-Encoding` is not read; those of browsers have up to about 250. */
export const negotiationCharsMax = 1_024;

/** Actors. */
export const mailboxCommandsMax = 10_000;
export const liveActorsMax = 100_000;
export const keyCacheMax = 200_000;
export const actorIdleMs = 5 * 60 * 1000;
export const passivationStepMs = 1_000;
/** Projects of an account from before they were counted are counted in steps. */
export const countedProjectsStep = 500;

/** Group commit. */
export const dirtyWritesMax = 100_000;

/** How long one step of a walk over many documents may hold the event loop. */
export const loopHoldMsMax = 5;
/** How long the steps of all walks together may hold one turn of the loop, and how many walks may be under way. */
export const loopShareMs = 0.25;
export const loopWalksMax = 10_000;

/** Searches in labels: how many are worked on at the same time, one an account, and how many may wait. */
export const searchesAtOnceMax = 8;
export const searchesWaitingMax = 1_000;

/** Rendering. */
export const renderMsMax = 5_000;
export const renderThreadStartMsMax = 30_000;
export const renderThreadHeapMb = 128;
export const renderThreadIdleMs = 60_000;
export const renderAttemptsMax = 3;
export const renderRetryMs: readonly number[] = [200, 1_000];
/** How long a request waits whose outcome could not be stored: doubles from the first to the last. */
export const renderUnstoredMsMin = 200;
export const renderUnstoredMsMax = 30_000;
/** How long to wait before the store is read again after it failed. */
export const renderRereadMs = 1_000;
/** Requests in memory; what is above waits in the store. */
export const renderQueueMax = 10_000;
/** Results drawn and not yet stored. */
export const renderUnstoredMax = 64;
/** An account with more in the store is loaded again below the first number, up to the second. */
export const renderRefillBelow = 100;
export const renderRefillTo = 1_000;
export const renderRefillPage = 200;
/** Accounts whose place in the store is remembered one by one; more share one place. */
export const renderBacklogAccountsMax = 1_000;

/** Safety. */
export const blockListPollMs = 1_000;
export const rescanPageCodes = 500;
/** A target costs some ten microseconds, and a code can have one more than it has rules. */
export const rescanTargetsPerTurn = 100;

/** The search for accounts on plans that are not configured: its pages, the pause between them, what it names. */
export const unconfiguredPageAccounts = 200;
export const unconfiguredPauseMs = 50;
export const unconfiguredNamedMax = 10;

/** How often answers kept for idempotency are cleared away once they have expired. */
export const answersSweepMs = 10 * 60 * 1000;

/** What a client may send before the handler is asked: the head of a request. */
export const headerBytesMax = 16 * kib;
export const headersMax = 100;

/** How often the node engine looks for connections whose time is up; its times are counted in these looks. */
export const lookMs = 1_000;
export const idleTicksMax = 10;
/** From the first byte of a head to its last, and from there to the last of the body. */
export const messageTicksMax = 10;
/** For a client to take an answer that did not fit at once. */
export const answerTicksMax = 30;
/** What a closed connection may still send before it is forgotten. */
export const lingerTicksMax = 2;
export const lingerBytesMax = 1024 * kib;

/** So many connections fewer are a crowd that has gone; how often their memory is collected at most, in looks. */
export const crowdConnections = 4_096;
export const collectTicksMin = 10;

/** The node engine: requests of a connection that are served in a loop turn, and that may wait for one. */
export const requestsInTurnMax = 32;
export const requestsWaitingMax = 1_024;
/** What is parsed at a time of many requests that came at once; the least request has 25 bytes. */
export const pieceBytes = kib;
/** How long a loop turn may be for requests that had to wait. */
export const queuedTurnMsMax = 4;

/** Connections at the same time, and the files of the process that they leave to everything else. */
export const connectionsMax = 50_000;
export const filesKept = 256;

/** Pause between checkpoints of scan counts when other processes may take over. */
export const sharedCheckpointMs = 1_000;
