/** What reaches somebody: e-mail, a call, a text message. */
import type { EmailContent, PhoneContent, SmsContent } from "../../../../domain/content/content-types.ts";
import { TextArea, TextField } from "../../../parts/field.tsx";
import { type FormProps, tied } from "./form-props.ts";

export function EmailForm(props: FormProps<EmailContent>) {
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
        {...tied(props, "to")}
      />
      <TextField label="Subject" optional maxLength={200} {...tied(props, "subject")} />
      <TextArea
        label="Text"
        optional
        maxLength={1000}
        {...tied(props, "body")}
        hint="The phone opens an e-mail with it; the person can change it before sending."
      />
    </>
  );
}

function NumberField(tie: ReturnType<typeof tied>) {
  return (
    <TextField
      label="Phone number"
      type="tel"
      inputMode="tel"
      required
      autocomplete="off"
      maxLength={40}
      placeholder="+49 30 1234567"
      {...tie}
      hint="With + and the code of the country, it works from everywhere."
    />
  );
}

export function PhoneForm(props: FormProps<PhoneContent>) {
  return <NumberField {...tied(props, "number")} />;
}

export function SmsForm(props: FormProps<SmsContent>) {
  return (
    <>
      <NumberField {...tied(props, "number")} />
      <TextArea
        label="Message"
        optional
        maxLength={500}
        {...tied(props, "message")}
        hint="The phone opens a message with it; the person can change it before sending."
      />
    </>
  );
}
