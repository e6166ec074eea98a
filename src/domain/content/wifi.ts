/** A wireless network as `WIFI:`, the form that cameras of phones know. */
import { ContentError, choiceIn, flagIn, type Given, lineIn, required } from "./fields.ts";

const ssidBytesMax = 32;

export function wifi(given: Given): string {
  const ssid = required(textAsItIs(given, "ssid"), "ssid");
  if (new TextEncoder().encode(ssid).length > ssidBytesMax) {
    throw new ContentError("ssid", `must have at most ${ssidBytesMax} bytes`);
  }
  const security = choiceIn(given, "security", ["WPA", "WEP", "nopass"]);
  const parts = [`T:${security}`, `S:${escaped(ssid)}`];
  if (security !== "nopass") parts.push(`P:${escaped(passwordIn(given, security))}`);
  if (flagIn(given, "hidden")) parts.push("H:true");
  return `WIFI:${parts.join(";")};;`;
}

function passwordIn(given: Given, security: "WPA" | "WEP"): string {
  const password = required(textAsItIs(given, "password"), "password");
  const isKey = /^[0-9a-f]{64}$/i.test(password);
  if (security === "WPA" && !isKey && (password.length < 8 || password.length > 63)) {
    throw new ContentError("password", "must have 8 to 63 characters");
  }
  return password;
}

/** Blanks at the ends belong to a name or a password. */
function textAsItIs(given: Given, field: string): string {
  lineIn(given, field, 100);
  return (given[field] as string | null | undefined) ?? "";
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,:"]/g, "\\$&");
}
