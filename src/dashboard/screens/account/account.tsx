/** The account: its name, its clock, what its plan allows; and one's own password. */
import { useSignal } from "@preact/signals";
import { updateAccount } from "../../api/account.ts";
import { Refusal } from "../../api/client.ts";
import { changePassword } from "../../api/session.ts";
import { isOwner, know, user } from "../../app/session.ts";
import { Button } from "../../parts/button.tsx";
import { NameField, SelectField, TextField } from "../../parts/field.tsx";
import { messageOf, Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Card, Meter } from "../../parts/small.tsx";
import { tell } from "../../parts/toast.tsx";
import { kept, useWork } from "../../parts/work.ts";
import { count } from "../../words/numbers.ts";
import { day } from "../../words/time.ts";
import { zoneOptions } from "../../words/zones.ts";

export default function AccountScreen() {
  const { account, features } = user();
  return (
    <Page title="Account" narrow>
      <Card title="Account">{isOwner() ? <AccountForm /> : <AccountFacts />}</Card>
      <Card title="Plan">
        <div class="stack">
          <dl class="facts">
            <dt>Plan</dt>
            <dd>{account.plan}</dd>
            <dt>Rules, expiry, limits</dt>
            <dd>{features.advanced ? "Included" : "Not included"}</dd>
            <dt>Requests to the API</dt>
            <dd>
              {account.api_access
                ? `${count(account.limits.per_minute)} a minute, ${count(account.limits.per_day)} a day, each key`
                : "Switched off"}
            </dd>
            <dt>Since</dt>
            <dd>{day(account.created_at)}</dd>
          </dl>
          <Meter label="Active codes" used={account.usage.active_codes} limit={account.limits.qr_cap} />
          <Meter label="Projects" used={account.usage.projects} limit={account.limits.projects} />
          {!account.plan_configured && (
            <Notice tone="warn">
              This plan is not offered any more. Your links go on; for anything new, ask the operator of the
              service for another plan.
            </Notice>
          )}
          <p class="small soft">The operator of the service changes plans and limits.</p>
        </div>
      </Card>
      <Card title="Your password">
        <PasswordForm />
      </Card>
    </Page>
  );
}

function AccountFacts() {
  const { account } = user();
  return (
    <dl class="facts">
      <dt>Name</dt>
      <dd>{account.name}</dd>
      <dt>Time zone</dt>
      <dd>{account.timezone}</dd>
    </dl>
  );
}

function AccountForm() {
  const me = user();
  const name = useSignal(me.account.name);
  const timezone = useSignal(me.account.timezone);
  const { busy, error, problemOf, submit } = useWork();
  const isChanged = name.value.trim() !== me.account.name || timezone.value !== me.account.timezone;
  const isAtField = problemOf("name") !== null || problemOf("timezone") !== null;
  return (
    <form
      class="stack"
      onSubmit={submit(async () => {
        const account = await updateAccount({ name: name.value.trim(), timezone: timezone.value });
        know({ ...me, account });
        tell("Saved");
      })}
    >
      {error !== null && !isAtField && <Notice tone="bad">{messageOf(error)}</Notice>}
      <NameField required {...kept(name)} problem={problemOf("name")} />
      <SelectField
        label="Time zone"
        {...kept(timezone)}
        options={zoneOptions(me.account.timezone)}
        problem={problemOf("timezone")}
        hint="Times in these pages are shown by its clock, and rules with days and hours go by it."
      />
      <div class="row row-end">
        <Button type="submit" look="primary" busy={busy} disabled={!isChanged}>
          Save
        </Button>
      </div>
    </form>
  );
}

function PasswordForm() {
  const current = useSignal("");
  const next = useSignal("");
  const { busy, error, problemOf, submit } = useWork();
  const isWrong = error instanceof Refusal && error.status === 403;
  return (
    <form
      class="stack"
      onSubmit={submit(async () => {
        know(await changePassword(current.value, next.value));
        current.value = "";
        next.value = "";
        tell("Your password is changed");
      })}
    >
      {error !== null && !isWrong && problemOf("password") === null && (
        <Notice tone="bad">{messageOf(error)}</Notice>
      )}
      <input type="text" autocomplete="username" value={user().user.email} readOnly hidden />
      <div class="field-row">
        <TextField
          label="Present password"
          type="password"
          autocomplete="current-password"
          required
          {...kept(current)}
          problem={isWrong ? messageOf(error) : null}
        />
        <TextField
          label="New password"
          type="password"
          autocomplete="new-password"
          required
          minLength={10}
          {...kept(next)}
          problem={problemOf("password")}
          hint="At least 10 characters."
        />
      </div>
      <div class="row row-end">
        <span class="small soft grow">Everywhere else you are signed out.</span>
        <Button type="submit" busy={busy}>
          Change password
        </Button>
      </div>
    </form>
  );
}
