/** One account as the operator sees it: plan, overrides, API access, people. */
import { useSignal } from "@preact/signals";
import type { UpdateAccountBody } from "../../../domain/requests.ts";
import type { Account, Limits } from "../../../schema/responses.ts";
import { changeAccount, readAccount } from "../../api/operator.ts";
import { address } from "../../app/location.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { planNames } from "../../app/session.ts";
import { Button } from "../../parts/button.tsx";
import { Bones } from "../../parts/empty.tsx";
import { CheckField, NameField, SelectField, TextField } from "../../parts/field.tsx";
import { Failure, messageOf, Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Card, Meter } from "../../parts/small.tsx";
import { tell } from "../../parts/toast.tsx";
import { kept, useLoad, useWork } from "../../parts/work.ts";
import { count } from "../../words/numbers.ts";
import { dayAndTime } from "../../words/time.ts";
import { zoneOptions } from "../../words/zones.ts";
import { UsersCard } from "../people/users-card.tsx";

const limitWords: Readonly<Record<keyof Limits, string>> = {
  qr_cap: "Active codes",
  per_minute: "Requests a minute, each key",
  per_day: "Requests a day, each key",
  burst: "Requests a second, each key",
  keys: "Keys",
  projects: "Projects",
  analytics_days: "Analytics, days back",
};
const limitNames = Object.keys(limitWords) as (keyof Limits)[];

export default function AccountOfOperator({ params }: ScreenProps) {
  const id = params.id!;
  const account = useLoad((signal) => readAccount(id, signal), [id]);
  const shown = account.value;
  return (
    <Page
      title={shown?.name ?? "Account"}
      words={shown && <span class="mono small">{shown.account_id}</span>}
      back={{ href: address("/operator"), words: "Accounts" }}
      narrow
    >
      {account.error !== null && <Failure error={account.error} retry={account.reload} />}
      {shown === null ? (
        account.error === null && <Bones />
      ) : (
        <>
          <Card title="Use">
            <div class="stack">
              <Meter label="Active codes" used={shown.usage.active_codes} limit={shown.limits.qr_cap} />
              <Meter label="Projects" used={shown.usage.projects} limit={shown.limits.projects} />
              <dl class="facts">
                <dt>Requests today</dt>
                <dd class="number">{count(shown.usage.requests_this_day)}</dd>
                <dt>Made</dt>
                <dd>{dayAndTime(shown.created_at)}</dd>
              </dl>
            </div>
          </Card>
          <Card title="Settings">
            <Settings key={shown.updated_at} account={shown} onAccount={account.set} />
          </Card>
          <UsersCard whose={id} self={null} />
        </>
      )}
    </Page>
  );
}

function Settings({ account, onAccount }: { account: Account; onAccount: (account: Account) => void }) {
  const name = useSignal(account.name);
  const plan = useSignal(account.plan);
  const timezone = useSignal(account.timezone);
  const access = useSignal(account.api_access);
  const own = useSignal<Readonly<Record<string, string>>>(
    Object.fromEntries(limitNames.map((each) => [each, String(account.limit_overrides[each] ?? "")])),
  );
  const { busy, error, problemOf, submit } = useWork();
  const plans = [...new Set([...planNames(), account.plan])];
  const save = async () => {
    const limits = Object.fromEntries(
      limitNames
        .map((each) => [each, own.value[each]!.trim()] as const)
        .filter(([each, text]) => text !== String(account.limit_overrides[each] ?? ""))
        .map(([each, text]) => [each, text === "" ? null : Number(text)]),
    );
    const body: UpdateAccountBody = {
      ...(name.value.trim() !== account.name && { name: name.value.trim() }),
      ...(plan.value !== account.plan && { plan: plan.value }),
      ...(timezone.value !== account.timezone && { timezone: timezone.value }),
      ...(access.value !== account.api_access && { api_access: access.value }),
      ...(Object.keys(limits).length > 0 && { limits }),
    };
    onAccount(await changeAccount(account.account_id, body));
    tell("Saved");
  };
  const fields = ["name", "plan", "timezone", ...limitNames.map((each) => `limits.${each}`)];
  const isAtField = fields.some((field) => problemOf(field) !== null);
  return (
    <form class="stack" onSubmit={submit(save)}>
      {error !== null && !isAtField && <Notice tone="bad">{messageOf(error)}</Notice>}
      {!account.plan_configured && (
        <Notice tone="warn">
          The plan “{account.plan}” is not configured: requests with the account's keys are refused. Choose
          another one.
        </Notice>
      )}
      <NameField required {...kept(name)} problem={problemOf("name")} />
      <div class="field-row">
        <SelectField
          label="Plan"
          {...kept(plan)}
          options={plans.map((each) => [each, each] as const)}
          problem={problemOf("plan")}
        />
        <SelectField
          label="Time zone"
          {...kept(timezone)}
          options={zoneOptions(account.timezone)}
          problem={problemOf("timezone")}
        />
      </div>
      <CheckField
        label="API access"
        hint="Without it, every request with a key of this account is refused. Its links go on."
        {...kept(access)}
      />
      <h3>Limits of its own</h3>
      <p class="small soft">Where a field is empty, the plan's limit holds.</p>
      <div class="field-row">
        {limitNames.map((each) => (
          <TextField
            key={each}
            label={limitWords[each]}
            type="number"
            inputMode="numeric"
            min={0}
            step={1}
            value={own.value[each]!}
            problem={problemOf(`limits.${each}`)}
            onValue={(value) => {
              own.value = { ...own.value, [each]: value };
            }}
            hint={`In force: ${count(account.limits[each])}`}
          />
        ))}
      </div>
      <div class="row row-end">
        <Button type="submit" look="primary" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  );
}
