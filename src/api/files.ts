/** `/files/{qr_id}/{hash}.{svg|png}`: rendered images, addressed by content and therefore immutable. */
import { ApiError } from "../domain/errors.ts";
import { readableByAnySite } from "../http/cross-origin.ts";
import { ifNoneMatchHas } from "../http/etag.ts";
import type { Reply } from "../http/exchange.ts";
import type { Call } from "./call.ts";

const contentTypes: Record<string, string> = { svg: "image/svg+xml", png: "image/png" };

export async function getFile({ exchange, services }: Call): Promise<Reply> {
  const [codeId, name] = exchange.params as [string, string];
  const [hash, kind] = name.split(".") as [string, string | undefined];
  const contentType = kind === undefined ? undefined : contentTypes[kind];
  if (contentType === undefined) throw new ApiError("not_found");
  const headers: [string, string][] = [
    ["etag", `"${hash}"`],
    ["cache-control", "public, max-age=31536000, immutable"],
    ...readableByAnySite.map(([header, value]): [string, string] => [header, value]),
  ];
  const file = await services.store.get("files", `${codeId}/${name}`);
  if (file === null) throw new ApiError("not_found");
  if (exchange.query.get("download") === "1") {
    // Whoever has the image has the slug; the label is the owner's own.
    const code = await services.store.get("codes", codeId);
    headers.push(["content-disposition", `attachment; filename="${code?.slug ?? "qr-code"}.${kind}"`]);
  }
  if (ifNoneMatchHas(exchange.header("if-none-match"), `"${hash}"`))
    return { status: 304, headers, body: "" };
  return { status: 200, headers: [...headers, ["content-type", contentType]], body: file.bytes };
}
