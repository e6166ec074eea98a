/** What a handler gets: the request after its door checks, and the parts of the service it may use. */
import type { Admission } from "../account/account-actor.ts";
import type { Directory } from "../account/directory.ts";
import type { MetricsAccess } from "../config.ts";
import type { Plans } from "../domain/account/plans.ts";
import type { FieldRules } from "../domain/code/code-fields.ts";
import { ApiError } from "../domain/errors.ts";
import type { AdminGuard } from "../door/admin-guard.ts";
import type { EngineName } from "../engine/engine.ts";
import type { Exchange, Reply } from "../http/exchange.ts";
import type { Links } from "../link/links.ts";
import type { SlugReservations } from "../link/slug-reservations.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Random } from "../runtime/random.ts";
import type { RemotePolicy } from "../safety/remote-check.ts";
import type { RescanResult } from "../safety/rescan.ts";
import type { Store } from "../store/store.ts";
import type { TrustedProxies } from "../visitor/client-address.ts";
import type { PageTokens } from "./list-pages.ts";
import type { SearchTurns } from "./search-turns.ts";

export interface Services {
  store: Store;
  directory: Directory;
  links: Links;
  renders: { isRendering(codeId: string): boolean };
  slugs: SlugReservations;
  fields: FieldRules;
  safety: { rescan(): Promise<RescanResult> };
  plans: Plans;
  tokens: PageTokens;
  searches: SearchTurns;
  publicUrl: string;
  adminGuard: AdminGuard;
  metricsAccess: MetricsAccess;
  /** Null when no remote service is asked about URLs. */
  remoteCheck: RemotePolicy | null;
  trustedProxies: TrustedProxies;
  metrics: Metrics;
  clock: Clock;
  random: Random;
  log: Log;
  engine: EngineName;
  /** What keeps the service from being ready; empty when nothing does. */
  problems(): Promise<string[]>;
}

export interface Call {
  exchange: Exchange;
  services: Services;
  /** Reads and checks the body's form. */
  json(): Promise<{ value: unknown; bytes: Uint8Array }>;
}

export interface KeyCall extends Call {
  admission: Admission;
  accountId: string;
}

export type Handler<C extends Call = Call> = (call: C) => Promise<Reply> | Reply;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The body as JSON. An absent body is an empty object where the route allows it. */
export async function readJson(
  exchange: Exchange,
  absentAllowed: boolean,
): Promise<{ value: unknown; bytes: Uint8Array }> {
  const body = await exchange.body();
  if (body === "too large") throw new ApiError("payload_too_large");
  if (body === "aborted") throw new ApiError("invalid_payload", "The request was aborted.");
  const { bytes } = body;
  if (bytes.length === 0 && absentAllowed) return { value: {}, bytes };
  if (!isJson(exchange.header("content-type"))) {
    throw new ApiError("invalid_payload", "Content-Type must be application/json");
  }
  try {
    return { value: JSON.parse(decoder.decode(bytes)), bytes };
  } catch {
    throw new ApiError("invalid_payload", "The body is not valid JSON.");
  }
}

function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.toLowerCase().split(";");
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith("charset="));
  return (
    type!.trim() === "application/json" && (charset === undefined || /^charset="?utf-8"?$/.test(charset))
  );
}
