/**
 * Which account a key belongs to, by the key itself: hashing it costs more than all the rest of the look-up. That never
 * changes, so an entry can only be missing, not wrong; whether the key is revoked is the actor's to say.
 */
import { createHash } from "node:crypto";
import { keyPrefix, keyRandomChars } from "../domain/account/account-commands.ts";
import { ApiError } from "../domain/errors.ts";
import { keyCacheMax, wrongKeysMax } from "../limits.ts";
import { BoundedMap } from "../runtime/bounded-map.ts";
import type { Store } from "../store/store.ts";

export interface KeyOwner {
  accountId: string;
  keyId: string;
}

/** One for all: an error of each would cost more than finding out. */
export const wrongKey = new ApiError("unauthorized");

const keyChars = keyPrefix.length + keyRandomChars;

export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

export class KeyOwners {
  readonly #store: Pick<Store, "keyByHash">;
  readonly #owners = new BoundedMap<string, KeyOwner>(keyCacheMax);
  /** Keys that were found to be nobody's: who has an old one asks with it again and again. None becomes somebody's. */
  readonly #wrong = new BoundedMap<string, true>(wrongKeysMax);

  constructor(store: Pick<Store, "keyByHash">) {
    this.#store = store;
  }

  /** When it takes no waiting. */
  get(key: string): KeyOwner | undefined {
    return this.#owners.get(key);
  }

  isWrong(key: string): boolean {
    return key.length !== keyChars || !key.startsWith(keyPrefix) || this.#wrong.get(key) === true;
  }

  /** Throws when it is nobody's. */
  async read(key: string): Promise<KeyOwner> {
    if (this.isWrong(key)) throw wrongKey;
    const doc = await this.#store.keyByHash(hashKey(key));
    if (doc === null) {
      this.#wrong.set(key, true);
      throw wrongKey;
    }
    const owner = { accountId: doc.account_id, keyId: doc.id };
    this.#owners.set(key, owner);
    return owner;
  }
}
