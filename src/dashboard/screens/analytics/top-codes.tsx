/**
 * The codes that were scanned most. They take the service longer to find than all other views, so they are asked for
 * apart and nothing waits for them.
 */
import { type AnalyticsQuery, readTopCodes, type Scope } from "../../api/analytics.ts";
import { address } from "../../app/location.ts";
import { Bars } from "../../parts/chart/bars.tsx";
import { Bones } from "../../parts/empty.tsx";
import { Failure } from "../../parts/notice.tsx";
import { Card } from "../../parts/small.tsx";
import { useLoad } from "../../parts/work.ts";
import { counted, percent } from "../../words/numbers.ts";

const title = "Most scanned codes";

interface TopCodesProps {
  scope: Exclude<Scope, { kind: "code" }>;
  query: AnalyticsQuery;
  limit: number;
  /** Which days they are of, where nothing else says it. */
  words?: string;
}

export function TopCodes({ scope, query, limit, words }: TopCodesProps) {
  const { value, error, busy, reload } = useLoad(
    (signal) => readTopCodes(scope, { ...query, limit }, signal),
    [JSON.stringify([scope, query, limit])],
  );
  if (value?.total === 0) return null;
  return (
    <Card title={title} actions={words && <span class="soft small">{words}</span>}>
      {error !== null && <Failure error={error} retry={reload} />}
      {value === null && error === null && <Bones lines={limit} words="Loading codes" />}
      {value !== null && (
        <div class={busy ? "stack stack-tight is-busy" : "stack stack-tight"} aria-busy={busy}>
          <Bars
            title={title}
            of="Code"
            total={value.total}
            bars={value.items.map(({ qr_id, label, scans }) => ({
              key: qr_id,
              name: (
                <a class="bar-link" href={address(`/codes/${qr_id}/analytics`)}>
                  {label}
                </a>
              ),
              scans,
            }))}
          />
          {value.other > 0 && (
            <p class="small soft">
              All other codes: {counted(value.other, "scan")}, {percent(value.other, value.total)}
            </p>
          )}
        </div>
      )}
    </Card>
  );
}
