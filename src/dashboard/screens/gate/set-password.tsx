/** Where a one-time link leads: its holder chooses a password and is signed in. */
import { useSignal } from "@preact/signals";
import { Refusal } from "../../api/client.ts";
import { readOneTimeLink, setPassword } from "../../api/session.ts";
import { address, adjust } from "../../app/location.ts";
import { know } from "../../app/session.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Bones } from "../../parts/empty.tsx";
import { TextField } from "../../parts/field.tsx";
import { Failure, messageOf, Notice } from "../../parts/notice.tsx";
import { kept, problemOf, useLoad, useWork } from "../../parts/work.ts";
import { fromNow } from "../../words/time.ts";
import { Gate } from "./gate.tsx";

const passwordCharsMin = 10;

export function SetPassword({ token }: { token: string }) {
  const link = useLoad(() => readOneTimeLink(token), [token]);
  const password = useSignal("");
  const { busy, error, submit } = useWork();
  if (isOver(link.error) || isOver(error) || token === "") return <Over />;
  if (link.error !== null) {
    return (
      <Gate title="Set a password">
        <Failure error={link.error} retry={link.reload} />
      </Gate>
    );
  }
  if (link.value === null) {
    return (
      <Gate title="Set a password">
        <Bones lines={3} />
      </Gate>
    );
  }
  const { email, account_name, expires_at } = link.value;
  const problem = problemOf(error, "password");
  return (
    <Gate title={`Welcome to ${account_name}`} foot={`The link stops working ${fromNow(expires_at)}.`}>
      {error !== null && problem === null && <Notice tone="bad">{messageOf(error)}</Notice>}
      <form
        class="stack"
        onSubmit={submit(async () => {
          const me = await setPassword(token, password.value);
          adjust("");
          know(me);
        })}
      >
        <TextField
          label="E-mail"
          type="email"
          name="email"
          autocomplete="username"
          readOnly
          value={email}
          onValue={() => {}}
        />
        <TextField
          label="New password"
          type="password"
          name="password"
          autocomplete="new-password"
          required
          minLength={passwordCharsMin}
          {...kept(password)}
          problem={problem}
          hint={`At least ${passwordCharsMin} characters. A few words in a row are easy to keep in mind and hard to guess.`}
        />
        <Button type="submit" look="primary" wide busy={busy}>
          Set password and sign in
        </Button>
      </form>
    </Gate>
  );
}

function isOver(error: unknown): boolean {
  return error instanceof Refusal && error.status === 410;
}

function Over() {
  return (
    <Gate title="This link does not work any more">
      <p class="soft">
        Such a link is good for one use within 24 hours, and a newer one replaces it. Ask whoever gave it to
        you for another. If you have set your password already, sign in with it.
      </p>
      <ButtonLink href={address("")} look="primary" wide>
        Sign in
      </ButtonLink>
    </Gate>
  );
}
