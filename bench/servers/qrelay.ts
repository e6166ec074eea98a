/** The service itself, as it is started in production, on a data folder of the bench's. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TemporaryFolder } from "../filling/temporary.ts";
import type { Program } from "../processes.ts";

let isBuilt = false;

/** Measured is what `npm start` runs: the bundle, and never a stale one. */
function build(): void {
  if (isBuilt) return;
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  execFileSync("npm", ["run", "--silent", "build"], { cwd, stdio: ["ignore", "ignore", "inherit"] });
  isBuilt = true;
}

export function qrelay(data: TemporaryFolder, env: Record<string, string> = {}): Program {
  build();
  return {
    script: "dist/main.js",
    env: {
      DATA_DIR: data.path,
      HOST: "127.0.0.1",
      PORT: "0",
      LOG_LEVEL: "warn",
      QRELAY_BOOTSTRAP: "off",
      METRICS: "open",
      // Settings of whoever runs the bench must not reach the server that is measured.
      PUBLIC_URL: "",
      MONGODB_URL: "",
      CLUSTER: "",
      BLOCKLIST_FILE: "",
      PLANS_FILE: "",
      TRUSTED_PROXIES: "",
      COUNTRY_HEADER: "",
      GEOIP_DB: "",
      SCAN_SYNC: "",
      RENDER_THREADS: "",
      HTTP_ENGINE: "",
      ...env,
    },
  };
}
