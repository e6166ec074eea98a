/**
 * Every bound of the service: its name, its unit, its one home, in the order of the rooms that keep to it.
 *
 * Bounds lean on each other: a queue that is filled up to more than it holds never fills, a lease that is renewed
 * too seldom is lost. Such a relation stands beside its bounds and is asked when the process starts, so a bound
 * cannot be changed without those that it holds up.
 */

function must(hold: boolean, relation: string): void {
  if (!hold) throw new Error(`limits.ts: ${relation}`);
}

export const kib = 1024;
export const mib = 1024 * kib;

/* ── Contract ─────────────────────────────────────────────────────────────────────────────────────────────── */

export const labelCharsMax = 200;
export const descriptionCharsMax = 2_000;
export const urlCharsMax = 2_048;
/** Hosts of which it is remembered whether codes may lead there. */
export const judgedHostsMax = 1_000;
export const textCharsMax = 1_000;
export const defaultLabelChars = 40;
export const redirectRulesMax = 20;
export const scanLimitMax = 2 ** 31 - 1;
export const idempotencyKeyCharsMax = 255;
/** How long a repeat gets the first answer. */
export const answerKeptMs = 24 * 60 * 60 * 1000;
must(defaultLabelChars <= labelCharsMax, "a default label is a label");

/** Projects of an account, unless its plan or the account itself says otherwise. */
export const projectsMax = 1_000;

export const pageSizeDefault = 20;
export const pageSizeMax = 100;
must(pageSizeDefault <= pageSizeMax, "the default page is a page");

/** Looks of a code: its picture, and what a phone can still read. */
export const sidePixelsMin = 64;
export const sidePixelsMax = 4_096;
export const contrastMin = 3;
export const modulePixelsMin = 2;

/* ── Engines: what a client may do before a handler is asked ──────────────────────────────────────────────── */

/** Connections at the same time, and the files of the process that they leave to everything else. */
export const connectionsMax = 50_000;
export const filesKept = 256;

export const headerBytesMax = 16 * kib;
export const headersMax = 100;
must(
  headerBytesMax > 2 * urlCharsMax,
  "a head has room for an address in its first line and one in a header",
);

/** How often the node engine looks for connections whose time is up; its times are counted in these looks. */
export const lookMs = 1_000;
export const idleTicksMax = 10;
/** From the first byte of a head to its last, and from there to the last of the body. */
export const messageTicksMax = 10;
/** For a client to take an answer that did not fit at once. */
export const answerTicksMax = 30;
/** What a closed connection may still send before it is forgotten. */
export const lingerTicksMax = 2;
export const lingerBytesMax = mib;

/** So many connections fewer are a crowd that has gone; how often their memory is collected at most, in looks. */
export const crowdConnections = 4_096;
export const collectTicksMin = 10;
must(crowdConnections < connectionsMax, "there can be a crowd");

/** The node engine: requests of a connection that are served in a loop turn, and that may wait for one. */
export const requestsInTurnMax = 32;
export const requestsWaitingMax = 1_024;
/** What is parsed at a time of many requests that came at once; the least request has 25 bytes. */
export const pieceBytes = kib;
/** How long a loop turn may be for requests that had to wait. */
export const queuedTurnMsMax = 4;
/** Parsers that are kept for the next connection. */
export const idleParsersMax = 256;
must(requestsInTurnMax < requestsWaitingMax, "what is served in a turn can wait for it");
must(pieceBytes < headerBytesMax, "a head may take several pieces");

/* ── HTTP ─────────────────────────────────────────────────────────────────────────────────────────────────── */

