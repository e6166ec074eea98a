/** The methods of operations, HEAD among them: it is answered wherever GET is. */
export type Method = "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";

/** Who may call: the holder of an API key, the operator, whoever may read the figures, anyone. */
export type Access = "key" | "admin" | "metrics" | "anyone";

/** What a 401 asks for. There is no registered scheme for keys in a header of their own. */
export const challenges: Readonly<Record<Exclude<Access, "anyone">, string>> = {
  key: 'ApiKey realm="qrelay", header="x-api-key"',
  admin: 'Bearer realm="qrelay admin"',
  metrics: 'Bearer realm="qrelay metrics"',
};
