/**
 * An optional second opinion on where a code leads, from a service that knows dangerous sites.
 *
 * It is asked before the account's actor gets the command, because an actor never waits for anything but the
 * store. The refusal takes its place in the order of checks like that of a local one. The local checks always
 * apply; `fail` says what happens to a URL on which the service gave no opinion: `open` lets it pass, `closed`
 * answers 503.
 */
import type { FieldRules } from "../domain/code/code-fields.ts";
import { ApiError, unavailable } from "../domain/errors.ts";
import type { AtOnce } from "../runtime/at-once.ts";

export type Verdict = "safe" | "unsafe" | "unknown";

export interface RemoteCheck {
  /** One verdict for all: unsafe when one is, else unknown when one is. Never rejects. */
  verdict(urls: readonly string[]): Promise<Verdict>;
  close(): void;
}

export interface RemotePolicy {
  check: RemoteCheck;
  fail: "open" | "closed";
}

export interface Targets {
  redirect_url?: string | null | undefined;
  redirect_rules?: readonly { url: string }[] | null | undefined;
}

/** The same rules, which then also refuse what the remote check finds dangerous among these targets. */
export function withRemoteCheck(
  rules: FieldRules,
  policy: RemotePolicy | null,
  targets: Targets,
): AtOnce<FieldRules> {
  return policy === null ? rules : withVerdicts(rules, policy, targets);
}

async function withVerdicts(rules: FieldRules, policy: RemotePolicy, targets: Targets): Promise<FieldRules> {
  const verdicts = new Map<string, Verdict>();
  await Promise.all(
    locallySafe(rules, targets).map(async (href) => {
      verdicts.set(href, await policy.check.verdict([href]));
    }),
  );
  return {
    ...rules,
    checkUrl(path, value) {
      const checked = rules.checkUrl(path, value);
      const verdict = verdicts.get(checked.href) ?? "unknown";
      return { ...checked, unsafe: checked.unsafe ?? refusalOf(path, verdict, policy.fail) };
    },
  };
}

/** Nobody else is told of a URL that is refused anyway. */
function locallySafe(rules: FieldRules, { redirect_url, redirect_rules }: Targets): string[] {
  const given = [redirect_url, ...(redirect_rules ?? []).map((rule) => rule.url)];
  const hrefs = new Set<string>();
  for (const value of given) {
    if (!value) continue;
    try {
      const { href, unsafe } = rules.checkUrl("", value);
      if (unsafe === null) hrefs.add(href);
    } catch (refusal) {
      // No URL at all: whoever checks the field says so, with its name.
      if (!(refusal instanceof ApiError)) throw refusal;
    }
  }
  return [...hrefs];
}

function refusalOf(path: string, verdict: Verdict, fail: RemotePolicy["fail"]): ApiError | null {
  if (verdict === "unsafe") {
    return new ApiError("unsafe_url", `${path} leads to a destination that is known to be dangerous`);
  }
  if (verdict === "unknown" && fail === "closed") {
    return unavailable("The URL safety check does not answer. Try again shortly.");
  }
  return null;
}
