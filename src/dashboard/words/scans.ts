/** Words for where scans came from. */
import { countryName } from "./numbers.ts";
import { dayAndTime } from "./time.ts";

type Ranked = "countries" | "devices" | "referrers";

const rests: Record<Ranked, string> = {
  countries: "Other countries",
  devices: "Other devices",
  referrers: "Other sites",
};

const devices: Readonly<Record<string, string>> = {
  ios: "iPhone and iPad",
  android: "Android",
  desktop: "Computers and others",
};

/** A key that stands for no name of its own. */
export function isNameless(key: string): boolean {
  return key === "other" || key === "unknown" || key === "direct";
}

export function nameOf(by: Ranked, key: string): string {
  if (key === "other") return rests[by];
  if (key === "unknown") return "Unknown";
  if (by === "countries") return countryName(key);
  if (by === "devices") return devices[key] ?? key;
  return key === "direct" ? "Direct, as from a camera" : key;
}

/** Scans reach the charts a little later than the count of a code. */
export function countedWords(until: string): string {
  return `Scans until ${dayAndTime(until)} are all counted; later ones show within minutes.`;
}
