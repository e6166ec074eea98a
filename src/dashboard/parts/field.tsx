/** One question of a form: its words, its control, a hint, and what is wrong with the answer. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { labelCharsMax } from "../../limits.ts";

export interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  problem?: string | null | undefined;
  optional?: boolean;
}

/** What ties a control to its words. */
interface Tied {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

export function Field(props: FieldProps & { children: (tied: Tied) => ComponentChildren }) {
  const { label, hint, problem, optional } = props;
  const id = useId();
  const described = [problem ? `${id}-problem` : null, hint ? `${id}-hint` : null].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label} {optional && <span class="field-optional">(optional)</span>}
      </label>
      {props.children({
        id,
        ...(described !== "" && { "aria-describedby": described }),
        ...(problem && { "aria-invalid": true }),
      })}
      {problem && (
        <div class="field-problem" id={`${id}-problem`}>
          {problem}
        </div>
      )}
      {hint && (
        <div class="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
    </div>
  );
}

type Change = { value: string; onValue: (value: string) => void };

interface Typing {
  name?: string;
  autocomplete?: "off" | "username" | "current-password" | "new-password";
  required?: boolean;
  readOnly?: boolean;
  disabled?: boolean;
  autofocus?: boolean;
  placeholder?: string;
  minLength?: number;
  maxLength?: number;
  spellcheck?: boolean;
}

interface LineTyping extends Typing {
  type?: "text" | "email" | "password" | "url" | "tel" | "number" | "date" | "time" | "datetime-local";
  inputMode?: "text" | "decimal" | "numeric" | "tel" | "url" | "email";
  min?: string | number;
  max?: string | number;
  step?: string | number;
  list?: string;
}

/** What a thing is called. */
export function NameField(
  props: Omit<FieldProps, "label"> & Change & Pick<Typing, "required" | "autofocus">,
) {
  return <TextField {...props} label="Name" maxLength={labelCharsMax} />;
}

export function TextField(props: FieldProps & Change & LineTyping) {
  const { label, hint, problem, optional, value, onValue, type = "text", ...rest } = props;
  return (
    <Field {...{ label, hint, problem, optional: optional ?? false }}>
      {(tied) => (
        <input
          {...rest}
          {...tied}
          // One of the kinds that are typed: the types of Preact want to know which.
          type={type as "text"}
          class="input"
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function TextArea(props: FieldProps & Change & Typing & { rows?: number }) {
  const { label, hint, problem, optional, value, onValue, ...rest } = props;
  return (
    <Field {...{ label, hint, problem, optional: optional ?? false }}>
      {(tied) => (
        <textarea
          {...rest}
          {...tied}
          class="input"
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export type Option = readonly [value: string, words: string];

export function SelectField(props: FieldProps & Change & { options: readonly Option[]; disabled?: boolean }) {
  const { label, hint, problem, optional, value, onValue, options, disabled } = props;
  return (
    <Field {...{ label, hint, problem, optional: optional ?? false }}>
      {(tied) => <Select {...tied} {...{ value, onValue, options, disabled: disabled ?? false }} />}
    </Field>
  );
}

/** The control alone, which has to be told what it is called. */
export function Select(
  props: Change & {
    options: readonly Option[];
    disabled?: boolean;
    id?: string;
    title?: string;
    "aria-label"?: string;
  },
) {
  const { value, onValue, options, ...rest } = props;
  return (
    <select {...rest} class="input" value={value} onChange={(event) => onValue(event.currentTarget.value)}>
      {options.map(([each, words]) => (
        <option key={each} value={each} selected={each === value}>
          {words}
        </option>
      ))}
    </select>
  );
}

export function CheckField(props: {
  label: ComponentChildren;
  hint?: ComponentChildren;
  value: boolean;
  disabled?: boolean;
  onValue: (value: boolean) => void;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.value}
        disabled={props.disabled}
        onChange={(event) => props.onValue(event.currentTarget.checked)}
      />
      <span>
        {props.label}
        {props.hint && <span class="field-hint"> {props.hint}</span>}
      </span>
    </label>
  );
}

/** A choice among few, all of which are in sight. */
export function Segments<V extends string>(props: {
  label: string;
  value: V;
  options: readonly (readonly [value: V, words: ComponentChildren])[];
  onValue: (value: V) => void;
}) {
  const name = useId();
  return (
    <div class="segments" role="radiogroup" aria-label={props.label}>
      {props.options.map(([value, words]) => (
        <label class="segment" key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={props.value === value}
            onChange={() => props.onValue(value)}
          />
          {words}
        </label>
      ))}
    </div>
  );
}
