/** A date for the calendar, by the clock of the account. */
import type { EventContent } from "../../../../domain/content/content-types.ts";
import { CheckField, TextArea, TextField } from "../../../parts/field.tsx";
import { fromWall, toWall, zone } from "../../../words/time.ts";
import { type FormProps, tied } from "./form-props.ts";

export function EventForm(props: FormProps<EventContent>) {
  const { content, onContent, problemOf } = props;
  const change = (changed: Partial<EventContent>) => onContent({ ...content, ...changed });
  const isAllDay = content.all_day ?? false;
  const type = isAllDay ? "date" : "datetime-local";
  const shown = (moment: string | undefined) => shownMoment(moment ?? "", isAllDay);
  const taken = (typed: string) => takenMoment(typed, isAllDay);
  return (
    <>
      <TextField label="Title" required maxLength={200} {...tied(props, "title")} />
      <CheckField
        label="All day"
        value={isAllDay}
        onValue={(checked) => {
          const moved = (moment: string | undefined) =>
            takenMoment(otherKind(shown(moment), checked), checked);
          change({ all_day: checked, start: moved(content.start), end: moved(content.end) });
        }}
      />
      <div class="field-row">
        <TextField
          label={isAllDay ? "First day" : "Begins"}
          type={type}
          required
          value={shown(content.start)}
          problem={problemOf("content.start")}
          onValue={(start) => change({ start: taken(start) })}
        />
        <TextField
          label={isAllDay ? "Last day" : "Ends"}
          type={type}
          optional
          value={shown(content.end)}
          problem={problemOf("content.end")}
          onValue={(end) => change({ end: taken(end) })}
        />
      </div>
      {!isAllDay && (
        <p class="field-hint">
          By the clock of {zone.value}. Phones elsewhere show the same moment by their own clock.
        </p>
      )}
      <TextField label="Where" optional maxLength={200} {...tied(props, "location")} />
      <TextArea label="Description" optional maxLength={500} {...tied(props, "description")} />
    </>
  );
}

function shownMoment(moment: string, isAllDay: boolean): string {
  return isAllDay || moment === "" ? moment : toWall(moment);
}

function takenMoment(typed: string, isAllDay: boolean): string {
  return isAllDay || typed === "" ? typed : new Date(fromWall(typed)).toISOString();
}

const hourOfDays = "09:00";

/** A day becomes its morning, a moment becomes its day. */
function otherKind(shown: string, isAllDay: boolean): string {
  if (shown === "") return "";
  return isAllDay ? shown.slice(0, 10) : `${shown}T${hourOfDays}`;
}
