/** Somebody for the address book. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { ContactContent } from "../../../../domain/content/content-types.ts";
import { Button } from "../../../parts/button.tsx";
import { Select, TextArea, TextField } from "../../../parts/field.tsx";
import { type FormProps, tied } from "./form-props.ts";

type Phone = NonNullable<ContactContent["phones"]>[number];
type TextName = Exclude<keyof ContactContent, "phones" | "emails">;

const entriesMax = 4;
const kinds = [
  ["cell", "Mobile"],
  ["work", "Work"],
  ["home", "Home"],
] as const;

const emptyPhone: Phone = { number: "", kind: "cell" };

export function ContactForm(props: FormProps<ContactContent>) {
  const { content, onContent, problemOf } = props;
  // Lines that nothing is written in yet are part of the form and not of the card.
  const phones = useSignal<readonly Phone[]>(content.phones?.length ? content.phones : [emptyPhone]);
  const emails = useSignal<readonly string[]>(content.emails?.length ? content.emails : [""]);
  const takePhones = (lines: readonly Phone[]) => {
    phones.value = lines;
    onContent({ ...content, phones: lines.filter(hasNumber) });
  };
  const takeEmails = (lines: readonly string[]) => {
    emails.value = lines;
    onContent({ ...content, emails: lines.filter(isWritten) });
  };
  const text = (name: TextName, label: string, more: { maxLength?: number; placeholder?: string } = {}) => (
    <TextField label={label} autocomplete="off" maxLength={80} {...more} {...tied(props, name)} />
  );
  return (
    <>
      <div class="field-row">
        {text("first_name", "First name")}
        {text("last_name", "Last name")}
      </div>
      <div class="field-row">
        {text("organization", "Organization")}
        {text("title", "Job title")}
      </div>
      <p class="field-hint">A name or an organization is needed, the rest is up to you.</p>
      <Lines
        legend="Phone"
        add="Add a phone number"
        count={phones.value.length}
        onAdd={() => takePhones([...phones.value, emptyPhone])}
        onRemove={(at) => takePhones(without(phones.value, at, emptyPhone))}
        line={(at) => (
          <PhoneLine
            at={at}
            phone={phones.value[at]!}
            problem={problemOf(`content.phones[${placeOf(phones.value, at, hasNumber)}]`)}
            onPhone={(phone) => takePhones(replaced(phones.value, at, phone))}
          />
        )}
      />
      <Lines
        legend="E-mail"
        add="Add an e-mail address"
        count={emails.value.length}
        onAdd={() => takeEmails([...emails.value, ""])}
        onRemove={(at) => takeEmails(without(emails.value, at, ""))}
        line={(at) => (
          <Line
            problem={problemOf(`content.emails[${placeOf(emails.value, at, isWritten)}]`)}
            input={(described) => (
              <input
                {...described}
                class="input"
                type="email"
                autocomplete="off"
                maxLength={254}
                aria-label={`E-mail address ${at + 1}`}
                value={emails.value[at]}
                onInput={(event) => takeEmails(replaced(emails.value, at, event.currentTarget.value))}
              />
            )}
          />
        )}
      />
      {text("website", "Website", { maxLength: 300, placeholder: "https://" })}
      <fieldset class="stack">
        <legend class="field-label legend">Address</legend>
        {text("street", "Street and number")}
        <div class="field-row">
          {text("postal_code", "Postal code")}
          {text("city", "City")}
        </div>
        <div class="field-row">
          {text("region", "Region")}
          {text("country", "Country")}
        </div>
      </fieldset>
      <TextArea
        label="Note"
        optional
        maxLength={500}
        {...tied(props, "note")}
        hint="The more there is on the card, the finer the pattern: print a full card larger."
      />
    </>
  );
}

/** Entries of one kind, one below the other. */
function Lines(props: {
  legend: string;
  add: string;
  count: number;
  onAdd: () => void;
  onRemove: (at: number) => void;
  line: (at: number) => ComponentChildren;
}) {
  const { legend, add, count, onAdd, onRemove, line } = props;
  return (
    <fieldset class="stack stack-tight">
      <legend class="field-label legend">{legend}</legend>
      {Array.from({ length: count }, (_, at) => (
        <div class="entry" key={at}>
          {line(at)}
          {count > 1 && (
            <Button
              look="quiet"
              icon="cross"
              label={`Remove ${legend} ${at + 1}`}
              onClick={() => onRemove(at)}
            />
          )}
        </div>
      ))}
      {count < entriesMax && (
        <div>
          <Button look="quiet" small icon="plus" onClick={onAdd}>
            {add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

interface Described {
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

function Line(props: { problem: string | null; input: (described: Described) => ComponentChildren }) {
  const id = useId();
  return (
    <div class="field grow">
      {props.input(props.problem === null ? {} : { "aria-describedby": id, "aria-invalid": true })}
      {props.problem !== null && (
        <div class="field-problem" id={id}>
          {props.problem}
        </div>
      )}
    </div>
  );
}

function PhoneLine(props: {
  at: number;
  phone: Phone;
  problem: string | null;
  onPhone: (phone: Phone) => void;
}) {
  const { at, phone, problem, onPhone } = props;
  return (
    <>
      <Select
        aria-label={`Kind of phone ${at + 1}`}
        value={phone.kind ?? "cell"}
        onValue={(kind) => onPhone({ ...phone, kind: kind as "cell" })}
        options={kinds}
      />
      <Line
        problem={problem}
        input={(described) => (
          <input
            {...described}
            class="input"
            type="tel"
            autocomplete="off"
            maxLength={40}
            placeholder="+49 30 1234567"
            aria-label={`Phone number ${at + 1}`}
            value={phone.number}
            onInput={(event) => onPhone({ ...phone, number: event.currentTarget.value })}
          />
        )}
      />
    </>
  );
}

function hasNumber({ number }: Phone): boolean {
  return isWritten(number);
}

function isWritten(text: string): boolean {
  return text.trim() !== "";
}

/** Where a line of the form is among those that are sent. */
function placeOf<T>(lines: readonly T[], at: number, isSent: (line: T) => boolean): number {
  return isSent(lines[at]!) ? lines.slice(0, at).filter(isSent).length : -1;
}

function replaced<T>(lines: readonly T[], at: number, line: T): readonly T[] {
  return lines.map((each, index) => (index === at ? line : each));
}

function without<T>(lines: readonly T[], at: number, empty: T): readonly T[] {
  const left = lines.filter((_, index) => index !== at);
  return left.length === 0 ? [empty] : left;
}
