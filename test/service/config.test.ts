import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { type Config, ConfigError, readConfig } from "../../src/config.ts";
import { builtInPlans } from "../../src/domain/account/plans.ts";
import { temporaryFolder } from "../support/endings.ts";

const folder = temporaryFolder();

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const plan = { qr_cap: 1, per_minute: 2, per_day: 3, burst: 4, creates: true, advanced: false };
const plansFile = fileOf("plans.json", JSON.stringify({ free: plan }));
const hostsFile = fileOf("hosts", "bad.example\n");

interface Row {
  name: string;
  field: keyof Config;
  fallback: unknown;
  good: [value: string, read: unknown][];
  bad: string[];
  allowed?: RegExp;
}

const table: Row[] = [
  {
    name: "HOST",
    field: "host",
    fallback: "127.0.0.1",
    good: [
      ["0.0.0.0", "0.0.0.0"],
      ["::1", "::1"],
      ["localhost", "localhost"],
    ],
    bad: ["http://localhost", "localhost:80", "two words", "a/b"],
    allowed: /address or a host name/,
  },
  {
    name: "PORT",
    field: "port",
    fallback: 3000,
    good: [
      ["0", 0],
      ["8080", 8080],
      ["65535", 65_535],
      [" 80 ", 80],
    ],
    bad: ["-1", "65536", "http", "80.5", "0x50", "1e3", "8\n0"],
    allowed: /0 to 65535/,
  },
  {
    name: "PUBLIC_URL",
    field: "publicUrl",
    fallback: null,
    good: [
      ["https://qr.example.com", "https://qr.example.com"],
      ["https://qr.example.com/", "https://qr.example.com"],
      ["HTTP://QR.example.com:8080", "http://qr.example.com:8080"],
    ],
    bad: [
      "qr.example.com",
      "ftp://qr.example.com",
      "https://qr.example.com/path",
      "https://a:b@qr.example.com",
      "https://:b@qr.example.com",
      "https://qr.example.com?x=1",
      "https://qr.example.com#x",
      "https://",
    ],
    allowed: /origin without a path/,
  },
  {
    name: "DATA_DIR",
    field: "dataDir",
    fallback: resolve("data"),
    good: [["/var/lib/q", "/var/lib/q"]],
    bad: [],
  },
  {
    name: "MONGODB_URL",
    field: "mongodbUrl",
    fallback: null,
    good: [
      ["mongodb://db:27017/x", "mongodb://db:27017/x"],
      ["mongodb+srv://db.example/x", "mongodb+srv://db.example/x"],
    ],
    bad: ["db:27017", "http://db", "mongodb://"],
    allowed: /mongodb:\/\//,
  },
  {
    name: "CLUSTER",
    field: "cluster",
    fallback: null,
    good: [["off", null]],
    bad: ["yes", "ON"],
    allowed: /"on" or "off"/,
  },
  {
    name: "CLUSTER_ADDRESS",
    field: "cluster",
    fallback: null,
    // Of no use by itself.
    good: [["member-1.example.com:7000", null]],
    bad: ["member-1", "member-1:70000", "http://member-1:7000"],
    allowed: /a host and a port/,
  },
  {
    name: "ADMIN_TOKEN",
    field: "adminToken",
    fallback: null,
    good: [["0123456789abcdef", "0123456789abcdef"]],
    bad: ["short", "0123456789 abcdef", "0123456789abcdeé"],
    allowed: /at least 16 printable/,
  },
  {
    name: "METRICS",
    field: "metrics",
    fallback: "token",
    good: [
      ["open", "open"],
      ["off", "off"],
      ["token", "token"],
    ],
    bad: ["on", "yes"],
    allowed: /one of token, open, off/,
  },
  {
    name: "METRICS_TOKEN",
    field: "metricsToken",
    fallback: null,
    good: [["0123456789abcdef", "0123456789abcdef"]],
    bad: ["short", "0123456789 abcdef"],
    allowed: /at least 16 printable/,
  },
  {
    name: "BLOCKLIST_FILE",
    field: "blockListFile",
    fallback: null,
    good: [[hostsFile, hostsFile]],
    bad: [join(folder, "none"), folder],
  },
  {
    name: "GEOIP_DB",
    field: "geoipDb",
    fallback: null,
    good: [[hostsFile, hostsFile]],
    bad: [join(folder, "none.mmdb")],
  },
  {
    name: "COUNTRY_HEADER",
    field: "countryHeader",
    fallback: null,
    good: [["CF-IPCountry", "cf-ipcountry"]],
    bad: ["a b", "x:", "é"],
    allowed: /header name/,
  },
  {
    name: "SCAN_SYNC",
    field: "scanSync",
    fallback: 100,
    good: [
      ["1", 1],
      ["60000", 60_000],
      ["always", "always"],
    ],
    bad: ["0", "60001", "never", "1.5", "ALWAYS"],
    allowed: /1 to 60000, or "always"/,
  },
  {
    name: "RENDER_THREADS",
    field: "renderThreads",
    fallback: Math.max(1, availableParallelism() - 1),
    good: [
      ["1", 1],
      ["64", 64],
    ],
    bad: ["0", "65", "two"],
    allowed: /1 to 64/,
  },
  {
    name: "LOG_LEVEL",
    field: "logLevel",
    fallback: "info",
    good: ["trace", "debug", "info", "warn", "error", "fatal", "silent"].map((level) => [level, level]),
    bad: ["loud", "INFO"],
    allowed: /trace, debug, info/,
  },
  {
    name: "QRELAY_BOOTSTRAP",
    field: "bootstrap",
    fallback: true,
    good: [
      ["off", false],
      ["on", true],
    ],
    bad: ["no", "0"],
    allowed: /"on" or "off"/,
  },
];

