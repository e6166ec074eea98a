/** One HTTP request as it is asked for, and its answer as it comes: nothing is followed, unpacked or kept open. */
import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request } from "node:http";
import { buffer } from "node:stream/consumers";

export interface Called {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  body: string;
}

/** The path may also be among the options, where it is taken as it is. */
export async function call(
  url: string,
  options: RequestOptions = {},
  parts: readonly string[] = [],
): Promise<Called> {
  const sent = request(url, { agent: false, ...options });
  for (const part of parts) sent.write(part);
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const bytes = await buffer(answer);
  return { status: answer.statusCode!, headers: answer.headers, bytes, body: bytes.toString() };
}
