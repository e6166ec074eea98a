/**
 * The people of all accounts: who they are, how they sign in, and how they stop being somebody here.
 *
 * Users are not the account actor's. They change a few times a year, so they need no memory that is ahead of the store:
 * whoever changes a user of an account waits for the one before, reads what is stored, decides, and answers when the
 * change is durable. A session is opened, and ended, by a commit of the same kind.
 *
 * Attempts to sign in are bounded twice. Of an address only wrong ones count, since many may sit behind one; of a user
 * all count, right ones too, since a bound that lets the right one pass would be no bound for somebody who has many
 * addresses. That lets anybody lock a user out for a while, but not end their sessions, and a one-time link gets them in
 * all the same: those are not guessed.
 */
import type { SessionDoc, UserDoc, UserRole, Write } from "../domain/documents.ts";
import { ApiError, unavailable } from "../domain/errors.ts";
import { addressAttempts, userAttempts, userChangesMax, usersMax } from "../limits.ts";
import { Attempts } from "../runtime/attempts.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Random } from "../runtime/random.ts";
import { type Store, UniqueViolation } from "../store/store.ts";
import { opensWith, userOfToken } from "./one-time-links.ts";
import type { Asker, Passwords } from "./passwords.ts";
import type { SessionMeters } from "./session-meters.ts";
import { type NewSession, putSession, type Sessions } from "./sessions.ts";
import {
  type Invited,
  type NewUser,
  newUser,
  normalisedEmail,
  requireEmail,
  withOneTimeLink,
  withPassword,
} from "./users.ts";

export interface PeopleParts {
  store: Pick<Store, "get" | "userByEmail" | "usersOf">;
  /** Durable when it resolves. */
  commit(writes: Write[]): Promise<void>;
  passwords: Passwords;
  sessions: Sessions;
  meters: Pick<SessionMeters, "ending">;
  clock: Clock;
  random: Random;
}

export interface Opened extends NewSession {
  user: UserDoc;
}

/** Of all who ask together: attempts, and by account the last change and how many are not over. */
interface Order {
  readonly ofAddress: Attempts;
  readonly ofUser: Attempts;
  readonly changing: Map<string, { last: Promise<unknown>; waiting: number }>;
}

/** The operator may leave an account without an owner; nobody else. */
type Changer = "owner" | "operator";

export class People {
  readonly #parts: PeopleParts;
  readonly #order: Order;

