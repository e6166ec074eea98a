import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { misreadTriesMax } from "../../../src/limits.ts";
import { despiteMisreads } from "../../../src/store/lmdb/misread.ts";

const itself = async (error: unknown) => error;
const failure = (code: number) => Object.assign(new Error(`failed with ${code}`), { code });

/** Fails with these, one after the other, and then does not. */
function failing(...errors: Error[]) {
  let tries = 0;
  return {
    tries: () => tries,
    async transact() {
      const error = errors[tries++];
      if (error !== undefined) throw error;
      return "stored";
    },
  };
}

describe("transactions in which the list of free pages is misread", () => {
  for (const code of [-30_798, -30_781, -30_782]) {
    it(`are tried again after ${code}`, async () => {
      const { transact, tries } = failing(failure(code));
      assert.equal(await despiteMisreads(transact, itself), "stored");
      assert.equal(tries(), 2);
    });
  }

  it("are given up when they fail every time", async () => {
    const { transact, tries } = failing(...Array<Error>(misreadTriesMax).fill(failure(-30_798)));
    await assert.rejects(despiteMisreads(transact, itself), { code: -30_798 });
    assert.equal(tries(), misreadTriesMax);
  });

  it("are told from those that fail for another reason, which may have been stored", async () => {
    const { transact, tries } = failing(failure(28));
    await assert.rejects(despiteMisreads(transact, itself), { code: 28 });
    assert.equal(tries(), 1);
  });

  it("are recognised by the cause, not by what says only that a commit failed", async () => {
    const { transact, tries } = failing(new Error("Commit failed"));
    assert.equal(await despiteMisreads(transact, async () => failure(-30_781)), "stored");
    assert.equal(tries(), 2);
  });
});
