/** The forms of the types whose content is in the picture itself. */
import type { ComponentType } from "preact";
import type { Contents, ContentType } from "../../../../domain/content/content-types.ts";
import { ContactForm } from "./contact-form.tsx";
import { EventForm } from "./event-form.tsx";
import type { FormProps } from "./form-props.ts";
import { EmailForm, PhoneForm, SmsForm } from "./message-forms.tsx";
import { PlaceForm } from "./place-form.tsx";
import { WifiForm } from "./wifi-form.tsx";

const forms: { [T in ContentType]: ComponentType<FormProps<Contents[T]>> } = {
  contact: ContactForm,
  wifi: WifiForm,
  email: EmailForm,
  phone: PhoneForm,
  sms: SmsForm,
  place: PlaceForm,
  event: EventForm,
};

/** Each takes the content that `emptyContent` of its type begins. */
export const contentForms = forms as unknown as Readonly<
  Record<ContentType, ComponentType<FormProps<object>>>
>;

const beginnings: { [T in ContentType]: Partial<Contents[T]> } = {
  contact: {},
  wifi: { ssid: "", security: "WPA" },
  email: { to: "" },
  phone: { number: "" },
  sms: { number: "" },
  place: {},
  event: { title: "", start: "" },
};

export function emptyContent(type: ContentType): object {
  return beginnings[type];
}
