/** The proxies of the README as processes, on the files that it shows, in front of a service. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { endsWithTest, temporaryFolder } from "../endings.ts";
import { searchPath } from "../needs.ts";
import { freePort } from "./free-port.ts";

const startMsMax = 10_000;

interface Proxy {
  /** What the README shows. */
  file: string;
  /** Where it listens, as the file spells it. */
  listens: { shown: string; at(port: number): string };
  /** How it drops the client's word on the country, and how it would give its own. */
  country: { dropped: string; set: string };
  /** Whether it believes, and passes on, the list of addresses that a proxy in front of it sends. */
  passesOn: boolean;
  /** The command, with the file that the process is to read. */
  command(folder: string, file: string): string[];
  /** What an installation has around the file. */
  around?(folder: string, text: string): string;
}

export const proxies = {
  nginx: {
    file: "scripts/proxies/nginx.conf",
    listens: { shown: "listen 80", at: (port) => `listen 127.0.0.1:${port}` },
    country: { dropped: 'X-Country ""', set: "X-Country DE" },
    passesOn: true,
    command: (folder, file) => ["nginx", "-p", folder, "-c", file, "-e", "stderr"],
    around: (folder, text) => {
      const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
      const paths = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ");
      return `daemon off; pid ${folder}/pid; events {}\nhttp { access_log off; ${paths}\n${text}}\n`;
    },
  },
  caddy: {
    file: "scripts/proxies/Caddyfile",
    listens: { shown: "links.example.com {", at: (port) => `http://127.0.0.1:${port} {` },
    country: { dropped: "-X-Country", set: "X-Country DE" },
    passesOn: false,
    command: (_, file) => ["caddy", "run", "--adapter", "caddyfile", "--config", file],
    around: (folder, text) => `{\n\tadmin off\n\tstorage file_system ${folder}\n}\n${text}`,
  },
  haproxy: {
    file: "scripts/proxies/haproxy.cfg",
    listens: { shown: "bind :80", at: (port) => `bind 127.0.0.1:${port}` },
    country: { dropped: "del-header X-Country", set: "set-header X-Country DE" },
    passesOn: true,
    command: (_, file) => ["haproxy", "-f", file],
  },
} satisfies Record<string, Proxy>;

/** Resolves with its address. `country` is what the proxy says of every visitor; without it nothing is said. */
export async function startProxy(
  name: keyof typeof proxies,
  service: string,
  country: "DE" | null = null,
): Promise<string> {
  const proxy: Proxy = proxies[name];
  const folder = temporaryFolder();
  const port = await freePort();
  const replaced: [string, string][] = [
    ["127.0.0.1:3000", new URL(service).host],
    [proxy.listens.shown, proxy.listens.at(port)],
    ...(country ? [[proxy.country.dropped, proxy.country.set] as [string, string]] : []),
  ];
  let text = await readFile(new URL(`../../../${proxy.file}`, import.meta.url), "utf8");
  for (const [shown, here] of replaced) {
    if (!text.includes(shown)) throw new Error(`${proxy.file} has no ${shown}`);
    text = text.replace(shown, here);
  }
  const file = join(folder, "config");
  await writeFile(file, proxy.around?.(folder, text) ?? text);
  const [program, ...args] = proxy.command(folder, file);
  const env = { PATH: searchPath, HOME: folder };
  const child = spawn(program!, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  endsWithTest(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  });
  await listening(child, port, () => errors);
  return `http://127.0.0.1:${port}`;
}

async function listening(child: ChildProcess, port: number, errors: () => string): Promise<void> {
  for (const end = performance.now() + startMsMax; performance.now() < end; await pause(20)) {
    if (child.exitCode !== null) throw new Error(`the proxy ended: ${errors()}`);
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
  }
  child.kill("SIGKILL");
  throw new Error(`the proxy does not listen: ${errors()}`);
}
