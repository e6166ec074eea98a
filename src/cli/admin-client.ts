import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { adminTokenPath } from "../service/admin-token.ts";
import { CommandError, UsageError } from "./command-error.ts";

export type Json = Record<string, unknown>;

/** Talks to the service on this machine, with the token that the service keeps in its data folder. */
export class AdminClient {
  readonly #url: string;
  /** Read when it is needed: not every command talks to the service. */
  readonly #token: () => string;

  constructor(env: NodeJS.ProcessEnv, url: string | undefined) {
    this.#url = (url ?? localAddress(env)).replace(/\/+$/, "");
    if (!URL.canParse(this.#url))
      throw new UsageError(`--url ${this.#url}: it must be like http://127.0.0.1:3000`);
    this.#token = () => env.ADMIN_TOKEN?.trim() || readToken(resolve(env.DATA_DIR?.trim() || "./data"));
  }

  async call(method: string, path: string, body?: object): Promise<Json> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { authorization: `Bearer ${this.#token()}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((cause: Error) => {
      throw new CommandError(
        `no answer from ${this.#url} (${reason(cause)}): is the service running? Use --url to name it`,
      );
    });
    const answer = (await response.json().catch(() => null)) as Json | null;
    if (typeof answer?.ok !== "boolean") {
      throw new CommandError(`what answers at ${this.#url} is not qrelay. Use --url to name the service`);
    }
    if (response.status === 401) {
      throw new CommandError(
        `${this.#url} does not take this admin token: set DATA_DIR to its data folder, or ADMIN_TOKEN`,
      );
    }
    if (!answer.ok) throw new CommandError(`${String(answer.message)} (${String(answer.code)})`);
    const { ok: _ok, version: _version, request_id: _id, ...fields } = answer;
    return fields;
  }

  async items(path: string): Promise<Json[]> {
    const items: Json[] = [];
    for (let token: unknown = ""; ; ) {
      const page = await this.call(
        "GET",
        `${path}?page_size=100${token ? `&page_token=${String(token)}` : ""}`,
      );
      items.push(...(page.items as Json[]));
      token = page.next_page_token ?? null;
      if (token === null) return items;
    }
  }
}

/** Where the service listens when it has the same environment. */
function localAddress(env: NodeJS.ProcessEnv): string {
  const host = env.HOST?.trim() || "127.0.0.1";
  return `http://${host.includes(":") ? `[${host}]` : host}:${env.PORT?.trim() || 3000}`;
}

function readToken(dataDir: string): string {
  try {
    return readFileSync(adminTokenPath(dataDir), "utf8").trim();
  } catch {
    throw new CommandError(
      `no admin token in ${dataDir}: set DATA_DIR to the service's data folder, or ADMIN_TOKEN`,
    );
  }
}

function reason(cause: Error): string {
  const inner = cause.cause as { code?: string } | undefined;
  return inner?.code ?? cause.message;
}
