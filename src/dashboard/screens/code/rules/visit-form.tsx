/** "What would this visitor get?": the service's own answer, for a visitor and a moment that the reader makes up. */
import { useSignal } from "@preact/signals";
import type { VisitBody } from "../../../../domain/dashboard-requests.ts";
import type { RedirectRule } from "../../../../domain/documents.ts";
import type { VisitAnswer } from "../../../../schema/dashboard-responses.ts";
import { askVisit } from "../../../api/codes.ts";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { Icon, type IconName } from "../../../parts/icon.tsx";
import { Failure } from "../../../parts/notice.tsx";
import { type Load, useLoad, useSettled } from "../../../parts/work.ts";
import { dayAndTime, fromWall, toWall, zone } from "../../../words/time.ts";
import { countryOptions, deviceOptions } from "./choices.ts";

const settleMs = 300;

export interface Visit {
  visitor: Visitor;
  answer: Load<VisitAnswer>;
  change: (changed: Partial<Visitor>) => void;
}

interface Visitor {
  device: string;
  country: string;
  /** On the clock of the account; empty is now. */
  wall: string;
}

export function useVisit(codeId: string, redirectUrl: string | null, rules: RedirectRule[] | null): Visit {
  const visitor = useSignal<Visitor>({ device: "ios", country: "", wall: "" });
  const { device, country, wall } = visitor.value;
  const question: VisitBody = {
    device: device as VisitBody["device"] & string,
    ...(country !== "" && { country }),
    ...(wall !== "" && { at: new Date(fromWall(wall)).toISOString() }),
    ...(redirectUrl !== null && { redirect_url: redirectUrl }),
    ...(rules !== null && { redirect_rules: rules }),
  };
  const settled = useSettled(JSON.stringify(question), settleMs);
  const answer = useLoad(
    (signal) => askVisit(codeId, JSON.parse(settled.value) as VisitBody, signal),
    [codeId, settled.value],
  );
  return {
    visitor: visitor.value,
    answer,
    change: (changed) => {
      visitor.value = { ...visitor.value, ...changed };
    },
  };
}

export function VisitForm({
  visit: { visitor, answer, change },
  isIncomplete,
}: {
  visit: Visit;
  isIncomplete: boolean;
}) {
  return (
    <div class="stack">
      <div class="field-row">
        <SelectField
          label="Device"
          options={deviceOptions}
          value={visitor.device}
          onValue={(device) => change({ device })}
        />
        <SelectField
          label="Country"
          options={[["", "Not known"], ...countryOptions()]}
          value={visitor.country}
          onValue={(country) => change({ country })}
        />
        <TextField
          label="When"
          type="datetime-local"
          value={visitor.wall === "" ? toWall(Date.now()) : visitor.wall}
          onValue={(wall) => change({ wall })}
          hint={`By the clock of ${zone.value}.`}
        />
      </div>
      <div class="verdict" role="status" aria-busy={answer.busy}>
        {isIncomplete ? (
          <span class="soft">Fill in every rule, and the answer is here.</span>
        ) : answer.error !== null ? (
          <Failure error={answer.error} retry={answer.reload} />
        ) : answer.value === null ? (
          <span class="soft">Asking…</span>
        ) : (
          <Verdict answer={answer.value} />
        )}
      </div>
    </div>
  );
}

const refusals: Readonly<Record<string, string>> = {
  blocked: "A page that says the code is blocked.",
  archived: "A page that says the code leads nowhere: it is archived.",
  project_archived: "A page that says the code leads nowhere: its project is archived.",
  expired: "A page that says the code has expired.",
  limit_reached: "A page that says the code is used up.",
};

function Verdict({ answer }: { answer: VisitAnswer }) {
  const icon: IconName =
    answer.outcome === "redirect" ? "right" : answer.outcome === "text" ? "text" : "warning";
  const because = answer.rule === null ? "no rule fits" : `rule ${answer.rule + 1} fits`;
  return (
    <>
      <Icon name={icon} />
      <div class="grow">
        {answer.outcome === "redirect" && (
          <>
            <div class="verdict-url">{answer.url}</div>
            <div class="small soft">
              {dayAndTime(answer.at)}: {because}.
            </div>
          </>
        )}
        {answer.outcome === "text" && <div>The text of the code.</div>}
        {refusals[answer.outcome]}
      </div>
    </>
  );
}
