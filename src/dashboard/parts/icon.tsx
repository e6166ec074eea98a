/** Line drawings on a grid of 24, all with the same stroke. They say nothing to a screen reader: words beside them do. */
const shapes = {
  overview: "M4 19V9m5.3 10V5m5.4 14v-7M20 19V8",
  code: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2",
  project:
    "M3 7.5A1.5 1.5 0 0 1 4.5 6h4l2 2.5h9A1.5 1.5 0 0 1 21 10v7.5a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5z",
  key: "M14.5 9.5a4.5 4.5 0 1 1-3.2 7.7 4.5 4.5 0 0 1 3.2-7.7M11.3 13.5 4 6.2M7 9.2l-2 2M4 6.2l2-2",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.2a6.5 6.5 0 0 1 3.5 5.8",
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 20.5a8 8 0 0 1 16 0",
  operator: "M4 5h16v6H4zM4 13h16v6H4zM7.5 8h.01M7.5 16h.01",
  trend: "m3.5 16.500 5.5-6 4 3.500 7.500-8M15.500 6h5v5",
  table: "M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14",
  plus: "M12 5v14M5 12h14",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M20 20l-4-4",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "m5 12.5 4.5 4.5L19 7.5",
  cross: "M6 6l12 12M18 6 6 18",
  up: "m6 15 6-6 6 6",
  down: "m6 9 6 6 6-6",
  left: "m15 6-6 6 6 6",
  right: "m9 6 6 6-6 6",
  menu: "M4 7h16M4 12h16M4 17h16",
  archive: "M4 8v11h16V8M3 4h18v4H3zM10 12h4",
  restore: "M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5",
  download: "M12 4v11m-4.5-4 4.5 4.5 4.5-4.5M4 20h16",
  print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2",
  out: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 11v5M12 8h.01",
  warning: "M12 4 2.5 20h19zM12 10v4.5M12 17.3h.01",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 1 1 9.5 4a6.8 6.8 0 0 0 10.5 10.5",
  screen: "M3 5h18v11H3zM9 20h6M12 16v4",
  leave: "M9 4H5v16h4M15 8l4 4-4 4M19 12H9",
  trash: "M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5M14 11v5",
  edit: "m4 20 .8-4L16 4.8a1.8 1.8 0 0 1 2.6 0l.6.6a1.8 1.8 0 0 1 0 2.6L8 19.2z",
  star: "m12 4 2.5 5.2 5.5.8-4 4 1 5.7-5-2.8-5 2.8 1-5.7-4-4 5.5-.8z",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l3.5 2",
  phone:
    "M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3M11 18h2",
  text: "M5 6V4.5h14V6M12 4.5v15M9 19.5h6",
  contact: "M4 5h16v14H4zM9 12.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4M6 16.5a3 3 0 0 1 6 0M15 10h2.5M15 14h2.5",
  wifi: "M3 9.5a13 13 0 0 1 18 0M6 13a8.5 8.5 0 0 1 12 0M9 16.3a4.3 4.3 0 0 1 6 0M12 19.5h.01",
  email: "M3.5 6h17v12h-17zM4 6.5l8 6.5 8-6.5",
  call: "M5 4h4l1.5 4.5L8 10.3a12 12 0 0 0 5.7 5.7l1.8-2.5L20 15v4a1.5 1.5 0 0 1-1.6 1.5A15.5 15.5 0 0 1 3.5 5.6 1.5 1.5 0 0 1 5 4",
  message: "M4 5h16v11H10l-4.5 4v-4H4z",
  pin: "M12 21c4.5-4.7 7-8.2 7-11a7 7 0 0 0-14 0c0 2.8 2.5 6.3 7 11M12 12.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5",
  event: "M4 6h16v14H4zM4 10.500h16M8.5 3.500V8M15.5 3.500V8",
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}

/** Three corners of a code, and the way that it opens. */
export function Mark() {
  return (
    <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path
        fill-rule="evenodd"
        d="M4.5 2h4A2.5 2.5 0 0 1 11 4.500v4A2.5 2.5 0 0 1 8.5 11h-4A2.5 2.5 0 0 1 2 8.500v-4A2.5 2.5 0 0 1 4.5 2m.5 3v3h3V5zM15.5 2h4A2.5 2.5 0 0 1 22 4.500v4a2.5 2.5 0 0 1-2.5 2.500h-4A2.5 2.5 0 0 1 13 8.500v-4A2.5 2.5 0 0 1 15.5 2m.5 3v3h3V5zM4.5 13h4a2.5 2.5 0 0 1 2.5 2.500v4A2.5 2.5 0 0 1 8.5 22h-4A2.5 2.5 0 0 1 2 19.500v-4A2.5 2.5 0 0 1 4.5 13m.5 3v3h3v-3z"
      />
      <path d="M13 14.500a1.5 1.5 0 0 1 1.5-1.500h6a1.5 1.5 0 0 1 1.5 1.500v6a1.5 1.5 0 0 1-3 0v-2.400l-3.4 3.400a1.5 1.5 0 0 1-2.1-2.100l3.4-3.400h-2.400a1.5 1.5 0 0 1-1.5-1.5" />
    </svg>
  );
}
