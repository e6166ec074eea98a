/**
 * The types of codes whose image carries what people do with it, without any link: made in the dashboard, since a form
 * is the way to make them. This room knows nothing of Node: forms in the browser check and preview with it.
 */
export const contentTypes = ["contact", "wifi", "email", "phone", "sms", "place", "event"] as const;
export type ContentType = (typeof contentTypes)[number];

export interface ContactContent {
  first_name?: string;
  last_name?: string;
  organization?: string;
  title?: string;
  phones?: { number: string; kind?: "cell" | "work" | "home" }[];
  emails?: string[];
  website?: string;
  street?: string;
  city?: string;
  region?: string;
  postal_code?: string;
  country?: string;
  note?: string;
}

export interface WifiContent {
  ssid: string;
  security: "WPA" | "WEP" | "nopass";
  password?: string;
  hidden?: boolean;
}

export interface EmailContent {
  to: string;
  subject?: string;
  body?: string;
}

export interface PhoneContent {
  number: string;
}

export interface SmsContent {
  number: string;
  message?: string;
}

export interface PlaceContent {
  latitude: number;
  longitude: number;
  name?: string;
}

export interface EventContent {
  title: string;
  /** ISO 8601 with a zone; a day (`2026-05-01`) when it lasts all day. */
  start: string;
  end?: string;
  all_day?: boolean;
  location?: string;
  description?: string;
}

export interface Contents {
  contact: ContactContent;
  wifi: WifiContent;
  email: EmailContent;
  phone: PhoneContent;
  sms: SmsContent;
  place: PlaceContent;
  event: EventContent;
}
