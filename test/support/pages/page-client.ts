import { type Answer, Client } from "../client.ts";

/**
 * A browser that has a page of the service open: it keeps the cookie, and says with every request which page asks. Like
 * every client of the tests it holds answers against the documents.
 */
export class PageClient extends Client {
  cookie = "";
  readonly #from: Record<string, string>;

  constructor(url: string, from: Record<string, string> = {}) {
    super(url);
    this.#from = { origin: url, "sec-fetch-site": "same-origin", ...from };
  }

  override async call(
    method: string,
    path: string,
    options: Parameters<Client["call"]>[2] = {},
  ): Promise<Answer> {
    const headers = {
      ...(method === "GET" ? {} : this.#from),
      ...(this.cookie === "" ? {} : { cookie: this.cookie }),
      ...options.headers,
    };
    const answer = await super.call(method, `/dashboard/api${path}`, { ...options, headers });
    const set = answer.headers.get("set-cookie");
    if (set !== null) this.cookie = /Max-Age=0/.test(set) ? "" : set.split(";")[0]!;
    return answer;
  }
}
