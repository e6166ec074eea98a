import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { GroupCommit } from "../../src/account/group-commit.ts";
import { getMetrics } from "../../src/api/service.ts";
import { errors } from "../../src/domain/errors.ts";
import type { Call } from "../../src/door/route.ts";
import { metricsKeptMs } from "../../src/limits.ts";
import { verdicts } from "../../src/link/decision.ts";
import { ClusterMetrics } from "../../src/metrics/cluster-metrics.ts";
import { expose } from "../../src/metrics/exposition.ts";
import { Histogram } from "../../src/metrics/histogram.ts";
import { type MetricSources, openMetrics, type ScanFigures } from "../../src/metrics/metrics.ts";
import { StoreUnavailable, UniqueViolation } from "../../src/store/store.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { MemoryStore } from "../fakes/memory-store.ts";
import { putAccount, putKey, sampleAccount, sampleKey } from "../fakes/sample-documents.ts";
import { parseExposition, sampleValue } from "./metrics-format.ts";

function sources(changes: Partial<MetricSources> = {}): MetricSources {
  return {
    version: "1.2.3",
    engine: "node",
    connections: () => 9,
    mayServe: () => true,
    scans: { verdicts, figures: () => null, links: () => 12 },
    journal: { bytes: () => 4096, lagMs: () => 2_500, isHealthy: () => true },
    actors: { live: () => 3, waiting: () => 2 },
    renders: { depth: () => 7 },
    searches: { running: () => 2, waiting: () => 9 },
    ...changes,
  };
}

test("label values and help texts survive whatever they hold", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ minLength: 1 }), (value, help) => {
      const family = { name: "a_total", help: `x${help}`, type: "counter" as const };
      const text = expose([{ ...family, samples: () => [{ labels: { of: value }, value: 1 }] }]);
      const parsed = parseExposition(text).get("a_total")!;
      assert.deepEqual(parsed.samples, [{ name: "a_total", labels: { of: value }, value: 1 }]);
    }),
  );
});

test("a histogram puts each value below the first bound that is not smaller", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 30, noNaN: true }), { maxLength: 200 }), (values) => {
      const histogram = new Histogram([0.5, 1, 5, 10]);
      for (const value of values) histogram.observe(value);
      const text = expose([{ name: "h", help: "h", type: "histogram", samples: () => histogram.samples() }]);
      const parsed = parseExposition(text);
      for (const bound of [0.5, 1, 5, 10]) {
        const expected = values.filter((value) => value <= bound).length;
        assert.equal(sampleValue(parsed, "h_bucket", { le: String(bound) }), expected);
      }
      assert.equal(sampleValue(parsed, "h_count"), values.length);
      assert.ok(
        Math.abs(sampleValue(parsed, "h_sum") - values.reduce((sum, value) => sum + value, 0)) < 1e-6,
      );
    }),
  );
  assert.throws(() => new Histogram([1, 1]), /must rise/);
});

test("gauges are read when somebody asks", () => {
  let live = 3;
  const metrics = openMetrics(sources({ actors: { live: () => live, waiting: () => 0 } }));
  assert.equal(sampleValue(parseExposition(metrics.expose()), "qrelay_actors_live"), 3);
  live = 4;
  assert.equal(sampleValue(parseExposition(metrics.expose()), "qrelay_actors_live"), 4);
  metrics.close();
});

