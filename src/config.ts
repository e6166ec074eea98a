/** Environment → a frozen configuration, checked. The first malformed value throws; nothing is guessed. */
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { type BusTls, parseBusAddress } from "./cluster/bus/tcp-network.ts";
import { builtInPlans, type Plans, parsePlans } from "./domain/account/plans.ts";
import { type MetricsAccess, metricsAccesses } from "./door/access.ts";
import { type EngineChoice, engineChoices } from "./engine/engine.ts";
import { isMongoUrl, mongoUrlForm, withoutPassword } from "./store/mongo/url.ts";
import { noTrustedProxies, parseTrustedProxies, type TrustedProxies } from "./visitor/client-address.ts";

export interface Config {
  host: string;
  port: number;
  httpEngine: EngineChoice;
  /** Null: `http://localhost:{port}`, known once the server listens. */
  publicUrl: string | null;
  dataDir: string;
  mongodbUrl: string | null;
  /** Null when this process does not serve together with others. */
  cluster: ClusterConfig | null;
  /** Null: kept in `dataDir`. */
  adminToken: string | null;
  metrics: MetricsAccess;
  /** Opens `/metrics` beside the admin token; null for none. */
  metricsToken: string | null;
  plans: Plans;
  blockListFile: string | null;
  /** A remote service that is asked about URLs, null for none. */
  safetyCheck: { url: string; key: string | null; fail: "open" | "closed" } | null;
  trustedProxies: TrustedProxies;
  countryHeader: string | null;
  geoipDb: string | null;
  /** Milliseconds between syncs of the scan journal, or `always`. */
  scanSync: number | "always";
  renderThreads: number;
  logLevel: string;
  accessLog: (typeof accessLogKinds)[number];
  /** The share of scans that the access log has, when it has any. */
  accessLogSample: number;
  bootstrap: boolean;
}

export interface ClusterConfig {
  /** Where other members reach this process, and where it listens for them. */
  address: string;
  /** Null for connections in the clear. */
  tls: BusTls | null;
}

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
const accessLogKinds = ["off", "api", "all"] as const;

/** Variables that hold secrets, or can: their values are shown to nobody, least of all when they are misspelt. */
const secretNames: ReadonlySet<string> = new Set([
  "ADMIN_TOKEN",
  "METRICS_TOKEN",
  "MONGODB_URL",
  "SAFETY_CHECK_KEY",
  "SAFETY_CHECK_URL",
]);

/**
 * A value that cannot be used. The message is one line with the variable, what is allowed and, when it is no secret,
 * the value.
 */
export class ConfigError extends Error {
  override name = "ConfigError";

  constructor(message: string) {
    // Values, and what a parser quotes of a file, can have lines of their own.
    super(message.replaceAll(/\s+/g, " "));
  }
}

export function readConfig(env: NodeJS.ProcessEnv): Readonly<Config> {
  const text = (name: string): string | null => env[name]?.trim() || null;
  const read = <T>(name: string, allowed: string, parse: (value: string) => T | undefined): T | null => {
    const value = text(name);
    if (value === null) return null;
    const parsed = parse(value);
    if (parsed === undefined) {
      const shown = secretNames.has(name) ? name : `${name}=${withoutPassword(value)}`;
      throw new ConfigError(`${shown} is not usable: it must be ${allowed}`);
    }
    return parsed;
  };
  const oneOf = <T extends string>(name: string, choices: readonly T[]): T | null =>
    read(name, `one of ${choices.join(", ")}`, (value) => choices.find((choice) => choice === value));
  const file = <T>(name: string, parse: (text: string) => T): T | null => {
    const path = text(name);
    if (path === null) return null;
    try {
      return parse(readFileSync(path, "utf8"));
    } catch (cause) {
      throw new ConfigError(`${name}=${path} is not usable: ${(cause as Error).message}`);
    }
  };
  const readable = (name: string): string | null => (file(name, () => null) === null && text(name)) || null;

  return Object.freeze({
    host:
      read("HOST", "an address or a host name without scheme and port", (value) =>
        isIP(value) !== 0 || /^[A-Za-z0-9.-]+$/.test(value) ? value : undefined,
      ) ?? "127.0.0.1",
    port: read("PORT", "a port from 0 to 65535", (value) => wholeNumber(value, 0, 65_535)) ?? 3000,
    httpEngine: oneOf("HTTP_ENGINE", engineChoices) ?? "auto",
    publicUrl: read(
      "PUBLIC_URL",
      "an http or https origin without a path, like https://qr.example.com",
      parseOrigin,
    ),
    dataDir: resolve(text("DATA_DIR") ?? "./data"),
    mongodbUrl: read("MONGODB_URL", mongoUrlForm, (value) => (isMongoUrl(value) ? value : undefined)),
    cluster: readCluster(read, file, text("MONGODB_URL") !== null),
    adminToken: read("ADMIN_TOKEN", tokenForm, parseToken),
    metrics: oneOf("METRICS", metricsAccesses) ?? "token",
    metricsToken: read("METRICS_TOKEN", tokenForm, parseToken),
    plans: file("PLANS_FILE", parsePlans) ?? builtInPlans,
    blockListFile: readable("BLOCKLIST_FILE"),
    safetyCheck: readSafetyCheck(read),
    trustedProxies:
      read("TRUSTED_PROXIES", "a comma-separated list of addresses and CIDR ranges", (value) =>
        orUndefined(() => parseTrustedProxies(value)),
      ) ?? noTrustedProxies,
    countryHeader: read("COUNTRY_HEADER", "a header name", (value) =>
      /^[A-Za-z0-9-]+$/.test(value) ? value.toLowerCase() : undefined,
    ),
    geoipDb: readable("GEOIP_DB"),
    scanSync:
      read("SCAN_SYNC", 'milliseconds from 1 to 60000, or "always"', (value) =>
        value === "always" ? value : wholeNumber(value, 1, 60_000),
      ) ?? 100,
    renderThreads:
      read("RENDER_THREADS", "a number from 1 to 64", (value) => wholeNumber(value, 1, 64)) ??
      Math.max(1, availableParallelism() - 1),
    logLevel: oneOf("LOG_LEVEL", logLevels) ?? "info",
    accessLog: oneOf("ACCESS_LOG", accessLogKinds) ?? "off",
    accessLogSample: read("ACCESS_LOG_SAMPLE", "a share of the scans, from 0 to 1", share) ?? 0.01,
    bootstrap: read("QRELAY_BOOTSTRAP", '"on" or "off"', onOrOff) ?? true,
  });
}

