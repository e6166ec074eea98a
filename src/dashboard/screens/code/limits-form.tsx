/** Until when, and how often, a code works. */
import { scanLimitMax } from "../../../limits.ts";
import type { Code } from "../../../schema/responses.ts";
import { TextField } from "../../parts/field.tsx";
import { Meter } from "../../parts/small.tsx";
import { count } from "../../words/numbers.ts";
import { fromNow, fromWall, zone } from "../../words/time.ts";
import type { Draft } from "./draft.ts";

export function LimitsForm(props: {
  code: Code;
  draft: Draft;
  problemOf: (field: string) => string | null;
  onDraft: (changed: Partial<Draft>) => void;
}) {
  const { code, draft, problemOf, onDraft } = props;
  return (
    <div class="stack">
      <div class="field-row">
        <TextField
          label="Works until"
          optional
          type="datetime-local"
          value={draft.expiry}
          problem={problemOf("expires_at")}
          onValue={(expiry) => onDraft({ expiry })}
          hint={
            draft.expiry === ""
              ? `Without an end. Times are by the clock of ${zone.value}.`
              : `${zone.value}: ends ${fromNow(fromWall(draft.expiry))}.`
          }
        />
        <TextField
          label="Number of scans"
          optional
          type="number"
          inputMode="numeric"
          min={1}
          max={scanLimitMax}
          step={1}
          value={draft.limit}
          problem={problemOf("scan_limit")}
          onValue={(limit) => onDraft({ limit })}
          hint={`Scanned ${count(code.scan_count)} times so far. Empty: as often as anybody likes.`}
        />
      </div>
      {code.scan_limit !== null && (
        <Meter label="Scans used" used={code.scan_count} limit={code.scan_limit} />
      )}
    </div>
  );
}
