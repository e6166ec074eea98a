/** What the service says of itself: its documents and its health. */
import { unavailable } from "../domain/errors.ts";
import type { Call } from "./call.ts";
import { readableByAnySite } from "./cross-origin.ts";
import type { Reply } from "./exchange.ts";
import { adminOpenapiDocument, type OpenapiDocument, openapiDocument } from "./openapi.ts";
import { jsonType, success } from "./reply.ts";
import { StaticAnswer, type StaticContent } from "./static-answer.ts";

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
