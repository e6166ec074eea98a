/** What the service says of itself: its documents and its health. */
import { unavailable } from "../domain/errors.ts";
import type { Call } from "./call.ts";
import { docsPage } from "./docs-page.ts";
import type { Reply } from "./exchange.ts";
import { adminOpenapiDocument, openapiDocument } from "./openapi.ts";
import { jsonType, success } from "./reply.ts";

const documents = new Map<string, string>();

/** Built on the first request and kept: it depends on nothing but the public address. */
function builtOnce(name: string, build: () => string): string {
  let text = documents.get(name);
  if (text === undefined) {
    text = build();
    documents.set(name, text);
  }
  return text;
}

export function getOpenapi({ services }: Call): Reply {
  const body = builtOnce(`openapi ${services.publicUrl}`, () =>
    JSON.stringify(openapiDocument(services.publicUrl)),
  );
  return { status: 200, headers: [jsonType], body };
}

export function getAdminOpenapi({ services }: Call): Reply {
  const body = builtOnce(`admin ${services.publicUrl}`, () =>
    JSON.stringify(adminOpenapiDocument(services.publicUrl)),
  );
  return { status: 200, headers: [jsonType], body };
}

export function getDocs({ services }: Call): Reply {
  const body = builtOnce(`docs ${services.publicUrl}`, () => docsPage(openapiDocument(services.publicUrl)));
  return {
    status: 200,
    headers: [
      ["content-type", "text/html; charset=utf-8"],
      ["content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:"],
    ],
    body,
  };
}

export function getHealth({ exchange }: Call): Reply {
  return success(exchange.requestId, { status: "alive" });
}

export async function getReadiness({ exchange, services }: Call): Promise<Reply> {
  const problems = await services.problems();
  if (problems.length === 0) return success(exchange.requestId, { status: "ready", engine: services.engine });
  throw unavailable(problems.join("; "));
}