export const bodyBytesMax = 64 * kib;
must(
  bodyBytesMax > (redirectRulesMax + 1) * urlCharsMax + 4 * (descriptionCharsMax + labelCharsMax),
  "a body has room for the longest code that the contract allows, in plain letters",
);
/** What a body that comes in parts gets at first. */
export const firstBodyBytes = kib;
must(firstBodyBytes <= bodyBytesMax, "a body begins within its bound");
/** For a handler, and, from the first byte that its client did not take at once, for an answer to be read. */
export const handlerMsMax = 10_000;
export const answerMsMax = 30_000;
/** How often it is looked whether such a time is up. */
export const looksPerLimit = 10;
export const drainMsMax = 10_000;
/** Answers without a body that a connection gets on average before one of them ends it. */
export const bodilessAnswersMean = 256;
/** Redirects, of all clients, from one that finds out whether its client reads to the next, on average. */
export const redirectsUnseenMean = 256;
/** Answers to HEAD of links, of all clients, from one that is the last of its connection to the next, on average. */
export const headsOfConnectionMean = 1_024;
/** For so long a loop turn begins requests of the API, over all connections; the others wait for the next one. */
export const requestMsPerTurn = 2;
/** Answers of a loop turn, over all connections, that are given before all of the turn's requests are read. */
export const answersAtOnceMax = 32;
/** A longer answer counts as one more for every so many bytes. */
export const answerBytesAtOnce = 4 * kib;
/** IPv4 addresses of visitors whose country is remembered: a power of two. */
export const addressCountriesMax = 2 ** 13;
/** How long the figures of `/metrics` are given out before they are taken again. */
export const metricsKeptMs = 1_000;
/** Wrong tokens of an address before further ones are refused, for how long, and of how many addresses. */
export const wrongTokensMax = 10;
export const wrongTokensMs = 60_000;
export const guessersMax = 10_000;
/** A longer `Accept` or `Accept-Encoding` is not read; those of browsers have up to about 250. */
export const negotiationCharsMax = kib;

/* ── Accounts ─────────────────────────────────────────────────────────────────────────────────────────────── */

export const mailboxCommandsMax = 10_000;
export const liveActorsMax = 100_000;
export const keyCacheMax = 200_000;
export const wrongKeysMax = 4_096;
export const actorIdleMs = 5 * 60 * 1000;
export const passivationStepMs = 1_000;
/** Projects of an account from before they were counted are counted in steps. */
export const countedProjectsStep = 500;
/** Writes of the batch that collects behind a commit. */
export const dirtyWritesMax = 100_000;
must(passivationStepMs < actorIdleMs, "an idle actor is noticed before it is idle twice as long");
must(mailboxCommandsMax < dirtyWritesMax, "one account alone cannot fill the batch of all");

/** Searches in labels: how many are worked on at the same time, one an account, and how many may wait. */
export const searchesAtOnceMax = 8;
export const searchesWaitingMax = 1_000;

/** Lists whose last page token is remembered. */
export const issuedTokensMax = 4_096;

/** The search for accounts on plans that are not configured: its pages, the pause between them, what it names. */
export const unconfiguredPageAccounts = 200;
export const unconfiguredPauseMs = 50;
export const unconfiguredNamedMax = 10;

/* ── People ───────────────────────────────────────────────────────────────────────────────────────────────── */

export const emailCharsMax = 254;
export const passwordCharsMin = 10;
export const passwordCharsMax = 200;
export const usersMax = 200;
export const sessionMs = 12 * 60 * 60 * 1000;
export const oneTimeLinkMs = 24 * 60 * 60 * 1000;
/** Requests of a session, and of how many sessions they are counted. */
export const sessionLimits = { burst: 60, per_minute: 1_500, per_day: 200_000 };
export const sessionMetersMax = 10_000;
/** Requests of a session that are stored ahead at least, so that not every one waits for the store. */
export const sessionReserved = 40;
must(
  sessionReserved < sessionLimits.burst,
  "what is lost of a minute by a crash is less than a second may have",
);
/** Sessions of which is known that they have ended, while requests of theirs may be under way. */
export const endedSessionsMax = 10_000;

/** Passwords that are worked on at the same time, of the four threads that there are for such work, and that wait. */
export const passwordsAtOnceMax = 2;
export const passwordsWaitingMax = 32;
/** Changes of the users of one account that wait for the one before. */
export const userChangesMax = 100;
/** Attempts to sign in: wrong ones of an address, any of a user. */
export const addressAttempts = { max: 10, ms: 60_000, entriesMax: 10_000 };
export const userAttempts = { max: 30, ms: 15 * 60_000, entriesMax: 10_000 };
must(addressAttempts.max < passwordsWaitingMax, "no address alone fills the room to wait");

/* ── Stores ───────────────────────────────────────────────────────────────────────────────────────────────── */

/** How long one step of a walk over many documents may hold the event loop. */
export const loopHoldMsMax = 5;
/** How long the steps of all walks together may hold one turn of the loop, and how many walks may be under way. */
export const loopShareMs = 0.25;
export const loopWalksMax = 10_000;
must(requestMsPerTurn < loopHoldMsMax, "requests of a turn leave some of it to others");
must(loopShareMs < loopHoldMsMax, "a step of a walk is shorter than what may hold the loop");
must(searchesAtOnceMax < loopWalksMax, "searches leave walks to others");

