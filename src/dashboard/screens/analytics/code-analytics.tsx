/** How one code is scanned. */

import { readCode } from "../../api/codes.ts";
import { address, place } from "../../app/location.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { user } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { useLoad } from "../../parts/work.ts";
import { isLink, typeName } from "../../words/codes.ts";
import { counted } from "../../words/numbers.ts";
import { CodeTabs } from "../code/code-tabs.tsx";
import { CodeWaiting } from "../code/code-waiting.tsx";
import { choiceOf } from "./range.ts";
import { ScanViews } from "./scan-views.tsx";

export default function CodeAnalytics({ params }: ScreenProps) {
  const id = params.id!;
  const code = useLoad((signal) => readCode(id, signal), [id]);
  const choice = choiceOf(place.value.query, user().account.limits.analytics_days);
  const { value } = code;
  const back = { href: address("/codes"), words: "QR codes" };
  if (value === null) {
    return (
      <Page title="Analytics" back={back}>
        <CodeWaiting code={code} />
      </Page>
    );
  }
  return (
    <Page
      title={value.label}
      back={back}
      words={isLink(value.type) ? `${counted(value.scan_count, "scan")} since it was made` : undefined}
    >
      <CodeTabs id={id} at="analytics" />
      {isLink(value.type) ? (
        <>
          {!value.analytics_enabled && (
            <Notice>
              Analytics are off for this code: scans are counted, and nothing is noted about them. What is
              shown here is from before.
            </Notice>
          )}
          <ScanViews scope={{ kind: "code", id }} choice={choice} />
        </>
      ) : (
        <div class="card">
          <Empty icon="overview" title="Scans of this code are not counted">
            Its content ({typeName(value.type)}) is in the picture itself. A phone that scans it shows the
            content without asking this service, so nobody can know how often that happens.
          </Empty>
        </div>
      )}
    </Page>
  );
}
