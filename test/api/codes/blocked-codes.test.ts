import assert from "node:assert/strict";
import { test } from "node:test";
import { blockCode, unblockCode } from "../../../src/domain/code/code-commands.ts";
import { updateCode } from "../../../src/domain/code/update-code.ts";
import type { AccountDoc, CodeDoc } from "../../../src/domain/documents.ts";
import type { UpdateCodeBody } from "../../../src/domain/requests.ts";
import { decide, verdict } from "../../../src/link/decision.ts";
import { linkFields } from "../../../src/link/link-fields.ts";
import { LinkTable } from "../../../src/link/link-table.ts";
import { ProjectStates } from "../../../src/link/project-states.ts";
import { slugKey } from "../../../src/link/slug.ts";
import { Zones } from "../../../src/link/zones.ts";
import { applied, refusalOf } from "../../fakes/account-view.ts";
import { markingRules } from "../../fakes/field-rules.ts";
import { sampleAccount, sampleCode } from "../../fakes/sample-documents.ts";
import { dice } from "../../support/dice.ts";

const slug = "qr-7k2m9x4t8w";

/** One code, its account, and everything that is done to them. */
function workshop() {
  let code: CodeDoc = sampleCode({ slug });
  let account: AccountDoc = sampleAccount({ active_codes: 1 });
  const run = (command: Parameters<typeof applied>[0]) => {
    const { answer, writes } = applied(command, { codes: [code], account });
    for (const write of writes) {
      if (write.collection === "codes" && "put" in write) code = write.put;
      if (write.collection === "accounts" && "put" in write) account = write.put;
    }
    return answer;
  };
  return {
    get code() {
      return code;
    },
    get activeCodes() {
      return account.active_codes;
    },
    patch: (body: UpdateCodeBody) => refusalOf(() => run(updateCode(code.id, body, markingRules))),
    block: () => run(blockCode(code.id)),
    unblock: () => refusalOf(() => run(unblockCode(code.id, markingRules))),
    scan: () => scanOf(code),
  };
}

function scanOf(code: CodeDoc): number {
  const projects = new ProjectStates();
  const table = new LinkTable(1, projects, new Zones());
  const slot = table.insert(slugKey(slug));
  table.describe(slot, projects.add(code.project_id, code.account_id, false), linkFields(code));
  return decide(table, projects, slot, code.updated_at);
}

const isServed = (decided: number) => decided === verdict.redirect || decided === verdict.special;

test("another target, archiving and activating do not lift a block", () => {
  const shop = workshop();
  shop.block();
  assert.equal(
    shop.patch({ redirect_url: "https://example.com/harmless", redirect_rules: null }),
    "accepted",
  );
  assert.equal(shop.code.status, "blocked");
  assert.match(shop.patch({ status: "active" }), /^feature_disabled: .*blocked/);
  assert.equal(shop.patch({ status: "archived" }), "accepted");
  assert.deepEqual([shop.code.status, shop.code.blocked, shop.activeCodes], ["archived", true, 0]);
  assert.match(shop.patch({ status: "active" }), /^feature_disabled: .*blocked/);
  assert.equal(shop.scan(), verdict.blocked);
});

test("an unblocked code that was archived stays archived, and can then be activated", () => {
  const shop = workshop();
  shop.block();
  shop.patch({ status: "archived" });
  assert.equal(shop.unblock(), "accepted");
  assert.deepEqual([shop.code.status, shop.code.blocked, shop.activeCodes], ["archived", false, 0]);
  assert.equal(shop.scan(), verdict.notFound);
  assert.equal(shop.patch({ status: "active" }), "accepted");
  assert.equal(shop.activeCodes, 1);
  assert.ok(isServed(shop.scan()));
});

test("whatever its owner does, a blocked code is not served until the block is lifted", () => {
  const random = dice(4, 0);
  const bodies: UpdateCodeBody[] = [
    { status: "active" },
    { status: "archived" },
    { redirect_url: "https://example.com/a" },
    { redirect_url: "https://example.com/b", status: "active" },
    { redirect_rules: [] },
    { label: "x", status: "archived" },
    { expires_at: null, scan_limit: null },
  ];
  for (let round = 0; round < 300; round++) {
    const shop = workshop();
    let isBlocked = false;
    for (let step = 0; step < 20; step++) {
      const roll = random.below(10);
      if (roll === 0 && shop.code.status === "active") isBlocked = Boolean(shop.block()) || isBlocked;
      else if (roll === 1) isBlocked = shop.unblock() !== "accepted" && isBlocked;
      else shop.patch(bodies[random.below(bodies.length)]!);
      assert.equal(shop.code.blocked, isBlocked);
      assert.equal(isServed(shop.scan()), !isBlocked && shop.code.status === "active");
      assert.equal(shop.code.status === "blocked", isBlocked && shop.code.status !== "archived");
      assert.equal(shop.activeCodes, shop.code.status === "active" ? 1 : 0);
    }
  }
});
