/** What a scanner of a code meets: the public link, and `/files/{qr_id}/{hash}.{svg|png}`, its images. */

import { ApiError } from "../domain/errors.ts";
import type { Call } from "../door/route.ts";
import type { Reply } from "../http/reply.ts";
import { readableByAnySite } from "../http/standing-headers.ts";
import { ifNoneMatchHas } from "../http/static-answer.ts";
import { answerExamples, requestExamples } from "../openapi/examples.ts";
import { type AnswerDescription, pathId, sharedHeaders } from "../openapi/operation.ts";
import type { Store } from "../store/store.ts";
import { get, type Operation } from "./operation.ts";

export interface LinkParts {
  store: Pick<Store, "get">;
}

const contentTypes: Record<string, string> = { svg: "image/svg+xml", png: "image/png" };

/** Images are addressed by their content and therefore immutable. */
async function getFile({ exchange }: Call, { store }: LinkParts): Promise<Reply> {
  const [codeId, name] = exchange.params as [string, string];
  const [hash, kind] = name.split(".") as [string, string | undefined];
  const contentType = kind === undefined ? undefined : contentTypes[kind];
  if (contentType === undefined) throw new ApiError("not_found");
  const headers: [string, string][] = [
    ["etag", `"${hash}"`],
    ["cache-control", "public, max-age=31536000, immutable"],
    ...readableByAnySite.map(([header, value]): [string, string] => [header, value]),
  ];
  const file = await store.get("files", `${codeId}/${name}`);
  if (file === null) throw new ApiError("not_found");
  if (exchange.query.get("download") === "1") {
    // Whoever has the image has the slug; the label is the owner's own.
    const code = await store.get("codes", codeId);
    headers.push(["content-disposition", `attachment; filename="${code?.slug ?? "qr-code"}.${kind}"`]);
  }
  if (ifNoneMatchHas(exchange.header("if-none-match"), `"${hash}"`))
    return { status: 304, headers, body: "" };
  return { status: 200, headers: [...headers, ["content-type", contentType]], body: file.bytes };
}

export const slugInPath = pathId("slug", "The slug of a code.", String(answerExamples.code.slug));

const scanHeaders = { "Cache-Control": "NoStore" };

const scanAnswers: readonly AnswerDescription[] = [
  {
    status: 200,
    description:
      "The text of a code of type `text`: as it is, or as a page to those who prefer HTML. Known robots get a page without the destination from a link with a scan limit.",
    content: {
      "text/plain": { schema: { type: "string" }, example: requestExamples.createText.value.text },
      "text/html": { schema: { type: "string" } },
    },
    headers: { ...scanHeaders, Vary: "VaryAccept" },
  },
  {
    status: 302,
    description: "On to the destination.",
    headers: { Location: "Destination", ...scanHeaders },
  },
];

const scan = {
  path: "/{slug}",
  tag: "Public links",
  access: "anyone",
  servedBy: "redirect",
  parameters: [slugInPath],
  answers: scanAnswers,
  errors: ["not_found", "qr_not_found", "qr_blocked", "qr_expired", "qr_scan_limit_reached"],
  refusalPages: true,
} as const;

const imageHeaders = { "Cache-Control": "Immutable", ETag: "ETag", ...sharedHeaders };
const exampleFile = answerExamples.code.file_url_svg.split("/").at(-1)!;

export const linkOperations: readonly Operation<LinkParts>[] = [
  {
    ...scan,
    id: "scan",
    method: "GET",
    summary: "Scan a code",
    description:
      "Counts as a scan when it is answered with the destination or the text, unless it is a prefetch. Known robots use no scan limit up. Letters may be of either case, and one slash at the end is overlooked.",
  },
  {
    ...scan,
    id: "peek",
    method: "HEAD",
    summary: "See where a code leads",
    description: "The same headers as a scan; does not count.",
  },
  {
    id: "getFile",
    ...get("/files/{qr_id}/{file}"),
    tag: "Public links",
    summary: "Get a rendered image",
    description: "Files are named by their content and never change.",
    access: "anyone",
    parameters: [
      pathId("qr_id", "The `qr_id`.", answerExamples.code.qr_id),
      pathId("file", "Hash of the content, and `.svg` or `.png`.", exampleFile),
      {
        name: "download",
        in: "query",
        description: "`1`: to be saved, under the code's slug.",
        required: false,
        schema: { type: "string" },
        example: "1",
      },
    ],
    handler: getFile,
    answers: [
      {
        status: 200,
        description: "The image.",
        content: {
          "image/svg+xml": { schema: { type: "string" } },
          "image/png": { schema: { type: "string", format: "binary" } },
        },
        headers: imageHeaders,
      },
      {
        status: 304,
        description: "The image the client has is the one (`If-None-Match`).",
        headers: imageHeaders,
      },
    ],
    errors: ["not_found"],
  },
];
