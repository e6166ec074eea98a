/** What the service says of itself: its documents and its health. */
import { unavailable } from "../domain/errors.ts";
import { readableByAnySite } from "../http/cross-origin.ts";
import type { Reply } from "../http/exchange.ts";
import { jsonType, success } from "../http/reply.ts";
import { StaticAnswer, type StaticContent } from "../http/static-answer.ts";
import { adminOpenapiDocument, type OpenapiDocument, openapiDocument } from "../openapi/document.ts";
import type { Call } from "./call.ts";

/** By the public address, the one thing that a document depends on. */
class Documents {
  readonly #byUrl = new Map<string, StaticAnswer>();
  readonly #build: (publicUrl: string) => OpenapiDocument;
  readonly #headers: StaticContent["headers"];

  constructor(build: (publicUrl: string) => OpenapiDocument, headers: StaticContent["headers"]) {
    this.#build = build;
    this.#headers = headers;
  }

  of(publicUrl: string): StaticAnswer {
    let answer = this.#byUrl.get(publicUrl);
    if (answer === undefined) {
      answer = new StaticAnswer(() => ({
        contentType: jsonType[1],
        bytes: Buffer.from(JSON.stringify(this.#build(publicUrl))),
        headers: this.#headers,
      }));
      this.#byUrl.set(publicUrl, answer);
    }
    return answer;
  }
}

const documents = new Documents(openapiDocument, [["cache-control", "no-cache"], ...readableByAnySite]);
const adminDocuments = new Documents(adminOpenapiDocument, []);

export function getOpenapi({ exchange, services }: Call): Promise<Reply> {
  return documents.of(services.publicUrl).reply(exchange);
}

export function getAdminOpenapi({ exchange, services }: Call): Promise<Reply> {
  return adminDocuments.of(services.publicUrl).reply(exchange);
}

export function getHealth({ exchange }: Call): Reply {
  return success(exchange.requestId, { status: "alive" });
}

export async function getReadiness({ exchange, services }: Call): Promise<Reply> {
  const problems = await services.problems();
  if (problems.length === 0) return success(exchange.requestId, { status: "ready", engine: services.engine });
  throw unavailable(problems.join("; "));
}
