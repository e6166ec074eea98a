/** What is one address of a scheme that phones know: mail, calls, messages, places. */
import { emailIn, type Given, lineIn, numberIn, phoneIn, required, textIn } from "./fields.ts";

/** RFC 6068. */
export function email(given: Given): string {
  const to = emailIn(required(lineIn(given, "to", 254), "to"), "to");
  const fields = [
    ["subject", lineIn(given, "subject", 200)],
    ["body", textIn(given, "body", 1_000).replaceAll(/\r\n|\r|\n/g, "\r\n")],
  ] as const;
  const query = fields
    .filter(([, text]) => text !== "")
    .map(([name, text]) => `${name}=${encodeURIComponent(text)}`)
    .join("&");
  return `mailto:${encodeURIComponent(to).replace("%40", "@")}${query === "" ? "" : `?${query}`}`;
}

/** RFC 3966; the sign of a fragment is none here. */
export function phone(given: Given): string {
  return `tel:${phoneIn(given, "number").replaceAll("#", "%23")}`;
}

/** The message is all that follows the second colon, as it is. */
export function sms(given: Given): string {
  const message = textIn(given, "message", 500);
  return `SMSTO:${phoneIn(given, "number")}:${message}`;
}

/** RFC 5870. The name is what maps on phones have added to it. */
export function place(given: Given): string {
  const [latitude, longitude] = [
    numberIn(given, "latitude", -90, 90),
    numberIn(given, "longitude", -180, 180),
  ];
  const at = `${degrees(latitude)},${degrees(longitude)}`;
  const name = lineIn(given, "name", 100);
  return `geo:${at}${name === "" ? "" : `?q=${at}(${encodeURIComponent(name)})`}`;
}

/** Seven places are a centimetre; never in powers of ten, which no map reads. */
function degrees(value: number): string {
  const text = value.toFixed(7).replace(/\.?0+$/, "");
  return text === "-0" ? "0" : text;
}
