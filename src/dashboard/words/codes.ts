/** Words for what a code is and how it fares. */
import type { CodeStatus, RenderStatus } from "../../domain/documents.ts";
import type { IconName } from "../parts/icon.tsx";
import type { BadgeTone } from "../parts/small.tsx";

/** In the order in which they are offered. */
export const typeWords: Readonly<Record<string, { words: string; icon: IconName; about: string }>> = {
  url: { words: "Link", icon: "link", about: "Opens a web address that you can change at any time." },
  dynamic_url: { words: "Dynamic link", icon: "link", about: "Opens a web address, fixed once made." },
  text: { words: "Text", icon: "text", about: "Shows a text." },
  contact: { words: "Contact card", icon: "contact", about: "Adds a person to the address book." },
  wifi: { words: "Wi-Fi", icon: "wifi", about: "Joins a network without typing the password." },
  email: { words: "E-mail", icon: "email", about: "Begins an e-mail." },
  phone: { words: "Phone", icon: "call", about: "Calls a number." },
  sms: { words: "SMS", icon: "message", about: "Begins a text message." },
  place: { words: "Place", icon: "pin", about: "Opens a place on a map." },
  event: { words: "Event", icon: "event", about: "Puts a date into the calendar." },
};

export function typeName(type: string): string {
  return typeWords[type]?.words ?? type;
}

/** Whether scans come to this service first, and so can be counted and led elsewhere. */
export function isLink(type: string): boolean {
  return type === "url" || type === "dynamic_url";
}

interface Life {
  status: CodeStatus;
  expires_at: string | null;
  scan_limit: number | null;
  scan_count: number;
}

/** How a scan of it fares now. */
export function lifeOf(code: Life, now = Date.now()): { words: string; tone: BadgeTone } {
  if (code.status === "blocked") return { words: "Blocked", tone: "bad" };
  if (code.status === "archived") return { words: "Archived", tone: "plain" };
  if (code.expires_at !== null && Date.parse(code.expires_at) <= now)
    return { words: "Expired", tone: "warn" };
  if (code.scan_limit !== null && code.scan_count >= code.scan_limit)
    return { words: "Used up", tone: "warn" };
  return { words: "Active", tone: "good" };
}

/** Whether a picture of it is on its way. */
export function isBeingDrawn({ render_status }: { render_status: RenderStatus }): boolean {
  return render_status === "pending" || render_status === "staging" || render_status === "rendering";
}

/** The path of a file of the service, whose address may name another host than the one this page is open at. */
export function pathOf(fileUrl: string): string {
  return new URL(fileUrl, window.location.origin).pathname;
}
