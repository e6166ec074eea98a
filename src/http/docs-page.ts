/** An OpenAPI document as one page of HTML: no script, no outside host, readable without style. */
import type { Schema } from "../schema/components.ts";
import { nameOfRef } from "../schema/components.ts";
import { docsStyle } from "./docs-style.ts";
import type { DocumentedOperation, DocumentedResponse, OpenapiDocument } from "./openapi.ts";

/** Markup that is already safe to send; everything else is escaped on its way into a template. */
class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = Html | string | number | readonly Part[];

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeText = (text: string) => text.replaceAll(/[&<>"']/g, (char) => entities[char]!);

function markupOf(part: Part): string {
  if (part instanceof Html) return part.markup;
  if (typeof part === "object") return part.map(markupOf).join("");
  return escapeText(String(part));
}

function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, at) => text + (at < parts.length ? markupOf(parts[at]!) : "")).join(""));
}

const nothing = html``;

/** The little Markdown that descriptions use: paragraphs and code. */
function inline(text: string): Part {
  return text.split("`").map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : piece));
}

const paragraphs = (text = "") =>
  text.split("\n\n").map((each) => (each ? html`<p>${inline(each)}</p>` : nothing));
const json = (value: unknown) => html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;

function bounds(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, exclusiveMinimum } = schema;
  const said: string[] = [];
  if (maxLength !== undefined) said.push(`${minLength ?? 0} to ${maxLength} characters`);
  if (minimum !== undefined && maximum !== undefined) {
    said.push(exclusiveMinimum ? `above ${minimum}, at most ${maximum}` : `${minimum} to ${maximum}`);
  } else if (minimum !== undefined) said.push(`at least ${minimum}`);
  if (maxItems !== undefined) said.push(`${minItems ?? 0} to ${maxItems} entries`);
  return said.join(", ");
}

function typeName(schema: Schema): Part {
  if (schema.$ref) {
    const name = nameOfRef(schema.$ref);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.allOf) return typeName(schema.allOf[0]!);
  if (schema.oneOf) return schema.oneOf.map((each, at) => [at === 0 ? "" : " or ", typeName(each)]);
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null);
    return values.map((value, at) => [at === 0 ? "" : ", ", html`<code>${String(value)}</code>`]);
  }
  if (schema.type === "array") return ["array of ", typeName(schema.items!)];
  return schema.title ?? schema.format ?? schema.type ?? "any";
}

function typeOf(schema: Schema): Part {
  const limits = bounds(schema);
  return [
    typeName(schema),
    schema.nullable ? " or null" : "",
    limits ? html`<br><span class="soft">${limits}</span>` : nothing,
  ];
}

