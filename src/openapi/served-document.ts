import type { Exchange } from "../http/exchange.ts";
import { jsonType, type Reply } from "../http/reply.ts";
import { StaticAnswer, type StaticContent } from "../http/static-answer.ts";
import type { OpenapiDocument } from "./document.ts";

type Handler = (call: { exchange: Exchange }, parts: { publicUrl(): string }) => Promise<Reply>;

/** Who serves a document: made once for the public address, the one thing that it depends on. */
export function servedDocument(
  make: (publicUrl: string) => OpenapiDocument,
  headers: StaticContent["headers"],
): Handler {
  const byUrl = new Map<string, StaticAnswer>();
  return ({ exchange }, parts) => {
    const publicUrl = parts.publicUrl();
    let answer = byUrl.get(publicUrl);
    if (answer === undefined) {
      const bytes = () => Buffer.from(JSON.stringify(make(publicUrl)));
      answer = new StaticAnswer(() => ({ contentType: jsonType[1], bytes: bytes(), headers }));
      byUrl.set(publicUrl, answer);
    }
    return answer.reply(exchange);
  };
}
