/** What reaches somebody: e-mail, a call, a text message. */
import type { EmailContent, PhoneContent, SmsContent } from "../../../../domain/content/content-types.ts";
import { TextArea, TextField } from "../../../parts/field.tsx";
import type { FormProps } from "./form-props.ts";

export function EmailForm({ content, onContent, problemOf }: FormProps<EmailContent>) {
  return (
    <>
      <TextField
        label="To"
        type="email"
        inputMode="email"
        required
        autocomplete="off"
        maxLength={254}
        placeholder="hello@example.com"
        value={content.to}
        problem={problemOf("content.to")}
        onValue={(to) => onContent({ ...content, to })}
      />
      <TextField
        label="Subject"
        optional
        maxLength={200}
        value={content.subject ?? ""}
        problem={problemOf("content.subject")}
        onValue={(subject) => onContent({ ...content, subject })}
      />
      <TextArea
        label="Text"
        optional
        maxLength={1000}
        value={content.body ?? ""}
        problem={problemOf("content.body")}
        onValue={(body) => onContent({ ...content, body })}
        hint="The phone opens an e-mail with it; the person can change it before sending."
      />
    </>
  );
}

interface NumberProps {
  number: string;
  problem: string | null;
  onNumber: (number: string) => void;
}

function NumberField({ number, problem, onNumber }: NumberProps) {
  return (
    <TextField
      label="Phone number"
      type="tel"
      inputMode="tel"
      required
      autocomplete="off"
      maxLength={40}
      placeholder="+49 30 1234567"
      value={number}
      problem={problem}
      onValue={onNumber}
      hint="With + and the code of the country, it works from everywhere."
    />
  );
}

export function PhoneForm({ content, onContent, problemOf }: FormProps<PhoneContent>) {
  return (
    <NumberField
      number={content.number}
      problem={problemOf("content.number")}
      onNumber={(number) => onContent({ number })}
    />
  );
}

export function SmsForm({ content, onContent, problemOf }: FormProps<SmsContent>) {
  return (
    <>
      <NumberField
        number={content.number}
        problem={problemOf("content.number")}
        onNumber={(number) => onContent({ ...content, number })}
      />
      <TextArea
        label="Message"
        optional
        maxLength={500}
        value={content.message ?? ""}
        problem={problemOf("content.message")}
        onValue={(message) => onContent({ ...content, message })}
        hint="The phone opens a message with it; the person can change it before sending."
      />
    </>
  );
}