type Read = <T>(name: string, allowed: string, parse: (value: string) => T | undefined) => T | null;

type ReadFile = <T>(name: string, parse: (text: string) => T) => T | null;

/** Half of it is a mistake: a process that was meant to serve with others would stand by, or speak in the clear. */
function readCluster(read: Read, file: ReadFile, hasMongodb: boolean): ClusterConfig | null {
  const isOn = read("CLUSTER", '"on" or "off"', onOrOff) ?? false;
  const address = read("CLUSTER_ADDRESS", "a host and a port, like member-1.example.com:7000", (value) =>
    parseBusAddress(value) === null ? undefined : value,
  );
  const whole = (text: string) => text;
  const cert = file("CLUSTER_CERT", whole);
  const key = file("CLUSTER_KEY", whole);
  const ca = file("CLUSTER_CA", whole);
  const isPlain = cert === null && key === null && ca === null;
  if (!isPlain && (cert === null || key === null || ca === null)) {
    throw new ConfigError("CLUSTER_CERT, CLUSTER_KEY and CLUSTER_CA are of use together only");
  }
  if (!isOn) return null;
  if (!hasMongodb) throw new ConfigError("CLUSTER=on needs MONGODB_URL: members share a database");
  if (address === null)
    throw new ConfigError("CLUSTER=on needs CLUSTER_ADDRESS: where others reach this process");
  return { address, tls: isPlain ? null : { cert: cert!, key: key!, ca: ca! } };
}

function onOrOff(value: string): boolean | undefined {
  return value === "on" ? true : value === "off" ? false : undefined;
}

function readSafetyCheck(read: Read): Config["safetyCheck"] {
  const url = read("SAFETY_CHECK_URL", "an http or https URL without a user name or password", (value) =>
    /^https?:\/\/[^@]*$/.test(value) && URL.canParse(value) ? value : undefined,
  );
  // What cannot be sent as a header would be quoted by whoever refuses to send it.
  const key = read("SAFETY_CHECK_KEY", "printable characters without spaces", (value) =>
    /^[\x21-\x7e]+$/.test(value) ? value : undefined,
  );
  const fail = read("SAFETY_CHECK_FAIL", '"open" or "closed"', (value) =>
    value === "open" || value === "closed" ? value : undefined,
  );
  return url === null ? null : { url, key, fail: fail ?? "open" };
}

const tokenForm = "at least 16 printable characters without spaces";

function parseToken(value: string): string | undefined {
  return /^[\x21-\x7e]{16,}$/.test(value) ? value : undefined;
}

function wholeNumber(value: string, least: number, most: number): number | undefined {
  const number = Number(value);
  return /^\d+$/.test(value) && number >= least && number <= most ? number : undefined;
}

function share(value: string): number | undefined {
  return /^\d*\.?\d+$/.test(value) && Number(value) <= 1 ? Number(value) : undefined;
}

function parseOrigin(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  const bare = url.href === `${url.origin}/`;
  return bare && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

function orUndefined<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
