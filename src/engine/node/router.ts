/** Patterns to handlers, by the rules in `engine.ts`. */
import type { HttpHandler } from "../engine.ts";

interface Branch {
  readonly words: Map<string, Branch>;
  name: Branch | null;
  /** What takes the path when it ends here. */
  handler: HttpHandler | null;
  /** What takes anything below. */
  star: HttpHandler | null;
}

interface Found {
  handler: HttpHandler;
  params: string[];
}

const newBranch = (): Branch => ({ words: new Map(), name: null, handler: null, star: null });

const anyMethod = "any";

export class Router {
  readonly #methods = new Map<string, Branch>();

  /** The method in capitals, or `any`. */
  add(method: string, pattern: string, handler: HttpHandler): void {
    let branch = this.#methods.get(method) ?? newBranch();
    this.#methods.set(method, branch);
    for (const part of pattern.slice(1).split("/")) {
      if (part === "*") {
        branch.star = handler;
        return;
      }
      if (part.startsWith(":")) {
        branch.name ??= newBranch();
        branch = branch.name;
        continue;
      }
      const next = branch.words.get(part) ?? newBranch();
      branch.words.set(part, next);
      branch = next;
    }
    branch.handler = handler;
  }

  find(method: string, path: string): Found | null {
    const own = this.#methods.get(method);
    const params: string[] = [];
    const handler =
      (own && look(own, path, 1, params)) ?? look(this.#methods.get(anyMethod), path, 1, params);
    return handler === null ? null : { handler, params };
  }
}

function look(branch: Branch | undefined, path: string, from: number, params: string[]): HttpHandler | null {
  if (branch === undefined) return null;
  const slash = path.indexOf("/", from);
  const end = slash < 0 ? path.length : slash;
  const part = path.slice(from, end);
  const word = branch.words.get(part);
  if (word !== undefined) {
    const handler = slash < 0 ? word.handler : look(word, path, end + 1, params);
    if (handler !== null) return handler;
  }
  if (branch.name !== null && part !== "") {
    params.push(part);
    const handler = slash < 0 ? branch.name.handler : look(branch.name, path, end + 1, params);
    if (handler !== null) return handler;
    params.pop();
  }
  return branch.star;
}

type Register = (pattern: string, handler: HttpHandler) => void;

/** Registering by method, for every app that has a router of ours. */
export class RoutedApp {
  readonly router = new Router();
  readonly get: Register = (pattern, handler) => this.router.add("GET", pattern, handler);
  readonly head: Register = (pattern, handler) => this.router.add("HEAD", pattern, handler);
  readonly post: Register = (pattern, handler) => this.router.add("POST", pattern, handler);
  readonly patch: Register = (pattern, handler) => this.router.add("PATCH", pattern, handler);
  readonly del: Register = (pattern, handler) => this.router.add("DELETE", pattern, handler);
  readonly any: Register = (pattern, handler) => this.router.add(anyMethod, pattern, handler);
}
