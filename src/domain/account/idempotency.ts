/**
 * A create that carries an `Idempotency-Key` is done once: the answer is stored in the same commit as what it
 * created, and a repeat gets the same bytes for 24 hours. A refused create changed nothing, so nothing is
 * kept of it and a repeat is a new try.
 */
import { createHash } from "node:crypto";
import { answerKeptMs, idempotencyKeyCharsMax } from "../../limits.ts";
import type { Command, Effect } from "../command.ts";
import { ApiError } from "../errors.ts";

export interface CreateAnswer {
  requestId: string;
  status: number;
  body: string;
  /** True when an earlier request made this answer. */
  replayed: boolean;
}

export interface Attempt {
  /** The client's key, null when it sent none. */
  key: string | null;
  /** The same key means another create in another operation. */
  operation: string;
  /** The request's body, byte for byte. */
  body: Uint8Array;
  requestId: string;
}

/** Wraps a create so that it answers with the bytes to send, and does so once per key. */
export function once<R>(
  attempt: Attempt,
  create: Command<R>,
  present: (created: R) => string,
): Command<CreateAnswer> {
  const { requestId } = attempt;
  const fresh = (created: R): CreateAnswer => ({
    requestId,
    status: 201,
    body: present(created),
    replayed: false,
  });
  if (attempt.key === null) {
    return {
      needs: create.needs,
      apply(view, now): Effect<CreateAnswer> {
        const { answer, writes } = create.apply(view, now);
        return { answer: fresh(answer), writes };
      },
    };
  }
  checkKey(attempt.key);
  const requestHash = sha256(attempt.body);
  const answerId = (accountId: string) => sha256(`${accountId}\n${attempt.operation}\n${attempt.key}`);

  return {
    needs: (account) => [...create.needs(account), { collection: "answers", id: answerId(account.id) }],

    apply(view, now): Effect<CreateAnswer> {
      const id = answerId(view.account.id);
      const kept = view.answer(id);
      if (kept !== null && kept.expires_at > now) {
        if (kept.request_hash !== requestHash) {
          throw new ApiError("invalid_request", "Idempotency-Key was already used with a different body");
        }
        const { request_id, status, body } = kept;
        return { answer: { requestId: request_id, status, body, replayed: true }, writes: [] };
      }
      const { answer: created, writes } = create.apply(view, now);
      const answer = fresh(created);
      const put = {
        id,
        account_id: view.account.id,
        request_hash: requestHash,
        request_id: requestId,
        status: answer.status,
        body: answer.body,
        expires_at: now + answerKeptMs,
      };
      return { answer, writes: [...writes, { collection: "answers", put }] };
    },
  };
}

function checkKey(key: string): void {
  const printable = [...key].every((char) => char >= "!" && char <= "~");
  if (key.length > idempotencyKeyCharsMax || !printable) {
    throw new ApiError(
      "invalid_request",
      `Idempotency-Key must be 1 to ${idempotencyKeyCharsMax} printable ASCII characters without spaces`,
    );
  }
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
