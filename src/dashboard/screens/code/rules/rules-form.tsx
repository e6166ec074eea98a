/** The rules of a code, in the order in which they are asked; the first that fits decides. */
import type { Weekday } from "../../../../domain/documents.ts";
import { redirectRulesMax } from "../../../../limits.ts";
import { Button } from "../../../parts/button.tsx";
import { type Option, SelectField, TextField } from "../../../parts/field.tsx";
import { zone } from "../../../words/time.ts";
import { countryOptions, deviceOptions } from "./choices.ts";
import { newRule, type RuleDraft, type RuleKind } from "./rule-draft.ts";

const kinds: readonly Option[] = [
  ["device", "Device"],
  ["country", "Country"],
  ["both", "Device and country"],
  ["schedule", "Days and hours"],
];

/** Monday first, named in the reader's language. 5 January 1970 was a Monday. */
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short", timeZone: "UTC" });
const days = (["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const).map(
  (day, index) => [day, weekday.format(Date.UTC(1970, 0, 5 + index))] as const,
);

export function RulesForm(props: {
  rules: readonly RuleDraft[];
  /** The one that the visitor of the trial meets. */
  met: number | null;
  problemOf: (field: string) => string | null;
  onRules: (rules: readonly RuleDraft[]) => void;
}) {
  const { rules, met, problemOf, onRules } = props;
  const move = (from: number, by: number) => {
    const next = [...rules];
    const [rule] = next.splice(from, 1);
    next.splice(from + by, 0, rule!);
    onRules(next);
  };
  return (
    <div class="stack">
      {rules.length === 0 && (
        <p class="soft">
          Send some visitors elsewhere: by device, by country, or by day and hour. Everybody else goes to the
          destination above.
        </p>
      )}
      {rules.length > 0 && (
        <ol class="rules">
          {rules.map((rule, index) => (
            <li key={rule.id} class={met === index ? "rule is-met" : "rule"} aria-label={`Rule ${index + 1}`}>
              <div class="rule-head">
                <span class="rule-number">{index + 1}</span>
                <span class="grow small soft">
                  {met === index ? "The visitor below meets this rule" : ""}
                </span>
                <Button
                  look="quiet"
                  small
                  icon="up"
                  label={`Move rule ${index + 1} up`}
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                />
                <Button
                  look="quiet"
                  small
                  icon="down"
                  label={`Move rule ${index + 1} down`}
                  disabled={index === rules.length - 1}
                  onClick={() => move(index, 1)}
                />
                <Button
                  look="quiet"
                  small
                  icon="trash"
                  label={`Remove rule ${index + 1}`}
                  onClick={() => onRules(rules.filter((each) => each !== rule))}
                />
              </div>
              <RuleFields
                rule={rule}
                problemOf={(field) => problemOf(`redirect_rules[${index}].${field}`)}
                onRule={(changed) =>
                  onRules(rules.map((each) => (each === rule ? { ...rule, ...changed } : each)))
                }
              />
            </li>
          ))}
        </ol>
      )}
      <div>
        <Button
          icon="plus"
          small
          disabled={rules.length >= redirectRulesMax}
          onClick={() => onRules([...rules, newRule()])}
        >
          Add a rule
        </Button>
        {rules.length >= redirectRulesMax && (
          <span class="small soft"> A code has at most {redirectRulesMax} rules.</span>
        )}
      </div>
    </div>
  );
}

function RuleFields(props: {
  rule: RuleDraft;
  problemOf: (field: string) => string | null;
  onRule: (changed: Partial<RuleDraft>) => void;
}) {
  const { rule, problemOf, onRule } = props;
  const { kind } = rule;
  return (
    <div class="stack">
      <div class="field-row">
        <SelectField
          label="When"
          options={kinds}
          value={kind}
          onValue={(value) => onRule({ kind: value as RuleKind })}
        />
        {(kind === "device" || kind === "both") && (
          <SelectField
            label="Device"
            options={deviceOptions}
            value={rule.device}
            onValue={(value) => onRule({ device: value as RuleDraft["device"] })}
          />
        )}
        {(kind === "country" || kind === "both") && (
          <SelectField
            label="Country"
            options={[["", "Choose a country"], ...countryOptions()]}
            value={rule.country}
            problem={problemOf(kind === "both" ? "value2" : "value")}
            onValue={(country) => onRule({ country })}
          />
        )}
      </div>
      {kind === "schedule" && (
        <>
          <fieldset class="field">
            <legend class="field-label">Days</legend>
            <div class="days">
              {days.map(([day, words]) => (
                <label key={day} class="day">
                  <input
                    type="checkbox"
                    checked={rule.days.includes(day)}
                    onChange={() => onRule({ days: toggled(rule.days, day) })}
                  />
                  {words}
                </label>
              ))}
            </div>
          </fieldset>
          <div class="field-row">
            <TextField
              label="From"
              type="time"
              value={rule.start}
              problem={problemOf("schedule_start")}
              onValue={(start) => onRule({ start })}
            />
            <TextField
              label="Until"
              type="time"
              value={rule.end}
              problem={problemOf("schedule_end")}
              onValue={(end) => onRule({ end })}
              hint={`By the clock of ${zone.value}. For a window over midnight, make two rules.`}
            />
          </div>
        </>
      )}
      <TextField
        label="Leads to"
        type="url"
        inputMode="url"
        placeholder="https://"
        value={rule.url}
        problem={problemOf("url")}
        onValue={(url) => onRule({ url })}
      />
    </div>
  );
}

function toggled(chosen: readonly Weekday[], day: Weekday): readonly Weekday[] {
  return days
    .map(([each]) => each)
    .filter((each) => (each === day ? !chosen.includes(day) : chosen.includes(each)));
}