test("what the operations document promises is there", () => {
  const metrics = openMetrics(sources());
  const parsed = parseExposition(metrics.expose());
  assert.equal(sampleValue(parsed, "qrelay_info", { version: "1.2.3", node: process.versions.node }), 1);
  assert.equal(sampleValue(parsed, "qrelay_connections"), 9);
  assert.equal(sampleValue(parsed, "qrelay_right_to_serve"), 1);
  assert.equal(sampleValue(parsed, "qrelay_links"), 12);
  assert.equal(sampleValue(parsed, "qrelay_journal_bytes"), 4096);
  assert.equal(sampleValue(parsed, "qrelay_journal_lag_seconds"), 2.5);
  assert.equal(sampleValue(parsed, "qrelay_journal_healthy"), 1);
  assert.equal(sampleValue(parsed, "qrelay_mailbox_commands"), 2);
  assert.equal(sampleValue(parsed, "qrelay_render_queue_depth"), 7);
  assert.ok(sampleValue(parsed, "process_resident_memory_bytes") > 10e6);
  assert.ok(sampleValue(parsed, "process_cpu_seconds_total") > 0);
  for (const stat of ["mean", "p50", "p99", "max"]) {
    assert.ok(sampleValue(parsed, "qrelay_event_loop_delay_seconds", { stat }) >= 0);
  }
  for (const name of [
    "qrelay_http_requests_total",
    "qrelay_http_request_seconds",
    "qrelay_scan_seconds",
    "qrelay_commit_seconds",
    "qrelay_commit_writes",
    "qrelay_store_errors_total",
  ]) {
    assert.ok(parsed.has(name), name);
  }
  metrics.close();
});

test("scans are told by outcome, with both kinds of redirect as one", () => {
  const answered = Float64Array.from(verdicts, (_, at) => 10 ** at);
  const figures: ScanFigures = { answered, uncounted: 5, aborted: 6, cold: 7 };
  const metrics = openMetrics(sources({ scans: { verdicts, figures: () => figures, links: () => 0 } }));
  const parsed = parseExposition(metrics.expose());
  const scans = (outcome: string) => sampleValue(parsed, "qrelay_scans_total", { outcome });
  const at = (outcome: (typeof verdicts)[number]) => answered[verdicts.indexOf(outcome)]!;
  assert.equal(scans("redirect"), at("redirect") + at("special"));
  assert.equal(scans("text"), at("text"));
  assert.equal(scans("not_found"), at("notFound"));
  assert.equal(scans("limit_reached"), at("limitReached"));
  assert.equal(scans("unavailable"), at("unavailable"));
  assert.equal(scans("uncounted"), 5);
  assert.equal(sampleValue(parsed, "qrelay_scans_aborted_total"), 6);
  assert.equal(sampleValue(parsed, "qrelay_scans_cold_total"), 7);
  metrics.close();
});

test("requests are counted by route and status, and timed", () => {
  const metrics = openMetrics(sources());
  const create = metrics.route("POST", "/v1/qr-codes");
  const read = metrics.route("GET", "/v1/qr-codes/:id");
  metrics.route("GET", "/docs");
  create(201, 0.004);
  create(201, 0.006);
  create(errors.unauthorized.status, 0.0001);
  read("aborted", 20);
  const parsed = parseExposition(metrics.expose());
  const route = { method: "POST", route: "/v1/qr-codes" };
  assert.equal(sampleValue(parsed, "qrelay_http_requests_total", { ...route, status: "201" }), 2);
  assert.equal(sampleValue(parsed, "qrelay_http_requests_total", { ...route, status: "401" }), 1);
  assert.equal(sampleValue(parsed, "qrelay_http_requests_total", { status: "aborted" }), 1);
  assert.equal(sampleValue(parsed, "qrelay_http_request_seconds_bucket", { ...route, le: "0.005" }), 2);
  assert.equal(sampleValue(parsed, "qrelay_http_request_seconds_count", route), 3);
  assert.equal(sampleValue(parsed, "qrelay_http_request_seconds_bucket", { method: "GET", le: "10" }), 0);
  assert.doesNotMatch(metrics.expose(), /docs/);
  metrics.close();
});

test("a turn of scans counts once for each of them", () => {
  const metrics = openMetrics(sources());
  metrics.scansAnswered(64, 0.7);
  metrics.scansAnswered(1, 3);
  const parsed = parseExposition(metrics.expose());
  assert.equal(sampleValue(parsed, "qrelay_scan_seconds_count"), 65);
  assert.equal(sampleValue(parsed, "qrelay_scan_seconds_bucket", { le: "0.001" }), 64);
  metrics.close();
});

