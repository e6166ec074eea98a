import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { assertInContract } from "./contract.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers; the contract check vouches for their shape.
export type Json = any;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Json;
}

interface CallOptions {
  json?: unknown;
  raw?: string;
  status?: number | undefined;
  headers?: Record<string, string> | undefined;
}

/** An HTTP client that holds every answer against the OpenAPI document. */
export class Client {
  readonly url: string;
  readonly #headers: Record<string, string>;
  /** For so long it asks again when it gets 503 instead of what is expected. */
  readonly patienceMs: number;

  constructor(url: string, headers: Record<string, string> = {}, patienceMs = 0) {
    this.url = url;
    this.#headers = headers;
    this.patienceMs = patienceMs;
  }

  get(path: string, status?: number, headers?: Record<string, string>): Promise<Answer> {
    return this.call("GET", path, { status, headers });
  }

  post(path: string, json: unknown, status?: number, headers?: Record<string, string>): Promise<Answer> {
    return this.call("POST", path, { json, status, headers });
  }

  patch(path: string, json: unknown, status?: number): Promise<Answer> {
    return this.call("PATCH", path, { json, status });
  }

  delete(path: string, status?: number): Promise<Answer> {
    return this.call("DELETE", path, { status });
  }

  /** Asserts the status when one is given. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { status } = options;
    const end = performance.now() + this.patienceMs;
    let answer = await this.#callOnce(method, path, options);
    while (status !== undefined && answer.status === 503 && status !== 503 && performance.now() < end) {
      await sleep(500);
      answer = await this.#callOnce(method, path, options);
    }
    if (status !== undefined) {
      assert.equal(answer.status, status, `${method} ${path} answered ${answer.status}: ${answer.text}`);
    }
    return answer;
  }

  async #callOnce(method: string, path: string, options: CallOptions): Promise<Answer> {
    const payload = options.raw ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
    const response = await fetch(this.url + path, {
      method,
      redirect: "manual",
      headers: {
        ...this.#headers,
        ...(payload === undefined ? {} : { "content-type": "application/json" }),
        ...options.headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    const body = isJson && text !== "" ? JSON.parse(text) : null;
    const answer = { status: response.status, headers: response.headers, text, body };
    assertInContract({ method, path, status: answer.status, headers: answer.headers, body: body ?? text });
    return answer;
  }

  /** Creates a code; the fields are merged into a valid body. */
  async createCode(fields: object = {}): Promise<Json> {
    const body = { redirect_url: "https://example.com/target", ...fields };
    return (await this.post("/v1/qr-codes", body, 201)).body;
  }

  /** Creates a code and waits until its image and link are there. */
  async createRendered(fields: object = {}): Promise<Json> {
    return this.rendered((await this.createCode(fields)).qr_id);
  }

  /** `query` chooses among them, and ends with `&`. */
  async allCodes(query = ""): Promise<Json[]> {
    const codes: Json[] = [];
    for (let token: string | null = ""; token !== null; ) {
      const { body } = await this.get(`/v1/qr-codes?${query}page_size=100&page_token=${token}`, 200);
      codes.push(...body.items);
      token = body.next_page_token;
    }
    return codes;
  }

  async rendered(id: string): Promise<Json> {
    const deadline = Date.now() + 60_000;
    // Ever less often: on a clock that stands still the limits of a second never come back.
    for (let pauseMs = 10; Date.now() < deadline; pauseMs = Math.min(1.3 * pauseMs, 1_000)) {
      const { body } = await this.get(`/v1/qr-codes/${id}`, 200);
      if (body.render_status === "done") return body;
      assert.notEqual(body.render_status, "error", body.render_error);
      await sleep(pauseMs);
    }
    throw new Error(`${id} was not rendered in time`);
  }
}

/** An error answer with the given status and code. */
export function assertRefused(answer: Answer, status: number, code: string, message?: RegExp): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.body.code, code, answer.text);
  if (message !== undefined) assert.match(answer.body.message, message);
}
