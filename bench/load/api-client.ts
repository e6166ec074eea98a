/** The API as benches use it between slices. */
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

export interface ApiClient {
  create(fields: object): Promise<string>;
  renderStatus(id: string): Promise<string>;
  /** Resolves when the image of the code is there. */
  rendered(id: string, everyMs: number): Promise<void>;
  /** Slugs of the account's codes, newest first. */
  slugs(most: number): Promise<string[]>;
  text(path: string): Promise<string>;
  close(): void;
}

interface Answer {
  status: number;
  text: string;
}

const renderedMsMax = 120_000;
const sockets = 32;

export function openApi(url: string, key: string): ApiClient {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });

  function call(method: "GET" | "POST", path: string, json?: object): Promise<Answer> {
    const body = json === undefined ? "" : JSON.stringify(json);
    const headers = {
      "x-api-key": key,
      ...(json !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      }),
    };
    return new Promise((resolve, reject) => {
      const call = request(url + path, { method, agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part) => {
          text += part;
        });
        response.on("end", () => resolve({ status: response.statusCode!, text }));
        response.on("error", reject);
      });
      call.on("error", reject);
      call.end(body);
    });
  }

  async function json<T>(method: "GET" | "POST", path: string, body?: object): Promise<T> {
    const { status, text } = await call(method, path, body);
    if (status >= 300)
      throw new Error(`${method} ${path} was answered with ${status}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as T;
  }

  async function renderStatus(id: string): Promise<string> {
    return (await json<{ render_status: string }>("GET", `/v1/qr-codes/${id}`)).render_status;
  }

  return {
    renderStatus,
    async create(fields) {
      const { qr_id } = await json<{ qr_id: string }>("POST", "/v1/qr-codes", fields);
      return qr_id;
    },
    async rendered(id, everyMs) {
      for (const end = performance.now() + renderedMsMax; performance.now() < end; await pause(everyMs)) {
        if ((await renderStatus(id)) === "done") return;
      }
      throw new Error(`code ${id} was not rendered within ${renderedMsMax} ms`);
    },
    async slugs(most) {
      const found: string[] = [];
      let token: string | null = "";
      while (token !== null && found.length < most) {
        const query: string = token === "" ? "" : `&page_token=${encodeURIComponent(token)}`;
        const page: { items: { slug: string | null }[]; next_page_token: string | null } = await json(
          "GET",
          `/v1/qr-codes?page_size=100&status=active${query}`,
        );
        for (const { slug } of page.items) if (slug !== null) found.push(slug);
        token = page.next_page_token;
      }
      return found.slice(0, most);
    },
    async text(path) {
      return (await call("GET", path)).text;
    },
    close: () => agent.destroy(),
  };
}