test("commits, failures of the store and renders are counted; a refused write is no failure", async () => {
  const metrics = openMetrics(sources());
  const memory = new MemoryStore();
  const commits = new GroupCommit(metrics.watchStore(memory), metrics.commits);
  const owner = { committed() {}, commitFailed() {} };

  await commits.submit(owner, [putKey(sampleKey({ id: "key_1", hash: "same" }))]);
  await assert.rejects(
    commits.submit(owner, [putKey(sampleKey({ id: "key_2", hash: "same" }))]),
    UniqueViolation,
  );
  memory.isAway = true;
  await assert.rejects(commits.submit(owner, [putAccount(sampleAccount())]), StoreUnavailable);
  metrics.rendered("done");

  const parsed = parseExposition(metrics.expose());
  assert.equal(sampleValue(parsed, "qrelay_commit_seconds_count"), 1);
  assert.equal(sampleValue(parsed, "qrelay_commit_writes_sum"), 1);
  assert.equal(sampleValue(parsed, "qrelay_commits_failed_total"), 2);
  assert.equal(sampleValue(parsed, "qrelay_store_errors_total", { operation: "commit" }), 1);
  assert.equal(sampleValue(parsed, "qrelay_renders_total", { outcome: "done" }), 1);
  assert.equal(sampleValue(parsed, "qrelay_renders_total", { outcome: "failed" }), 0);
  metrics.close();
});

test("a watched store still answers every operation", async () => {
  const metrics = openMetrics(sources());
  const store = metrics.watchStore(new MemoryStore());
  const account = sampleAccount();
  await store.commit([putAccount(account)]);
  assert.deepEqual(await store.get("accounts", account.id), account);
  assert.equal((await store.listAccounts({ before: null, limit: 5 })).items.length, 1);
  assert.equal((await store.walk("accounts", null, 5)).length, 1);
  await store.ping();
  metrics.close();
});

const noCall = {} as Call;

test("the answer to GET /metrics is text that scrapers know", () => {
  const metrics = openMetrics(sources());
  const reply = getMetrics(noCall, { metrics, clock: new ManualClock(0) });
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.headers[0], ["content-type", "text/plain; version=0.0.4; charset=utf-8"]);
  parseExposition(String(reply.body));
  metrics.close();
});

test("figures are taken once a second at most, however often somebody asks", () => {
  const metrics = openMetrics(sources());
  const clock = new ManualClock(1_000_000);
  const renders = () => {
    const { body } = getMetrics(noCall, { metrics, clock });
    return sampleValue(parseExposition(String(body)), "qrelay_renders_total", { outcome: "done" });
  };
  assert.equal(renders(), 0);
  metrics.rendered("done");
  clock.advance(metricsKeptMs - 1);
  assert.equal(renders(), 0);
  clock.advance(1);
  assert.equal(renders(), 1);
  metrics.rendered("done");
  assert.equal(renders(), 1);
  metrics.close();
});

test("the dashboard asks only for metrics that exist", () => {
  const file = new URL("../../scripts/grafana-dashboard.json", import.meta.url);
  const dashboard = JSON.parse(readFileSync(file, "utf8")) as Dashboard;
  const none = () => 0;
  const { families } = new ClusterMetrics({
    members: none,
    partitions: none,
    rightLeftMs: none,
    rightsLost: none,
  });
  const metrics = openMetrics(sources({ cluster: families }));
  const exposed = new Set<string>();
  for (const { name, type } of parseExposition(metrics.expose()).values()) {
    if (type === "histogram") for (const part of ["_bucket", "_sum", "_count"]) exposed.add(name + part);
    else exposed.add(name);
  }
  metrics.close();
  assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
  const asked = new Set<string>();
  for (const panel of dashboard.panels) {
    assert.ok(panel.targets.length > 0, panel.title);
    for (const { expr } of panel.targets) {
      const names = expr.match(/\b(qrelay|process|nodejs)_[a-z0-9_]+/g);
      assert.ok(names !== null, `no metric in ${expr}`);
      for (const name of names) {
        assert.ok(exposed.has(name), `${panel.title} asks for ${name}`);
        asked.add(name);
      }
    }
  }
  for (const name of ["qrelay_scans_total", "qrelay_journal_lag_seconds", "qrelay_store_errors_total"]) {
    assert.ok(asked.has(name), `no panel shows ${name}`);
  }
});

interface Dashboard {
  panels: { id: number; title: string; targets: { expr: string }[] }[];
}
