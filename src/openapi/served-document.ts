import type { Exchange } from "../http/exchange.ts";
import { jsonType, type Reply } from "../http/reply.ts";
import { StaticAnswer, type StaticContent } from "../http/static-answer.ts";
import type { OpenapiDocument } from "./document.ts";

/** A document as it is served: made once for the public address, the one thing that it depends on. */
export class ServedDocument {
  readonly #byUrl = new Map<string, StaticAnswer>();
  readonly #make: (publicUrl: string) => OpenapiDocument;
  readonly #headers: StaticContent["headers"];

  constructor(make: (publicUrl: string) => OpenapiDocument, headers: StaticContent["headers"]) {
    this.#make = make;
    this.#headers = headers;
  }

  readonly handler = (
    { exchange }: { exchange: Exchange },
    { publicUrl }: { publicUrl: string },
  ): Promise<Reply> => this.#at(publicUrl).reply(exchange);

  #at(publicUrl: string): StaticAnswer {
    let answer = this.#byUrl.get(publicUrl);
    if (answer === undefined) {
      answer = new StaticAnswer(() => ({
        contentType: jsonType[1],
        bytes: Buffer.from(JSON.stringify(this.#make(publicUrl))),
        headers: this.#headers,
      }));
      this.#byUrl.set(publicUrl, answer);
    }
    return answer;
  }
}