/**
 * Texts become bytes in pieces of memory of this size, and many share a piece. At the usual 8 KiB a create took several from
 * the system, and the store had to find out where each lies. What keeps such bytes for long has to copy them.
 */
export const sharedPieceBytes = 64 * kib;

/** New codes that the embedded store finds undrawn without an entry for each, before it looks which are drawn by now, so many at a time. */
export const unlistedCodesMax = 5_000;
export const undrawnLooksStep = 200;

/** So many slugs that begin alike are looked for one by one; then all that the embedded store has are read, unless they are more. */
export const freeSlugsAsked = 8;
export const slugsBesideMax = 500;

/** Codes that the embedded store keeps decoded, at one to two KiB each. */
export const recentCodesMax = 16_384;
must(
  recentCodesMax > pageSizeMax * answersAtOnceMax,
  "the pages of a loop turn find their codes decoded the next time",
);
/** Of those, codes that were written and nobody has read since. */
export const unreadCodesMax = 256;
must(unreadCodesMax / 2 >= pageSizeMax, "a page of what was just made is at hand");
/** Counts of scans that the embedded store keeps, for codes that are read. */
export const recentCountsMax = recentCodesMax;
/** Accounts whose lists the embedded store keeps as they were read, and pages of each. */
export const recentListAccountsMax = 40;
export const recentListsOfAccountMax = 4;
must(
  recentListAccountsMax * recentListsOfAccountMax * pageSizeMax <= recentCodesMax,
  "lists hold no more codes than are kept for themselves",
);

/** How often what has expired is cleared away (answers kept for idempotency, sessions), and how many in one step. */
export const expiredSweepMs = 10 * 60 * 1000;
export const expiredStep = 200;
must(expiredSweepMs < answerKeptMs, "answers are cleared away more often than they expire");
must(expiredSweepMs < sessionMs, "sessions are cleared away more often than they expire");

/** MongoDB: the time of a read, of a commit, and of finding out what a failed commit did. */
export const readMsMax = 1_500;
export const commitMsMax = 3_000;
export const settleMsMax = 1_000;
/** A request in the worst case reads, waits for a commit that fails, and fails to settle what that commit did. */
must(readMsMax + commitMsMax + settleMsMax < 6_000, "an answer leaves within 6 s when the database is away");
/** How long a start goes on to ask for its collections and indexes. */
export const preparationMsMax = 60_000;
/** A search in labels looks at every entry of the account. */
export const labelSearchMsMax = 5_000;
/** Single documents read in one query: enough for any burst of a turn, and far below what a query may be long. */
export const keysPerQuery = 1_000;

/* ── Who owns the data ────────────────────────────────────────────────────────────────────────────────────── */

/** A standby looks this often, and takes over when it saw the owner's renewals stand still for the length of a lease. */
export const leaseLookMs = 500;
export const leaseMs = 4_000;
/** Looks that are further apart than this are no unbroken watch. */
export const leaseGapMs = 2 * leaseLookMs + readMsMax;
must(leaseGapMs < leaseMs, "a watch that was broken is not long enough");
/** How often the owner renews; one renewal that takes long does not hold up the next. */
export const leaseRenewMs = 500;
export const renewalsUnderWayMax = 4;
must(
  renewalsUnderWayMax * leaseRenewMs > readMsMax,
  "a renewal is given up before there is no place for the next",
);
/** How long an owner may serve from memory from the sending of a renewal that was acknowledged. */
export const rightMs = 2_500;
must(rightMs > readMsMax + leaseRenewMs, "an owner can fail to renew once and may still serve");
/** How long whoever takes a lease that was not given back waits, from when the former owner cannot write any more. */
export const evictionWaitMs = 4_000;
must(evictionWaitMs > 1.5 * rightMs, "clocks may run at quite different speeds");
must(
  leaseMs + leaseLookMs + 3 * settleMsMax + evictionWaitMs + commitMsMax < 15_000,
  "a takeover is over within 15 s",
);
/**
 * An owner counts as watched for so many renewals, a minute: whoever watched may be paused for as long, and take over when
 * it wakes up. A standby leaves its mark again after so many.
 */
export const watchedRenewals = 120;
export const watchAgainRenewals = 8;
must(
  watchedRenewals * leaseRenewMs > watchAgainRenewals * leaseRenewMs + leaseGapMs,
  "a standby that looks leaves its mark in time",
);

