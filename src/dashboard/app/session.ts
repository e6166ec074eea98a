/** Who sits before the page. Everything behind the sign-in reads it from here. */
import { computed, signal } from "@preact/signals";
import { onSignedOut, Refusal } from "../api/client.ts";
import { type Me, readSession, signOut, type UserMe } from "../api/session.ts";
import { zone } from "../words/time.ts";

type Session =
  | { state: "asking" }
  | { state: "failed"; error: unknown }
  /** `ended`: somebody was signed in, and is not any more. */
  | { state: "nobody"; ended: boolean }
  | { state: "known"; me: Me };

export const session = signal<Session>({ state: "asking" });

const me = computed(() => (session.value.state === "known" ? session.value.me : null));

/** The user and the account, on screens that are for users. */
export function user(): UserMe {
  if (me.value?.kind !== "user") throw new Error("this screen is for users");
  return me.value;
}

/** The plans that the operator can give to an account. */
export function planNames(): readonly string[] {
  return me.value?.kind === "operator" ? me.value.plans : [];
}

export function isOwner(): boolean {
  return user().user.role === "owner";
}

export function startSession(): void {
  onSignedOut(() => {
    if (session.peek().state === "known") session.value = { state: "nobody", ended: true };
  });
  void askSession();
}

export async function askSession(): Promise<void> {
  try {
    know(await readSession());
  } catch (error) {
    const isNobody = error instanceof Refusal && error.status === 401;
    session.value = isNobody ? { state: "nobody", ended: false } : { state: "failed", error };
  }
}

export function know(known: Me): void {
  if (known.kind === "user") zone.value = known.account.timezone;
  session.value = { state: "known", me: known };
}

/** After something that changes the account's figures. A failure leaves the figures as they were. */
export function refreshSession(): void {
  void readSession().then(know, () => {});
}

export async function leave(): Promise<void> {
  await signOut();
  session.value = { state: "nobody", ended: false };
}
