/** What is used of the plan. Requests are limited for each key, so it is the busiest one that tells how near the limit is. */
import { listKeys } from "../../api/keys.ts";
import { isOwner, user } from "../../app/session.ts";
import { Card, Meter } from "../../parts/small.tsx";
import { useLoad } from "../../parts/work.ts";

export function Usage() {
  const { plan, usage, limits } = user().account;
  return (
    <Card title="Usage" actions={<span class="soft">Plan “{plan}”</span>}>
      <div class="usage">
        <Meter label="Active codes" used={usage.active_codes} limit={limits.qr_cap} />
        <Meter label="Projects" used={usage.projects} limit={limits.projects} />
        {isOwner() && <KeyUsage />}
      </div>
    </Card>
  );
}

/** Keys are for owners to see. One that cannot be read leaves nothing here; the screen of the keys says why. */
function KeyUsage() {
  const keys = useLoad(listKeys, []);
  const { limits } = user().account;
  const live = (keys.value ?? []).filter(({ revoked_at }) => revoked_at === null);
  const busiest = Math.max(0, ...live.map(({ requests_this_day }) => requests_this_day));
  if (keys.value === null) return null;
  return (
    <>
      <Meter label="API keys" used={live.length} limit={limits.keys} />
      <Meter label="Requests today (UTC), busiest key" used={busiest} limit={limits.per_day} />
    </>
  );
}
