/** Content of every type, as the text that an image carries, and what such a code is called when nobody says. */
import { email, phone, place, sms } from "./addresses.ts";
import { contactCard, contactName } from "./contact.ts";
import type { ContentType } from "./content-types.ts";
import { event } from "./event.ts";
import { type Given, lineIn } from "./fields.ts";
import { wifi } from "./wifi.ts";

export { type Contents, type ContentType, contentTypes } from "./content-types.ts";
export { ContentError } from "./fields.ts";

const encoders: Readonly<Record<ContentType, (given: Given) => string>> = {
  contact: contactCard,
  wifi,
  email,
  phone,
  sms,
  place,
  event,
};

/** Throws a `ContentError` that names the field. Fields that the type does not have are not looked at. */
export function encodeContent(type: ContentType, given: object): string {
  return encoders[type](given as Given);
}

/** For content that can be encoded. */
export function nameOfContent(type: ContentType, given: object): string {
  const fields = given as Given;
  const line = (field: string) => lineIn(fields, field, 300);
  switch (type) {
    case "contact":
      return contactName(fields);
    case "wifi":
      return line("ssid");
    case "email":
      return line("to");
    case "phone":
    case "sms":
      return line("number");
    case "place":
      return line("name") || encodeContent(type, given).slice("geo:".length);
    case "event":
      return line("title");
  }
}
