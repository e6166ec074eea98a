/** The way in, for users and for the operator. */
import { useSignal } from "@preact/signals";
import { Refusal } from "../../api/client.ts";
import { type Me, readSession, signIn } from "../../api/session.ts";
import { know } from "../../app/session.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { messageOf, Notice } from "../../parts/notice.tsx";
import { kept, setting, useWork } from "../../parts/work.ts";
import { Gate } from "./gate.tsx";

export function SignIn({ ended }: { ended: boolean }) {
  const isOperator = useSignal(false);
  const email = useSignal("");
  const password = useSignal("");
  const token = useSignal("");
  const { busy, error, submit } = useWork();
  const enter = async () => {
    const credentials = isOperator.value
      ? { admin_token: token.value.trim() }
      : { email: email.value.trim(), password: password.value };
    await signIn(credentials);
    know(await keptSession());
  };
  return (
    <Gate
      title={isOperator.value ? "Sign in as operator" : "Sign in"}
      foot={
        <Button look="quiet" small onClick={setting(isOperator, !isOperator.value)}>
          {isOperator.value ? "Sign in with e-mail instead" : "Sign in as the operator"}
        </Button>
      }
    >
      {ended && error === null && (
        <Notice>Your session has ended. Sign in again to go on where you were.</Notice>
      )}
      {error !== null && <Notice tone="bad">{wordsFor(error, isOperator.value)}</Notice>}
      <form class="stack" onSubmit={submit(enter)}>
        {isOperator.value ? (
          <TextField
            label="Admin token"
            type="password"
            name="admin_token"
            autocomplete="off"
            required
            {...kept(token)}
            hint="The one of the configuration, or of the file admin-token in the data folder."
          />
        ) : (
          <>
            <TextField
              label="E-mail"
              type="email"
              name="email"
              autocomplete="username"
              required
              {...kept(email)}
            />
            <TextField
              label="Password"
              type="password"
              name="password"
              autocomplete="current-password"
              required
              {...kept(password)}
              hint="Forgotten? An owner of your account, or the operator, can give you a link to set a new one."
            />
          </>
        )}
        <Button type="submit" look="primary" wide busy={busy}>
          Sign in
        </Button>
      </form>
    </Gate>
  );
}

/** A browser that did not keep the cookie would look signed in and fail at the first click. */
async function keptSession(): Promise<Me> {
  try {
    return await readSession();
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error;
    throw new Error(
      "You are signed in, but the browser did not keep it: this site has to be opened with https. Ask its operator.",
    );
  }
}

function wordsFor(error: unknown, isOperator: boolean): string {
  if (!(error instanceof Refusal) || error.status !== 401) return messageOf(error);
  return isOperator
    ? "This is not the admin token. Compare it with the configuration and try again."
    : "E-mail or password are wrong. Try again, or ask for a link to set a new password.";
}
