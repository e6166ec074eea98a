/**
 * What a test needs of the machine beyond Node: `test("…", { skip: needs("zbarimg") }, …)`.
 *
 * Where the program is missing the test is left out with a reason, and the runner's last lines tell what was not
 * tested for which reason. A test without a reason for being left out fails the run.
 */
import { spawnSync } from "node:child_process";

/** What each answers at once with success, and the Debian package that has it. */
const programs = {
  caddy: { ask: "version", debian: "caddy" },
  chromium: { ask: "--version", debian: "chromium" },
  haproxy: { ask: "-v", debian: "haproxy" },
  nginx: { ask: "-v", debian: "nginx-light" },
  openssl: { ask: "version", debian: "openssl" },
  prlimit: { ask: "--version", debian: "util-linux" },
  "systemd-analyze": { ask: "--version", debian: "systemd" },
  zbarimg: { ask: "--version", debian: "zbar-tools" },
} as const;

/** With the folder of servers, which Debian leaves out of most people's PATH. */
export const searchPath = `${process.env.PATH ?? ""}:/usr/sbin`;

/** For the `skip` of a test: false where the program is there, otherwise the reason. */
export function needs(program: keyof typeof programs): string | false {
  const { ask, debian } = programs[program];
  const { status } = spawnSync(program, [ask], { env: { ...process.env, PATH: searchPath } });
  return status === 0 ? false : `no ${program} on the PATH (Debian has it in ${debian})`;
}
