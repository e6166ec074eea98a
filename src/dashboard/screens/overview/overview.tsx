/** The first screen: how the account is doing. */
import { address } from "../../app/location.ts";
import { user } from "../../app/session.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Page } from "../../parts/page.tsx";
import { Card, Meter } from "../../parts/small.tsx";

export default function Overview() {
  const { account } = user();
  return (
    <Page
      title="Overview"
      actions={
        <ButtonLink href={address("/codes/new")} look="primary" icon="plus">
          New code
        </ButtonLink>
      }
    >
      <Card title="Usage">
        <div class="stack">
          <Meter label="Active codes" used={account.usage.active_codes} limit={account.limits.qr_cap} />
          <Meter label="Projects" used={account.usage.projects} limit={account.limits.projects} />
        </div>
      </Card>
    </Page>
  );
}
