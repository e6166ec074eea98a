/** What somebody sees who scans the code, before anything is printed. */
import type { ComponentChildren } from "preact";
import type {
  ContactContent,
  Contents,
  ContentType,
  EventContent,
  PlaceContent,
} from "../../../../domain/content/content-types.ts";
import { Icon } from "../../../parts/icon.tsx";
import { dayName, daySpan, isDay, timeSpan } from "../../../words/calendar.ts";
import { typeWords } from "../../../words/codes.ts";
import { dayAndTime } from "../../../words/time.ts";

interface Told {
  /** What the phone offers to do. */
  act: string;
  title: string;
  lines: readonly (string | undefined)[];
}

/** For content that can be encoded. */
export function OnAPhone({ type, content }: { type: ContentType; content: object }) {
  const { act, title, lines } = (tellers[type] as (content: object) => Told)(content);
  return (
    <figure class="phone">
      <figcaption class="phone-caption">On a phone</figcaption>
      <div class="phone-card">
        <span class="phone-icon">
          <Icon name={typeWords[type]!.icon} />
        </span>
        <div class="phone-words">
          <strong>{title}</strong>
          {lines.filter(isTold).map((line) => (
            <Line key={line}>{line}</Line>
          ))}
        </div>
        <span class="phone-act">{act}</span>
      </div>
    </figure>
  );
}

function Line({ children }: { children: ComponentChildren }) {
  return <span class="small soft">{children}</span>;
}

function isTold(line: string | undefined): line is string {
  return line !== undefined && line.trim() !== "";
}

const tellers: { [T in ContentType]: (content: Contents[T]) => Told } = {
  contact: contactCard,
  wifi: ({ ssid, security }) => ({
    act: "Join",
    title: ssid,
    lines: [security === "nopass" ? "Open network" : "The password is filled in"],
  }),
  email: ({ to, subject, body }) => ({ act: "Write", title: to, lines: [subject, body] }),
  phone: ({ number }) => ({ act: "Call", title: number, lines: [] }),
  sms: ({ number, message }) => ({ act: "Write", title: number, lines: [message] }),
  place: placeOnMap,
  event: eventInCalendar,
};

function contactCard(content: ContactContent): Told {
  const { first_name = "", last_name = "", organization = "", title, phones = [], emails = [] } = content;
  const person = `${first_name.trim()} ${last_name.trim()}`.trim();
  const town = [content.postal_code, content.city].filter(isTold).join(" ");
  return {
    act: "Add",
    title: person || organization,
    lines: [
      [title, person === "" ? "" : organization].filter(isTold).join(", "),
      ...phones.map(({ number }) => number),
      ...emails,
      content.website,
      [content.street, town, content.region, content.country].filter(isTold).join(", "),
      content.note,
    ],
  };
}

function placeOnMap({ latitude, longitude, name = "" }: PlaceContent): Told {
  const at = `${latitude}, ${longitude}`;
  return { act: "Show", title: name.trim() || at, lines: name.trim() === "" ? [] : [at] };
}

function eventInCalendar({ title, start, end, all_day, location, description }: EventContent): Told {
  return {
    act: "Add",
    title,
    lines: [all_day ? days(start, end) : times(start, end), location, description],
  };
}

function days(start: string, end: string | undefined): string {
  if (!isDay(start)) return "";
  return end !== undefined && isDay(end) ? daySpan(start, end) : dayName(start);
}

function times(start: string, end: string | undefined): string {
  return end ? timeSpan(start, end) : dayAndTime(start);
}