function table(headings: readonly string[], rows: readonly (readonly Part[])[]): Html {
  const head = headings.map((heading) => html`<th scope="col">${heading}</th>`);
  const body = rows.map(([first, ...rest]) => {
    const cells = rest.map((cell) => html`<td>${cell}</td>`);
    return html`<tr><th scope="row">${first!}</th>${cells}</tr>`;
  });
  return html`<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function named(name: string, required: boolean | undefined): Part {
  return [html`<code>${name}</code>`, required ? html` <span class="soft">required</span>` : nothing];
}

function parametersOf({ parameters }: DocumentedOperation): Html {
  if (!parameters?.length) return nothing;
  const rows = parameters.map((each) => [
    named(each.name, each.required),
    each.in,
    typeOf(each.schema),
    inline(each.description),
  ]);
  return html`<h4>Parameters</h4>${table(["Name", "In", "Type", "Meaning"], rows)}`;
}

function requestOf({ requestBody }: DocumentedOperation): Html {
  const content = requestBody?.content["application/json"];
  if (!content) return nothing;
  const examples = Object.values(content.examples).map(
    ({ summary, value }) => html`<details><summary>${summary}</summary>${json(value)}</details>`,
  );
  return html`<h4>Body</h4><p>${typeName(content.schema)}, as JSON.</p>${examples}`;
}

function successOf(status: string, response: DocumentedResponse): Html {
  const contents = Object.entries(response.content ?? {});
  const kinds = contents.map(([type, { schema }], at) => [
    at === 0 ? " " : ", ",
    type === "application/json" && schema.$ref ? typeName(schema) : html`<code>${type}</code>`,
  ]);
  const names = Object.keys(response.headers ?? {}).map((name, at) => [
    at === 0 ? "" : ", ",
    html`<code>${name}</code>`,
  ]);
  const headers = names.length > 0 ? html`<p class="soft">Headers: ${names}</p>` : nothing;
  const example = contents[0]?.[1].example;
  const shown =
    example === undefined ? nothing : html`<details><summary>Example</summary>${json(example)}</details>`;
  return html`<h4>${status}</h4><p>${inline(response.description)}${kinds}</p>${headers}${shown}`;
}

function errorsOf(responses: readonly (readonly [string, DocumentedResponse])[]): Html {
  const rows = responses.flatMap(([status, { description }]) =>
    description.split("\n\n").map((line) => {
      const [, code, meaning] = /^`(\w+)`: (.*)$/.exec(line)!;
      return [html`<code>${code!}</code>`, status, meaning!];
    }),
  );
  return html`<details><summary>Errors</summary>${table(["Code", "Status", "Meaning"], rows)}</details>`;
}

function operationCard(path: string, method: string, operation: DocumentedOperation): Html {
  const responses = Object.entries(operation.responses);
  const successes = responses.filter(([status]) => Number(status) < 400);
  const failures = responses.filter(([status]) => Number(status) >= 400);
  const scheme = Object.keys(operation.security[0] ?? {})[0];
  return html`<section class="card" id="${operation.operationId}" aria-labelledby="${operation.operationId}-title">
<h3 id="${operation.operationId}-title">${operation.summary}</h3>
<p class="endpoint"><span class="method ${method}">${method}</span> <code>${path}</code>
${scheme ? html`<span class="soft">needs ${html`<a href="#access-${scheme}">${scheme}</a>`}</span>` : nothing}</p>
${paragraphs(operation.description)}
${parametersOf(operation)}${requestOf(operation)}
${successes.map(([status, response]) => successOf(status, response))}
${errorsOf(failures)}
</section>`;
}

function schemaCard(name: string, schema: Schema): Html {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties ?? {}).map(([key, property]) => [
    named(key, required.has(key)),
    typeOf(property),
    inline(property.description ?? ""),
  ]);
  const content =
    rows.length > 0 ? table(["Field", "Type", "Meaning"], rows) : html`<p>One of ${typeName(schema)}.</p>`;
  return html`<section class="card" id="schema-${name}"><h3>${name}</h3>${paragraphs(schema.description)}${content}</section>`;
}

function accessSection(document: OpenapiDocument): Html {
  const { components } = document;
  const cards = Object.entries(components.securitySchemes).map(([name, scheme]) => {
    const how = scheme.name ? `Header ${scheme.name}` : `Header Authorization: ${scheme.scheme}`;
    return html`<section class="card" id="access-${name}"><h3>${name}</h3><p><code>${how}</code></p>${paragraphs(scheme.description)}</section>`;
  });
  const rows = [...headersIn(document)].map(([ref, name]) => {
    const { description, example } = components.headers[ref.slice(ref.lastIndexOf("/") + 1)]!;
    return [html`<code>${name}</code>`, inline(description), html`<code>${String(example)}</code>`];
  });
  return html`<h2 id="access">Access and headers</h2>${cards}${table(["Header", "Meaning", "Example"], rows)}`;
}

/** The headers of all answers: what they are called, by what describes them. */
function headersIn({ paths }: OpenapiDocument): Map<string, string> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const responses = operations.flatMap((operation) => Object.values(operation.responses));
  return new Map(
    responses.flatMap(({ headers }) => Object.entries(headers ?? {}).map(([name, { $ref }]) => [$ref, name])),
  );
}

export function docsPage(document: OpenapiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const links = groups.map(({ name, operations }) => {
    const items = operations.map(
      ({ method, operation }) =>
        html`<li><a href="#${operation.operationId}"><span class="method ${method}">${method}</span> ${operation.summary}</a></li>`,
    );
    return html`<h2>${name}</h2><ul>${items}</ul>`;
  });
  const schemas = Object.entries(document.components.schemas);
  const schemaLinks = schemas.map(([name]) => html`<li><a href="#schema-${name}">${name}</a></li>`);
  const sections = groups.map(({ name, description, operations }) => {
    const cards = operations.map(({ path, method, operation }) => operationCard(path, method, operation));
    return html`<h2>${name}</h2><p class="soft">${description}</p>${cards}`;
  });
  return markupOf(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title} API</title>
<link rel="icon" href="data:,">
<style>${new Html(docsStyle)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="layout">
<nav aria-label="Contents">${links}<h2>Reference</h2><ul><li><a href="#access">Access and headers</a></li></ul>
<details><summary>Schemas</summary><ul>${schemaLinks}</ul></details></nav>
<main id="content">
<h1>${document.info.title} API</h1>
<p class="soft">Version ${document.info.version} · ${document.servers.map(({ url }) => html`<code>${url}</code>`)}</p>
${paragraphs(document.info.description)}
${sections}
${accessSection(document)}
<h2>Schemas</h2>
${schemas.map(([name, schema]) => schemaCard(name, schema))}
</main>
</div>
</body>
</html>
`);
}