/** After so long without an answer of the database a member has lost it; for so long whoever says so must have had it. */
export const reachMs = 3_000;
must(reachMs > leaseGapMs, "a look that fails once loses nothing");

/** The bus between members. What may come before a peer has proved that it is one: bytes, time, and how many such peers. */
export const busGreetingBytesMax = kib;
export const busGreetingMsMax = 1_000;
export const busGreetingsMax = 64;
/** A frame: the longest answer that the contract allows, a page of codes with all their rules, is about half of it. */
export const busFrameBytesMax = 16 * mib;
must(
  busFrameBytesMax > 2 * pageSizeMax * (redirectRulesMax + 1) * urlCharsMax,
  "a page of the longest codes fits a frame",
);
must(busFrameBytesMax > bodyBytesMax + 2 * headerBytesMax, "every request fits a frame");
/** What a peer has not read, and questions that it has not answered. */
export const busUnsentBytesMax = 2 * busFrameBytesMax;
export const busQuestionsMax = 20_000;
/** How often each side says something, and after how many beats without a word the other counts as silent. */
export const busBeatMs = 250;
export const busSilentBeats = 4;
must(busBeatMs * busSilentBeats <= 1_000, "silence is known after a second");
/** Dialling: for how long, the pauses from the first to the longest, to how many. */
export const busDialMsMax = 1_000;
export const busRedialMsMin = 50;
export const busRedialMsMax = 1_000;
export const busDialsMax = 64;

/** Partitions of accounts. Part of what is stored: never to be changed. */
export const partitionsMax = 256;
/** Partitions that a member gives away at the same time. */
export const partitionMovesMax = 4;
must(
  partitionMovesMax < partitionsMax / 8,
  "most accounts of a member are not held up while it gives some away",
);

/** For a gate to empty; for a member to give partitions away, or to take them: then it is cut off. */
export const gateMsMax = 750;
export const moveMsMax = 4_000;
must(
  gateMsMax + commitMsMax < moveMsMax,
  "a member that lets its requests end gives partitions away in time",
);
/** Rate meters that outlive the actor of their account; what is more is known by the store, a little too high. */
export const leftMetersMax = 50_000;
must(
  256 * leftMetersMax < busFrameBytesMax,
  "all of them fit the message with which accounts are given away",
);
/** How often the keeper looks whether partitions have to move. */
export const moveLookMs = 100;
/** After partitions have come, their pending images are looked for. */
export const takenSweepMs = 500;
/** Links with a limit that were read again since their partition came here; one that is forgotten is read once more. */
export const takenLinksMax = 100_000;

/** A standby promises an owner not to take over until it has seen its renewals stand still for this long. */
export const promiseStillMsMax = 1_000;
must(
  promiseStillMsMax + rightMs < leaseMs,
  "the last promise is over when a standby has seen renewals stand still for the length of a lease",
);
must(promiseStillMsMax > leaseRenewMs + leaseLookMs / 2, "renewals that go on are not taken to stand still");
/** For a member to say that its copies of what changed are gone; then it is cut off, and waited for. */
export const ackMsMax = 1_000;
must(ackMsMax + evictionWaitMs + commitMsMax < handlerMsMax, "a change is answered though a member has died");

/** A hand-over. For a successor to say that it is there. */
export const successionMsMax = 1_000;
/** How many are asked to, one after the other. */
export const successorsAskedMax = 2;
/** What members hold meanwhile: for how long, how often one of them tries, how many. */
export const holdMsMax = 5_000;
export const holdTickMs = 50;
export const heldMax = 10_000;
must(holdMsMax + ackMsMax + commitMsMax < handlerMsMax, "what was held can still be done");
must(heldMax < busQuestionsMax, "all that was held can be asked at once");
/** How often members look who owns now, and how long those that are not to own leave the lease to who is. */
export const handOverLookMs = 50;
export const handOverYieldMs = 3_000;
must(handOverYieldMs < holdMsMax, "should the successor fail, another one owns while requests are held");

/** Whoever holds the data folder answers within the first, and is asked again after the second. */
export const folderAnswerMsMax = 1_000;
export const folderLookMs = 10;
must(folderLookMs < folderAnswerMsMax, "the holder of a folder is asked more than once");

/** Pause between checkpoints of scan counts when other processes may take over. */
export const sharedCheckpointMs = 1_000;
must(sharedCheckpointMs < leaseMs, "counts are in the store before another process can own them");
/** By then a member of which nothing is known has saved what it counted. */
export const unknownSavedMs = 2 * sharedCheckpointMs;

