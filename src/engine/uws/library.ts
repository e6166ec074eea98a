/**
 * uWebSockets.js, in the build for the Node that runs.
 *
 * It comes as binaries, and no release has them for every Node that we serve: the older one is for Node 20 and
 * 22 and runs on any glibc since 2.27; the newer one is for Node 22, 24 and 26 and demands glibc 2.38 (Debian
 * 13, Ubuntu 24.04). Node 22 takes the older one, since that runs in more places. Neither runs on musl.
 *
 * The package manager installs only the binary for the Node it runs on: whoever changes Node installs again.
 */
import { createRequire } from "node:module";
import { headerBytesMax } from "../../limits.ts";

export type UwsLibrary = typeof import("uWebSockets.js");

const packageFor: Readonly<Record<string, string>> = {
  "20": "uWebSockets.js",
  "22": "uWebSockets.js",
  "24": "uWebSockets.js-node24",
  "26": "uWebSockets.js-node24",
};

/** Which package has the build for a version of Node, like `20.19.0`. */
export function packageForNode(version: string): string {
  const name = packageFor[version.split(".")[0]!];
  if (name === undefined) {
    throw new Error(`Node.js ${version} is not supported: use ${Object.keys(packageFor).join(", ")}`);
  }
  return name;
}

/** Fails with one line that says why. */
export function loadUws(): UwsLibrary {
  const name = packageForNode(process.versions.node);
  // The library reads its limit once, when it is loaded.
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(headerBytesMax);
  try {
    return createRequire(import.meta.url)(name) as UwsLibrary;
  } catch (cause) {
    throw new Error(
      `${name} has no build that loads on Node.js ${process.versions.node} (${process.platform}, ${process.arch})`,
      { cause },
    );
  }
}