  constructor(parts: PeopleParts, order: Order | null = null) {
    this.#parts = parts;
    this.#order = order ?? {
      ofAddress: new Attempts(addressAttempts, parts.clock),
      ofUser: new Attempts(userAttempts, parts.clock),
      changing: new Map(),
    };
  }

  /** The same people, for a request whose changes are stored in another way, or refused. */
  storedBy(commit: PeopleParts["commit"]): People {
    return new People({ ...this.#parts, commit }, this.#order);
  }

  /** The same refusal after the same time for an address that nobody has and for a wrong password. */
  async signIn(email: string, password: string, from: Asker): Promise<Opened> {
    const { store, passwords, sessions, clock } = this.#parts;
    const address = normalisedEmail(email);
    this.#requireRoom(address, from.origin);
    const found = await store.userByEmail(address);
    const stored = found?.password ?? null;
    if (!(await passwords.fits(password, stored, from))) {
      throw new ApiError("unauthorized", "The e-mail address or the password is wrong.");
    }
    this.#order.ofAddress.takeBack(from.origin);
    return this.#inTurn(found!.account_id, async () => {
      const user = await store.get("users", found!.id);
      // It was another password a moment ago.
      if (user === null || user.password !== stored) {
        throw new ApiError("unauthorized", "The e-mail address or the password is wrong.");
      }
      return this.#open({ ...user, signed_in_at: clock.now() }, sessions.of(user));
    });
  }

  /** The operator has shown the token. */
  async openForOperator(): Promise<NewSession> {
    const opened = this.#parts.sessions.ofOperator();
    await this.#parts.commit([putSession(opened.session)]);
    return opened;
  }

  async signOut({ id }: SessionDoc): Promise<void> {
    const { meters, commit } = this.#parts;
    await meters.ending(id, () => commit([{ collection: "sessions", remove: id }]));
  }

  /** Whose link it is; it stays good. */
  async ofLink(token: string): Promise<UserDoc> {
    const id = userOfToken(token);
    const user = id === null ? null : await this.#parts.store.get("users", id);
    if (user === null || !opensWith(user, token, this.#parts.clock.now())) {
      throw new ApiError("one_time_link_over");
    }
    return user;
  }

  /** Uses a link up. Of several who try at the same moment one succeeds. */
  async setPassword(token: string, password: string, from: Asker): Promise<Opened> {
    const { account_id } = await this.ofLink(token);
    const hash = await this.#parts.passwords.hash(password, from);
    return this.#inTurn(account_id, async () => this.#withPassword(await this.ofLink(token), hash));
  }

  async changePassword(user: UserDoc, current: string, password: string, from: Asker): Promise<Opened> {
    const { passwords, store } = this.#parts;
    this.#requireRoom(user.email, from.origin);
    if (!(await passwords.fits(current, user.password, from))) {
      throw new ApiError("forbidden", "current_password is wrong");
    }
    this.#order.ofAddress.takeBack(from.origin);
    const hash = await passwords.hash(password, from);
    return this.#inTurn(user.account_id, async () => {
      const now = await store.get("users", user.id);
      if (now === null || now.credential !== user.credential) throw new ApiError("unauthorized");
      return this.#withPassword(now, hash);
    });
  }

  usersOf(accountId: string): Promise<UserDoc[]> {
    return this.#parts.store.usersOf(accountId);
  }

  /** The account exists. */
  create(wanted: NewUser): Promise<Invited> {
    const { store, clock, random } = this.#parts;
    const email = requireEmail(wanted.email);
    return this.#inTurn(wanted.accountId, async () => {
      const users = await store.usersOf(wanted.accountId);
      if (users.length >= usersMax) throw new ApiError("quota_exceeded_users");
      if ((await store.userByEmail(email)) !== null) throw new ApiError("email_taken");
      const invited = newUser(wanted, clock.now(), random);
      await this.#put(invited.user);
      return invited;
    });
  }

  /** A new link for somebody who has lost the password, or the link. */
  reset(accountId: string, userId: string): Promise<Invited> {
    const { clock, random } = this.#parts;
    return this.#inTurn(accountId, async () => {
      const user = await this.#userOf(accountId, userId);
      const invited = withOneTimeLink(user, clock.now(), random);
      await this.#put(invited.user);
      return invited;
    });
  }

  /** Sessions go on and have the rights of the new role: it is looked at with every request. */
  changeRole(accountId: string, userId: string, role: UserRole, by: Changer): Promise<UserDoc> {
    return this.#inTurn(accountId, async () => {
      const user = await this.#userOf(accountId, userId);
      if (role === user.role) return user;
      if (by === "owner") await this.#requireOtherOwner(user);
      const changed = { ...user, role, updated_at: this.#parts.clock.now() };
      await this.#put(changed);
      return changed;
    });
  }

  /** Their sessions are over with it. */
  remove(accountId: string, userId: string, by: Changer): Promise<UserDoc> {
    return this.#inTurn(accountId, async () => {
      const user = await this.#userOf(accountId, userId);
      if (by === "owner") await this.#requireOtherOwner(user);
      await this.#parts.commit([{ collection: "users", remove: userId }]);
      return user;
    });
  }

  /** Throws when the account has no owner but this user. */
  async #requireOtherOwner({ account_id, role }: UserDoc): Promise<void> {
    if (role !== "owner") return;
    const users = await this.#parts.store.usersOf(account_id);
    if (users.filter((user) => user.role === "owner").length === 1) throw new ApiError("last_owner");
  }

  #withPassword(user: UserDoc, hash: string): Promise<Opened> {
    const { clock, random, sessions } = this.#parts;
    const now = clock.now();
    const changed = withPassword(user, hash, now, random);
    return this.#open({ ...changed, signed_in_at: now }, sessions.of(changed));
  }

  async #open(user: UserDoc, opened: NewSession): Promise<Opened> {
    await this.#parts.commit([{ collection: "users", put: user }, putSession(opened.session)]);
    return { ...opened, user };
  }

  async #put(put: UserDoc): Promise<void> {
    try {
      await this.#parts.commit([{ collection: "users", put }]);
    } catch (cause) {
      // Somebody of another account had the same address made at the same moment.
      throw cause instanceof UniqueViolation ? new ApiError("email_taken") : cause;
    }
  }

  async #userOf(accountId: string, userId: string): Promise<UserDoc> {
    const user = await this.#parts.store.get("users", userId);
    if (user === null || user.account_id !== accountId) throw new ApiError("user_not_found");
    return user;
  }

  /** Counts an attempt before it is made: those that are under way count as well. */
  #requireRoom(email: string, origin: string): void {
    const seconds = Math.max(
      this.#order.ofAddress.secondsLeft(origin),
      this.#order.ofUser.secondsLeft(email),
    );
    if (seconds > 0)
      throw new ApiError("rate_limited", "Too many attempts to sign in. Try again later.", seconds);
    this.#order.ofAddress.count(origin);
    this.#order.ofUser.count(email);
  }

  async #inTurn<T>(accountId: string, change: () => Promise<T>): Promise<T> {
    const lane = this.#order.changing.get(accountId) ?? { last: Promise.resolve(), waiting: 0 };
    if (lane.waiting >= userChangesMax) throw unavailable("Too many changes are waiting. Try again shortly.");
    this.#order.changing.set(accountId, lane);
    lane.waiting++;
    const turn = lane.last.then(change, change);
    lane.last = turn;
    try {
      return await turn;
    } finally {
      lane.waiting--;
      if (lane.waiting === 0) this.#order.changing.delete(accountId);
    }
  }
}