/* ── Links and scans ──────────────────────────────────────────────────────────────────────────────────────── */

/** Slugs that begin alike, while creates are under way: of some commits under load. */
export const slugsAlikeMax = 1_024;
/** What those have in common: `qr-` and two letters. */
export const slugBeginningChars = 5;
export const scanLimits = {
  /** Links in memory; 136 bytes each, and 8 more where several members count. */
  linksMax: 4_000_000,
  /** Cold links being read at the same time. */
  loadsMax: 10_000,
  unknownSlugsMax: 50_000,
  unknownSlugMs: 5_000,
  /** Scans of one loop turn: more connections than that do not speak in one turn. */
  turnScansMax: 16_384,
  /**
   * Of those, scans that are answered while requests are still being read; a few milliseconds' worth, since one client
   * can send as many in one go. See `AnswersAtOnce`.
   */
  turnAtOnceMax: 256,
  /** Scans that are answered and not written yet, at 20 bytes each. */
  putDownMax: 2_000,
  segmentBytesMax: 8 * mib,
  journalBytesMax: 1_024 * mib,
  sparesMax: 8,
  checkpointMs: 30_000,
  checkpointBytes: 128 * mib,
  foldMs: 5_000,
  /** Counters of scans that are not saved yet, for analytics; 16 bytes each. */
  unsavedEntriesMax: 2 ** 22,
  tickMs: 1_000,
};
must(scanLimits.linksMax < 2 ** 24, "a link's place fits the 24 bits that the index of links has for it");
must(scanLimits.segmentBytesMax <= scanLimits.checkpointBytes, "a checkpoint has segments to let go");
must(
  scanLimits.checkpointBytes < scanLimits.journalBytesMax,
  "a checkpoint comes before the journal is full",
);
must(
  scanLimits.turnAtOnceMax < scanLimits.putDownMax / 2,
  "a turn finds room when the one before has written",
);
must(scanLimits.tickMs < scanLimits.checkpointMs, "whether a checkpoint is due is asked often enough");
/** Scans that a full disk did not take: how many together, at 16 bytes each, and how often so many. */
export const refusedFrameScans = 4_096;
export const refusedFramesMax = 16;
must(
  scanLimits.segmentBytesMax > 32 * refusedFrameScans,
  "what the disk did not take fits a segment when it takes it",
);
/** Scans that wait for the store at the same time: of cold links, and of limits that the store keeps. */
export const slowScansMax = 10_000;
must(slowScansMax >= scanLimits.loadsMax, "every load that may be under way has room for who waits for it");
must(busQuestionsMax > slowScansMax, "scans alone do not use up what may be asked of a member");
/** Scans of limited links that one member sends to another together. */
export const limitedBatchMax = 1_000;
/** How often a scan has its link loaded that is stale again at once, and a load reads what changes under it. */
export const loadsPerScanMax = 10;
export const readsPerLoadMax = 10;
/** Pause before an account whose time zone is uncertain is read again. */
export const accountRereadMs = 500;
/** Names of time zones: there are some 600, the others differ in case alone. */
export const timezonesMax = 1_000;

/** How often a transaction of the embedded store is tried that failed because its list of free pages was misread. */
export const misreadTriesMax = 3;

/**
 * Links saved in one transaction: few enough to be added up without holding up scans. Twice as many hold the loop for twice
 * as long, and all together are saved in eight to nine tenths of the time.
 */
export const countsPerSave = 40;
/** Counts of a journal that are brought to the store in one step. */
export const countsPerRecoveryStep = 16 * countsPerSave;
/** Parts of finished members that are folded in one step. */
export const partsPerFold = 512;
/** How long the journal of a member that ended without a word is waited for. */
export const journalKeptDays = 90;

