import type { Device } from "../domain/documents.ts";

/**
 * Two searches of the header and no pattern matching: this runs on the scan path. Apple's hand-held devices
 * all name themselves `iP…`, and few other agents contain those two letters.
 */
export function deviceOf(userAgent: string): Device {
  for (let at = userAgent.indexOf("iP"); at !== -1; at = userAgent.indexOf("iP", at + 2)) {
    if (
      userAgent.startsWith("hone", at + 2) ||
      userAgent.startsWith("ad", at + 2) ||
      userAgent.startsWith("od", at + 2)
    ) {
      return "ios";
    }
  }
  return userAgent.includes("Android") ? "android" : "desktop";
}
