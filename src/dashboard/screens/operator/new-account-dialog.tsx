/** A new account. */
import { useSignal } from "@preact/signals";
import type { Account } from "../../../schema/responses.ts";
import { createAccount } from "../../api/operator.ts";
import { planNames } from "../../app/session.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { messageOf, Notice } from "../../parts/notice.tsx";
import { useWork } from "../../parts/work.ts";
import { zoneOptions } from "../../words/zones.ts";

export function NewAccountDialog({
  onMade,
  onClose,
}: {
  onMade: (account: Account) => void;
  onClose: () => void;
}) {
  const name = useSignal("");
  const plans = planNames();
  const plan = useSignal(plans.includes("free") ? "free" : (plans[0] ?? ""));
  const timezone = useSignal(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const { busy, error, problemOf, run } = useWork();
  return (
    <Dialog title="New account" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () =>
            onMade(
              await createAccount({ name: name.value.trim(), plan: plan.value, timezone: timezone.value }),
            ),
          );
        }}
      >
        {error !== null && problemOf("name") === null && <Notice tone="bad">{messageOf(error)}</Notice>}
        <TextField
          label="Name"
          required
          autofocus
          maxLength={200}
          value={name.value}
          problem={problemOf("name")}
          onValue={(value) => {
            name.value = value;
          }}
        />
        <SelectField
          label="Plan"
          value={plan.value}
          options={plans.map((each) => [each, each] as const)}
          onValue={(value) => {
            plan.value = value;
          }}
        />
        <SelectField
          label="Time zone"
          value={timezone.value}
          options={zoneOptions(timezone.value)}
          onValue={(value) => {
            timezone.value = value;
          }}
        />
        <div class="dialog-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            Make the account
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
