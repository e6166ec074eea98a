/** For what any page of any site may read: files and the document. Neither asks who is there, so neither tells. */
export const readableByAnySite = [
  ["access-control-allow-origin", "*"],
  ["access-control-expose-headers", "ETag"],
] as const;
