/**
 * Which room may import which: every arrow that there is, and no other. A room is a folder of `src`, or a file beside
 * them. A new arrow is written here first, where it is seen whether it points down.
 */
const arrows = {
  // What everything stands on.
  limits: [],
  runtime: [],
  engine: ["limits", "runtime"],
  domain: ["limits", "runtime"],
  visitor: ["limits", "runtime", "domain"],
  // Documents and who keeps them.
  store: ["limits", "runtime", "domain"],
  schema: ["engine", "domain", "store"],
  cluster: ["limits", "runtime", "domain", "store"],
  account: ["limits", "runtime", "domain", "store"],
  people: ["limits", "runtime", "domain", "store", "account"],
  // Scans.
  link: ["limits", "runtime", "domain", "store"],
  analytics: ["limits", "runtime", "domain", "store", "link"],
  scan: ["limits", "runtime", "domain", "store", "link", "analytics"],
  // Pictures, safety, figures.
  render: ["limits", "runtime", "domain", "store"],
  workers: ["domain", "render"],
  safety: ["limits", "runtime", "domain", "store", "account"],
  metrics: ["store", "account"],
  // HTTP.
  http: ["limits", "runtime", "engine", "domain", "visitor", "store", "schema"],
  redirect: ["limits", "runtime", "engine", "domain", "visitor", "link", "analytics", "scan", "http"],
  openapi: ["limits", "domain", "schema", "http"],
  door: ["limits", "runtime", "engine", "domain", "visitor", "store", "account", "people", "link", "http"],
  api: [
    "limits",
    "runtime",
    "engine",
    "domain",
    "store",
    "schema",
    "account",
    "link",
    "safety",
    "metrics",
    "http",
    "openapi",
    "people",
    "door",
  ],
  // In browsers: nothing of it may need Node, which its bundle sees to.
  dashboard: ["limits", "domain", "schema", "workers"],
  "dashboard-api": [
    "limits",
    "runtime",
    "domain",
    "visitor",
    "store",
    "schema",
    "account",
    "people",
    "link",
    "http",
    "openapi",
    "door",
    "api",
  ],
  // The process.
  config: ["engine", "domain", "visitor", "store", "cluster", "door"],
  service: [
    "limits",
    "runtime",
    "engine",
    "domain",
    "visitor",
    "store",
    "schema",
    "cluster",
    "account",
    "people",
    "link",
    "scan",
    "render",
    "safety",
    "metrics",
    "redirect",
    "door",
    "api",
    "dashboard-api",
    "config",
  ],
  cli: ["limits", "runtime", "engine", "domain", "store", "schema", "cluster", "scan", "config", "service"],
  main: ["cli"],
};

const folder = (room) => (room === "workers" ? "^workers/" : `^src/${room}(/|[.]ts$)`);
const ours = "^(src|workers|bench|test|scripts)/";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  allowed: [
    ...Object.entries(arrows).map(([room, others]) => ({
      from: { path: folder(room) },
      to: { path: [room, ...others].map(folder) },
    })),
    // Packages, and what is no module of ours.
    { from: {}, to: { pathNot: ours } },
  ],
  allowedSeverity: "error",
  forbidden: [
    {
      name: "no-circle",
      comment: "Two files that import each other are one file, or have a third thing in common.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: ["node_modules", "package[.]json"] },
    exclude: { path: "src/schema/generated" },
  },
};
