/** A new account. */
import { useSignal } from "@preact/signals";
import type { Account } from "../../../schema/responses.ts";
import { createAccount } from "../../api/operator.ts";
import { planNames } from "../../app/session.ts";
import { NameField, SelectField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { kept } from "../../parts/work.ts";
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
  return (
    <FormDialog
      title="New account"
      act="Make the account"
      fields={["name"]}
      work={async () =>
        onMade(await createAccount({ name: name.value.trim(), plan: plan.value, timezone: timezone.value }))
      }
      onClose={onClose}
    >
      {(problemOf) => (
        <>
          <NameField required autofocus {...kept(name)} problem={problemOf("name")} />
          <SelectField label="Plan" {...kept(plan)} options={plans.map((each) => [each, each] as const)} />
          <SelectField label="Time zone" {...kept(timezone)} options={zoneOptions(timezone.value)} />
        </>
      )}
    </FormDialog>
  );
}