/** Analytics: referring hosts of scans that are not saved yet. */
export const referrersMax = 4_095;
must(referrersMax < 2 ** 16 - 1, "a referring host fits 16 bits, one number of which stands for all others");
/** Counters of one link; further combinations of country and referrer share one. */
export const unsavedStepsMax = 256;
/** Referring hosts that a stored hour or day keeps apart. Countries and devices are few by nature. */
export const hourReferrersMax = 100;
/** How long scans are kept by the hour, then by the day. */
export const hoursKeptDays = 90;
export const daysKeptDays = 5 * 366;
must(hoursKeptDays < daysKeptDays, "hours become days before they are forgotten");
/** How often what is too old is cleared away, and what a slice of that looks at and takes at most. */
export const clearScansMs = 60 * 60 * 1000;
export const clearedOwnersMax = 64;
export const clearedHoursMax = 240;
/** Hours that are read and added up before others have a turn. */
export const hoursPerRead = 256;
/** Those whose hours became days lately, and how often a view is read again because of that. */
export const clearedOwnersKept = 4_096;
export const viewReadsMax = 10;
/** Points of a trend. */
export const trendPointsMax = 2_000;
must(daysKeptDays <= trendPointsMax, "all that is kept can be shown by the day");
/** What a ranking names when it is not told how many. */
export const rankingDefault = 10;
export const rankingMax = 100;
/** Codes that a ranking of them passes at a time, and whose scans it reads at the same time. */
export const rankedCodesPage = 1_000;
export const rankedCodesAtOnce = 16;
must(rankedCodesPage <= keysPerQuery, "the counts of a page of codes are read in one query");
/** The stretch of time that is shown when none is asked for, and what plans include that do not say. */
export const analyticsDaysDefault = 30;
/** Names of time zones that are remembered to be some; there are six hundred. */
export const knownZonesMax = 1_024;
/** Time zones whose offsets are remembered, and days of each. */
export const offsetZonesMax = 64;
export const offsetDaysMax = 4_096;
must(offsetDaysMax > 2 * daysKeptDays, "the offsets of all that is kept are remembered");

/* ── Visitors ─────────────────────────────────────────────────────────────────────────────────────────────── */

/** Addresses whose country is remembered, and records of the database that are kept decoded. */
export const countryAnswersMax = 16_384;
export const countryRecordsMax = kib;
/** Peers seen, with the verdict: proxies are few and come back with every request. */
export const proxyVerdictsMax = 4_096;
/** User agents of which is kept what they are; a power of two. */
export const agentsKept = 4_096;
must(Number.isInteger(Math.log2(agentsKept)), "the place of an agent is some bits of a number");
/** Addresses of `X-Forwarded-For` that are looked at, from the right. */
export const forwardedHopsMax = 32;

/* ── Rendering ────────────────────────────────────────────────────────────────────────────────────────────── */

/** Of a thread's own time, where the system tells it. */
export const renderMsMax = 5_000;
/** By the clock, for a thread that waits for a core. */
export const renderWaitMsMax = 120_000;
must(renderMsMax < renderWaitMsMax, "a thread may wait longer than it may draw");
export const renderThreadStartMsMax = 30_000;
export const renderThreadHeapMb = 128;
export const renderThreadIdleMs = 60_000;
/** Pictures that are handed to a thread together, and how many pixels of them; one that is larger goes alone. */
export const renderJobsAtOnce = 8;
export const renderPixelsAtOnce = 8 * 512 * 512;
export const renderAttemptsMax = 3;
/** Before each further attempt. */
export const renderRetryMs: readonly number[] = [200, 1_000];
must(renderRetryMs.length === renderAttemptsMax - 1, "there is a pause before every further attempt");
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
must(
  renderRefillBelow < renderRefillTo && renderRefillTo <= renderQueueMax,
  "what is refilled fits the queue",
);
/** Accounts whose place in the store is remembered one by one; more share one place. */
export const renderBacklogAccountsMax = 1_000;

/* ── Safety ───────────────────────────────────────────────────────────────────────────────────────────────── */

export const blockListPollMs = 1_000;
/** Lines of a block list that are read before others have a turn. */
export const blockListLinesStep = 2_000;
export const rescanPageCodes = 500;
/** A target costs some ten microseconds, and a code can have one more than it has rules. */
export const rescanTargetsPerTurn = 100;
must(rescanTargetsPerTurn > redirectRulesMax, "a turn of a re-scan has room for a whole code");

/** A remote service that is asked about URLs. */
export const remoteCheckLimits = {
  /** Waiting for a free place included. */
  timeoutMs: 1_000,
  lookupsMax: 16,
  waitingMax: 1_000,
  answerBytesMax: 16 * kib,
  cacheEntriesMax: 4_096,
  safeMs: 5 * 60 * 1000,
  unsafeMsMin: 60 * 1000,
  unsafeMsMax: 24 * 60 * 60 * 1000,
  /** After so many failures in a row it counts as away for so long. */
  failuresMax: 5,
  awayMs: 10_000,
};
must(
  remoteCheckLimits.timeoutMs + commitMsMax < drainMsMax,
  "a create that asks a remote service ends before the drain",
);
