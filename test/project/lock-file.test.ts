/** What `npm ci` installs is pinned by content, with no address of where it was found. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import lock from "../../package-lock.json" with { type: "json" };

interface LockedPackage {
  integrity?: string;
  resolved?: string;
  optional?: boolean;
}

const packages = Object.entries(lock.packages as Record<string, LockedPackage>)
  .filter(([path]) => path !== "")
  .map(([path, locked]) => ({ name: path.replace(/^.*node_modules\//, ""), ...locked }));

test("only the packages that the README names have no integrity, and all of them are optional", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const named = [...readme.matchAll(/`(@uwsjs\/[\w-]+-)\*`/g)].map(([, start]) => start!);
  const unpinned = packages.filter(({ integrity }) => integrity === undefined);
  for (const { name, optional } of unpinned) {
    assert.ok(
      named.some((start) => /^\d+$/.test(name.replace(start, ""))),
      `${name} has no integrity, and the README does not say why`,
    );
    assert.equal(optional, true, name);
  }
  for (const start of named) {
    assert.ok(
      unpinned.some(({ name }) => name.startsWith(start)),
      `${start}* is pinned`,
    );
  }
});

test("no package is bound to the registry that it was first found at", () => {
  assert.deepEqual(
    packages.filter(({ resolved }) => resolved !== undefined),
    [],
  );
});
