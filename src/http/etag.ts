/** Whether an `If-None-Match` names this content; a weak name does as well. */
export function ifNoneMatchHas(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === "") return false;
  return ifNoneMatch.split(",").some((part) => {
    const tag = part.trim();
    return tag === "*" || tag === etag || tag === `W/${etag}`;
  });
}
