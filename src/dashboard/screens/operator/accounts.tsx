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
import { Heads, Pages } from "../../parts/table.tsx";
import { tell } from "../../parts/toast.tsx";
import { setting, useLoad } from "../../parts/work.ts";
import { count, counted } from "../../words/numbers.ts";
import { day } from "../../words/time.ts";
import { NewAccountDialog } from "./new-account-dialog.tsx";

export default function Accounts() {
  const pages = useSignal<readonly string[]>([]);
  const token = pages.value.at(-1) ?? null;
  const list = useLoad((signal) => listAccounts(token, signal), [token]);
  const isMaking = useSignal(false);
  return (
    <Page
      title="Accounts"
      actions={
        <Button look="primary" icon="plus" onClick={setting(isMaking, true)}>
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
      <Pages tokens={pages} next={list.value?.next_page_token ?? null} busy={list.busy} />
      {isMaking.value && (
        <NewAccountDialog
          onClose={setting(isMaking, false)}
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
      <Heads columns={["Account", "Plan", ["Active codes", "end"], ["Requests today", "end"], "Since"]} />
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
