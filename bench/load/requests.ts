/** The requests that the load sends: scans as phones and desktops send them, and calls of the API. */

export interface LoadRequest {
  method: "GET" | "HEAD" | "POST" | "PATCH";
  path: string;
  headers: Record<string, string>;
  body: string;
}

const userAgents = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0.7204.53 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Linux; Android 13; SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (iPad; CPU OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
];

export function scanRequests(slugs: readonly string[], method: "GET" | "HEAD" = "GET"): LoadRequest[] {
  return slugs.map((slug, at) => ({
    method,
    path: `/${slug}`,
    headers: { "user-agent": userAgents[at % userAgents.length]!, accept: "text/html,*/*;q=0.8" },
    body: "",
  }));
}

export function apiRequest(
  key: string,
  path: string,
  json?: object,
  method: LoadRequest["method"] = json === undefined ? "GET" : "POST",
): LoadRequest {
  const body = json === undefined ? "" : JSON.stringify(json);
  return {
    method,
    path,
    headers: { "x-api-key": key, ...(json !== undefined && { "content-type": "application/json" }) },
    body,
  };
}

/** As it goes over the wire. */
export function rawRequest({ method, path, headers, body }: LoadRequest, host: string): string {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (method === "POST" || method === "PATCH") lines.push(`content-length: ${Buffer.byteLength(body)}`);
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** What clients that create codes send. */
export const creation = {
  name: "Spring menu, table 12",
  redirect_url: "https://shop.example.com/menus/spring?table=12",
  type: "url",
};
