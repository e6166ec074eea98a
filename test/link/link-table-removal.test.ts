import assert from "node:assert/strict";
import { test } from "node:test";
import { LinkTable } from "../../src/link/link-table.ts";
import { ProjectStates } from "../../src/link/project-states.ts";
import { keyOfWords } from "../../src/link/slug.ts";
import { Zones } from "../../src/link/zones.ts";
import { seeded } from "../golden/seeded.ts";

test("a link removed while the index grows is gone, its slot is another's, and all others are found", () => {
  const projects = new ProjectStates();
  const table = new LinkTable(1_000_000, projects, new Zones());
  const random = seeded(7);
  const links: number[] = [];
  const keyOf = (link: number) => keyOfWords(Math.imul(link, 2_654_435_761) & 0x1ffffff, link);
  const find = (link: number) => table.find(keyOf(link));
  for (let link = 0; link < 60_000; link++) {
    const slot = table.insert(keyOf(link));
    const project = projects.add("p", "acc", false);
    const url = `https://example.com/${link}`;
    table.describe(slot, project, { flags: 0, expiresAt: 0, limit: 0, url, text: null, rules: null });
    links.push(link);
    if (link % 3 === 2) {
      const at = random.whole(0, links.length - 1);
      const removed = links[at]!;
      links[at] = links.at(-1)!;
      links.pop();
      table.remove(find(removed));
      assert.equal(find(removed), -1, `${removed} after ${link}`);
    }
    const other = random.pick(links);
    assert.equal(table.url(find(other)), `https://example.com/${other}`);
  }
  assert.equal(table.size, links.length);
  for (const link of links) assert.equal(table.url(find(link)), `https://example.com/${link}`);
});