for (const { name, field, fallback, good, bad, allowed } of table) {
  test(name, () => {
    assert.deepEqual(readConfig({})[field], fallback);
    assert.deepEqual(readConfig({ [name]: "" })[field], fallback);
    assert.deepEqual(readConfig({ [name]: "  " })[field], fallback);
    for (const [value, read] of good) assert.deepEqual(readConfig({ [name]: value })[field], read, value);
    for (const value of bad) {
      assert.throws(
        () => readConfig({ [name]: value }),
        (cause) => {
          assert.ok(cause instanceof ConfigError, String(cause));
          const isSecret = ["ADMIN_TOKEN", "METRICS_TOKEN", "MONGODB_URL"].includes(name);
          const isShown = !isSecret && !value.includes("@");
          const said = cause.message.slice(0, cause.message.indexOf(" is not usable: "));
          if (isShown) assert.equal(said, `${name}=${value.replaceAll(/\s+/g, " ")}`);
          else assert.ok(said.startsWith(name) && !said.includes(value));
          assert.doesNotMatch(cause.message, /\n/);
          if (allowed) assert.match(cause.message, allowed);
          return true;
        },
        value,
      );
    }
  });
}

test("TRUSTED_PROXIES", () => {
  assert.ok(readConfig({}).trustedProxies);
  assert.ok(readConfig({ TRUSTED_PROXIES: "10.0.0.0/8, ::1,192.0.2.7" }).trustedProxies);
  for (const value of ["10.0.0.0/33", "proxy.example", "1.2.3", "10.0.0.1;10.0.0.2"]) {
    assert.throws(
      () => readConfig({ TRUSTED_PROXIES: value }),
      (cause) =>
        cause instanceof ConfigError && cause.message.startsWith(`TRUSTED_PROXIES=${value} is not usable`),
      value,
    );
  }
});

test("PLANS_FILE", () => {
  assert.equal(readConfig({}).plans, builtInPlans);
  const { plans } = readConfig({ PLANS_FILE: plansFile });
  assert.deepEqual([...plans.keys()], ["free"]);
  const bad: [text: string, named: RegExp][] = [
    ["{\n  free: 1\n}", /not JSON/],
    ["[]", /object of plans/],
    [JSON.stringify({ free: { ...plan, per_minute: "60" } }), /free\.per_minute/],
  ];
  for (const [text, named] of bad) {
    const path = fileOf("bad-plans.json", text);
    assert.throws(
      () => readConfig({ PLANS_FILE: path }),
      (cause) => {
        assert.ok(cause instanceof ConfigError);
        assert.ok(cause.message.startsWith(`PLANS_FILE=${path} is not usable: `));
        assert.match(cause.message, named);
        assert.doesNotMatch(cause.message, /\n/);
        return true;
      },
    );
  }
  assert.throws(() => readConfig({ PLANS_FILE: join(folder, "none.json") }), /PLANS_FILE=.*none\.json/);
});

test("a remote safety check", () => {
  assert.equal(readConfig({}).safetyCheck, null);
  assert.deepEqual(readConfig({ SAFETY_CHECK_URL: "https://risk.example.com/v1" }).safetyCheck, {
    url: "https://risk.example.com/v1",
    key: null,
    fail: "open",
  });
  const closed = {
    SAFETY_CHECK_URL: "http://localhost:9",
    SAFETY_CHECK_KEY: "k",
    SAFETY_CHECK_FAIL: "closed",
  };
  assert.deepEqual(readConfig(closed).safetyCheck, { url: "http://localhost:9", key: "k", fail: "closed" });
  assert.throws(
    () => readConfig({ SAFETY_CHECK_URL: "risk" }),
    /^ConfigError: SAFETY_CHECK_URL is not usable/,
  );
  assert.throws(() => readConfig({ SAFETY_CHECK_FAIL: "maybe" }), /SAFETY_CHECK_FAIL=maybe is not usable/);
});

test("a cluster", () => {
  const on = { CLUSTER: "on", CLUSTER_ADDRESS: "member-1:7000", MONGODB_URL: "mongodb://db/" };
  assert.deepEqual(readConfig(on).cluster, { address: "member-1:7000", tls: null });
  assert.throws(() => readConfig({ ...on, MONGODB_URL: "" }), /CLUSTER=on needs MONGODB_URL/);
  assert.throws(() => readConfig({ ...on, CLUSTER_ADDRESS: "" }), /CLUSTER=on needs CLUSTER_ADDRESS/);
  const pem = fileOf("some.pem", "some PEM");
  assert.throws(
    () => readConfig({ ...on, CLUSTER_CERT: pem }),
    /CLUSTER_KEY and CLUSTER_CA are of use together/,
  );
  const tls = { CLUSTER_CERT: pem, CLUSTER_KEY: pem, CLUSTER_CA: pem };
  assert.deepEqual(readConfig({ ...on, ...tls }).cluster?.tls, {
    cert: "some PEM",
    key: "some PEM",
    ca: "some PEM",
  });
  assert.throws(
    () => readConfig({ ...on, ...tls, CLUSTER_KEY: join(folder, "none.pem") }),
    /CLUSTER_KEY=.*none\.pem/,
  );
});

test("the configuration cannot be changed afterwards", () => {
  assert.ok(Object.isFrozen(readConfig({})));
});
