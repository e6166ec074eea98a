/** Content of every type, with what its image has to say and what it is called. The middle of a UID is left open. */
import type { Contents, ContentType } from "../../src/domain/content/content.ts";

const lines = (...all: string[]) => `${all.join("\r\n")}\r\n`;

export const contentSamples: { [T in ContentType]: [content: Contents[T], text: string, name: string][] } = {
  contact: [
    [
      {
        first_name: " Zoë ",
        last_name: "Smith; Jones",
        organization: "Bread, Butter & Co",
        title: "Baker\\Owner",
        phones: [{ number: "+49 (30) 123-45.67" }, { number: "030/765", kind: "work" }],
        emails: ["zoe@example.com"],
        website: "https://example.com/a;b,c",
        street: "Unter den Linden 1",
        city: "Berlin",
        postal_code: "10117",
        country: "Germany",
        note: "Ring twice\nthen wait",
      },
      lines(
        "BEGIN:VCARD",
        "VERSION:4.0",
        "N:Smith\\; Jones;Zoë;;;",
        "FN:Zoë Smith\\; Jones",
        "ORG:Bread\\, Butter & Co",
        "TITLE:Baker\\\\Owner",
        "TEL;TYPE=cell:+49301234567",
        "TEL;TYPE=work:030765",
        "EMAIL:zoe@example.com",
        "URL:https://example.com/a;b,c",
        "ADR:;;Unter den Linden 1;Berlin;;10117;Germany",
        "NOTE:Ring twice\\nthen wait",
        "END:VCARD",
      ),
      "Zoë Smith; Jones",
    ],
    [
      { organization: "Bakery" },
      lines("BEGIN:VCARD", "VERSION:4.0", "N:;;;;", "FN:Bakery", "ORG:Bakery", "END:VCARD"),
      "Bakery",
    ],
  ],
  wifi: [
    [
      { ssid: 'Guests; "upstairs"', security: "WPA", password: "a:b\\c,d e" },
      'WIFI:T:WPA;S:Guests\\; \\"upstairs\\";P:a\\:b\\\\c\\,d e;;',
      'Guests; "upstairs"',
    ],
    [{ ssid: "Café", security: "nopass", hidden: true }, "WIFI:T:nopass;S:Café;H:true;;", "Café"],
    [{ ssid: "old", security: "WEP", password: "12345" }, "WIFI:T:WEP;S:old;P:12345;;", "old"],
    [{ ssid: "net", security: "WPA", password: " eight ch " }, "WIFI:T:WPA;S:net;P: eight ch ;;", "net"],
  ],
  email: [
    [
      { to: "ada+shop@example.com", subject: "Salt & pepper?", body: "Hello,\nmore of it" },
      "mailto:ada%2Bshop@example.com?subject=Salt%20%26%20pepper%3F&body=Hello%2C%0D%0Amore%20of%20it",
      "ada+shop@example.com",
    ],
    [{ to: "ada@example.com" }, "mailto:ada@example.com", "ada@example.com"],
  ],
  phone: [
    [{ number: "+44 20 7946 0958" }, "tel:+442079460958", "+44 20 7946 0958"],
    [{ number: "*100#" }, "tel:*100%23", "*100#"],
  ],
  sms: [
    [{ number: "+1 555 0100", message: "Table: 7; now" }, "SMSTO:+15550100:Table: 7; now", "+1 555 0100"],
    [{ number: "112" }, "SMSTO:112:", "112"],
  ],
  place: [
    [{ latitude: 52.5162746, longitude: 13.3777041 }, "geo:52.5162746,13.3777041", "52.5162746,13.3777041"],
    [
      { latitude: -33.8568, longitude: 0.0000001, name: "Opera & House" },
      "geo:-33.8568,0.0000001?q=-33.8568,0.0000001(Opera%20%26%20House)",
      "Opera & House",
    ],
    [{ latitude: -1e-9, longitude: 180 }, "geo:0,180", "0,180"],
  ],
  event: [
    [
      {
        title: "Tasting, with bread",
        start: "2030-05-01T18:00:00+02:00",
        end: "2030-05-01T19:30Z",
        location: "Hall 3; left",
        description: "Bring\nfriends",
      },
      lines(
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//qrelay//EN",
        "BEGIN:VEVENT",
        "UID:20300501T160000Z-2fb6f2d3@qrelay",
        "DTSTAMP:20300501T160000Z",
        "DTSTART:20300501T160000Z",
        "DTEND:20300501T193000Z",
        "SUMMARY:Tasting\\, with bread",
        "LOCATION:Hall 3\\; left",
        "DESCRIPTION:Bring\\nfriends",
        "END:VEVENT",
        "END:VCALENDAR",
      ),
      "Tasting, with bread",
    ],
    [
      { title: "Fair", start: "2028-02-28", end: "2028-02-29", all_day: true },
      lines(
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//qrelay//EN",
        "BEGIN:VEVENT",
        "UID:20280228T000000Z-1d7b9f0f@qrelay",
        "DTSTAMP:20280228T000000Z",
        "DTSTART;VALUE=DATE:20280228",
        "DTEND;VALUE=DATE:20280301",
        "SUMMARY:Fair",
        "END:VEVENT",
        "END:VCALENDAR",
      ),
      "Fair",
    ],
  ],
};
