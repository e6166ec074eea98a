/** The operator's first screen: every account, the health of the service, the safety re-scan. */
import { useSignal } from "@preact/signals";
import type { Account } from "../../../schema/responses.ts";
import { listAccounts, readHealth, rescan } from "../../api/operator.ts";
import { address, go } from "../../app/location.ts";
import { Button } from "../../parts/button.tsx";
import { ask } from "../../parts/dialog.tsx";
import { Bones, Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Badge, Card } from "../../parts/small.tsx";
import { tell } from "../../parts/toast.tsx";
import { useLoad } from "../../parts/work.ts";
import { count, counted } from "../../words/numbers.ts";
import { day } from "../../words/time.ts";
import { NewAccountDialog } from "./new-account-dialog.tsx";

export default function Accounts() {
  const pages = useSignal<readonly string[]>([]);
  const token = pages.value.at(-1) ?? null;
  const list = useLoad((signal) => listAccounts(token, signal), [token]);
  const isMaking = useSignal(false);
  const next = list.value?.next_page_token ?? null;
  return (
    <Page
      title="Accounts"
      actions={
        <Button
          look="primary"
          icon="plus"
          onClick={() => {
            isMaking.value = true;
          }}
        >
          New account
        </Button>
      }
    >
      <Health />
      {list.error !== null && <Failure error={list.error} retry={list.reload} />}
      <div class="card card-flush" aria-busy={list.busy}>
        {list.value === null ? (
          list.error === null && <Bones words="Loading accounts" />
        ) : list.value.items.length === 0 ? (
          <Empty icon="operator" title="No account yet">
            An account has codes, keys and people. Make the first one.
          </Empty>
        ) : (
          <AccountTable accounts={list.value.items} />
        )}
      </div>
      {(pages.value.length > 0 || next !== null) && (
        <nav class="row row-end" aria-label="Pages">
          <span class="soft small grow">Page {pages.value.length + 1}</span>
          <Button
            icon="left"
            disabled={pages.value.length === 0}
            onClick={() => {
              pages.value = pages.value.slice(0, -1);
            }}
          >
            Previous
          </Button>
          <Button
            disabled={next === null}
            onClick={() => {
              if (next !== null) pages.value = [...pages.value, next];
            }}
          >
            Next
          </Button>
        </nav>
      )}
      {isMaking.value && (
        <NewAccountDialog
          onClose={() => {
            isMaking.value = false;
          }}
          onMade={(account) => go(`/operator/accounts/${account.account_id}`)}
        />
      )}
    </Page>
  );
}

function AccountTable({ accounts }: { accounts: readonly Account[] }) {
  return (
    <table class="table table-cards">
      <caption class="spoken">Accounts</caption>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">Plan</th>
          <th scope="col" class="end">
            Active codes
          </th>
          <th scope="col" class="end">
            Requests today
          </th>
          <th scope="col">Since</th>
        </tr>
      </thead>
      <tbody>
        {accounts.map((account) => (
          <tr key={account.account_id}>
            <td>
              <div class="cell-main">
                <span class="row">
                  <a href={address(`/operator/accounts/${account.account_id}`)}>{account.name}</a>
                  {!account.api_access && <Badge tone="warn">API off</Badge>}
                </span>
                <span class="small soft mono">{account.account_id}</span>
              </div>
            </td>
            <td data-heading="Plan">
              {account.plan} {!account.plan_configured && <Badge tone="bad">Not configured</Badge>}
            </td>
            <td class="end number" data-heading="Active codes">
              {count(account.usage.active_codes)} <span class="soft">/ {count(account.limits.qr_cap)}</span>
            </td>
            <td class="end number" data-heading="Requests today">
              {count(account.usage.requests_this_day)}
            </td>
            <td class="soft pinched" data-heading="Since">
              {day(account.created_at)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Health() {
  const health = useLoad(readHealth, []);
  const offerRescan = () =>
    ask({
      title: "Check all targets again?",
      words:
        "Every address that a code leads to is held against the block lists. Codes that lead to unsafe ones are blocked. It can take a while.",
      act: "Check",
      work: async () => {
        const { checked, blocked, unblocked } = await rescan();
        tell(
          `${counted(checked, "code")} checked, ${count(blocked)} blocked, ${count(unblocked)} free again`,
        );
      },
    });
  return (
    <Card
      title="Service"
      actions={
        <>
          <Button small icon="restore" busy={health.busy} onClick={health.reload}>
            Ask again
          </Button>
          <Button small onClick={offerRescan}>
            Safety re-scan
          </Button>
        </>
      }
    >
      {health.value === null ? (
        <span class="soft">Asking…</span>
      ) : (
        <div class="row">
          <Badge tone={health.value.isReady ? "good" : "bad"}>
            {health.value.isReady ? "Ready" : "Not ready"}
          </Badge>
          <span class="soft">
            {health.value.isReady
              ? `Answers on the engine ${health.value.engine ?? "of this machine"}, API ${health.value.version ?? ""}`
              : (health.value.message ?? "It gives no reason. Look at its log.")}
          </span>
        </div>
      )}
    </Card>
  );
}
