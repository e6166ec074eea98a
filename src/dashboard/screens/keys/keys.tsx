/** Keys for programs. A new one is shown once; then only its last characters are known. */
import { useSignal } from "@preact/signals";
import type { OwnKey } from "../../../schema/dashboard-responses.ts";
import { createKey, listKeys, renameKey, revokeKey } from "../../api/keys.ts";
import { user } from "../../app/session.ts";
import { Button } from "../../parts/button.tsx";
import { AskButton, Dialog } from "../../parts/dialog.tsx";
import { Bones, Empty } from "../../parts/empty.tsx";
import { CheckField, NameField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Failure, Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Badge, Meter, Secret } from "../../parts/small.tsx";
import { Heads, LastTime } from "../../parts/table.tsx";
import { tell } from "../../parts/toast.tsx";
import { kept, setting, useLoad } from "../../parts/work.ts";
import { count } from "../../words/numbers.ts";
import { day } from "../../words/time.ts";

export default function Keys() {
  const keys = useLoad(listKeys, []);
  const isMaking = useSignal(false);
  const renamed = useSignal<OwnKey | null>(null);
  const showsRevoked = useSignal(false);
  const { limits, api_access } = user().account;
  const all = keys.value ?? [];
  const live = all.filter(({ revoked_at }) => revoked_at === null);
  const shown = showsRevoked.value ? all : live;
  return (
    <Page
      title="API keys"
      words={
        <>
          For programs that make and change codes. <a href="/docs">How to use the API</a>
        </>
      }
      actions={
        <Button look="primary" icon="plus" disabled={!api_access} onClick={setting(isMaking, true)}>
          New key
        </Button>
      }
    >
      {!api_access && (
        <Notice tone="warn">
          The API is switched off for this account. The operator of the service can switch it on.
        </Notice>
      )}
      {keys.error !== null && <Failure error={keys.error} retry={keys.reload} />}
      <div class="card card-flush" aria-busy={keys.busy}>
        {keys.value === null ? (
          keys.error === null && <Bones words="Loading keys" />
        ) : shown.length === 0 ? (
          <Empty icon="key" title="No key yet">
            A key lets a program of yours work with this account. Make one for each program, so that you can
            revoke it alone.
          </Empty>
        ) : (
          <table class="table table-cards">
            <caption class="spoken">API keys</caption>
            <Heads
              columns={[
                "Key",
                "Last used",
                ["This minute", "end"],
                ["Today", "end"],
                "Made",
                ["Actions", "spoken"],
              ]}
            />
            <tbody>
              {shown.map((key) => (
                <Row
                  key={key.key_id}
                  of={key}
                  onRename={setting(renamed, key)}
                  onRevoked={() => {
                    keys.reload();
                    tell("The key is revoked");
                  }}
                />
              ))}
            </tbody>
          </table>
        )}
      </div>
      {all.length > live.length && <CheckField label="Show revoked keys" {...kept(showsRevoked)} />}
      <div class="card">
        <Meter label="Keys" used={live.length} limit={limits.keys} />
      </div>
      {renamed.value !== null && (
        <NameDialog
          title="Rename the key"
          act="Rename"
          before={renamed.value.name}
          onName={async (name) => {
            await renameKey(renamed.value!.key_id, name);
            renamed.value = null;
            keys.reload();
          }}
          onClose={setting(renamed, null)}
        />
      )}
      {isMaking.value && <NewKeyDialog onMade={keys.reload} onClose={setting(isMaking, false)} />}
    </Page>
  );
}

function Row(props: { of: OwnKey; onRename: () => void; onRevoked: () => void }) {
  const { of: key, onRename, onRevoked } = props;
  const { limits } = user().account;
  const name = key.name === "" ? "Without a name" : key.name;
  return (
    <tr>
      <td>
        <div class="cell-main">
          <span class="row">
            <strong>{name}</strong>
            {key.revoked_at !== null && <Badge>Revoked {day(key.revoked_at)}</Badge>}
          </span>
          <span class="small soft mono">api_live_…{key.last4}</span>
        </div>
      </td>
      <td class="soft" data-heading="Last used">
        <LastTime at={key.last_used_at} />
      </td>
      <td class="end number" data-heading="This minute">
        {count(key.requests_this_minute)} <span class="soft">/ {count(limits.per_minute)}</span>
      </td>
      <td class="end number" data-heading="Today">
        {count(key.requests_this_day)} <span class="soft">/ {count(limits.per_day)}</span>
      </td>
      <td class="soft pinched" data-heading="Made">
        {day(key.created_at)}
      </td>
      <td class="pinched">
        {key.revoked_at === null && (
          <span class="row row-end">
            <Button small onClick={onRename}>
              Rename
            </Button>
            <AskButton
              look="danger"
              title={`Revoke “${name}”?`}
              words="Programs that use this key are refused from now on. It cannot be undone."
              act="Revoke"
              danger
              work={async () => {
                await revokeKey(key.key_id);
                onRevoked();
              }}
            >
              Revoke
            </AskButton>
          </span>
        )}
      </td>
    </tr>
  );
}

function NewKeyDialog({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const made = useSignal<string | null>(null);
  if (made.value === null) {
    const make = async (name: string) => {
      made.value = (await createKey(name)).key;
      onMade();
    };
    return <NameDialog title="New key" act="Make the key" optional onName={make} onClose={onClose} />;
  }
  return (
    <Dialog title="Your new key" onClose={onClose}>
      <Notice tone="warn">Copy it now and keep it in a safe place: it is shown this once.</Notice>
      <Secret text={made.value} what="Key" />
      <div class="dialog-end">
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  );
}

function NameDialog(props: {
  title: string;
  act: string;
  before?: string;
  optional?: boolean;
  onName: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const { title, act, before = "", optional = false, onName, onClose } = props;
  const name = useSignal(before);
  return (
    <FormDialog
      title={title}
      act={act}
      fields={["name"]}
      work={() => onName(name.value.trim())}
      onClose={onClose}
    >
      {(problemOf) => (
        <NameField
          optional={optional}
          required={!optional}
          autofocus
          {...kept(name)}
          problem={problemOf("name")}
          hint="What it is for, such as the program that is going to use it."
        />
      )}
    </FormDialog>
  );
}
