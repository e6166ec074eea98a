/**
 * What a create costs beneath the API: bare uWebSockets.js, the group commit and the embedded store. A body becomes a
 * code with all its index entries, synced before it is answered; no key, field or limit is looked at, no image is drawn,
 * and the answer is constant. Slugs are made as the service makes them, since a commit has fewer pages to write when they begin
 * alike. Whatever the service does besides, its creates cannot be faster than these.
 */
import { join } from "node:path";
import { type CommitOwner, GroupCommit } from "../../src/account/group-commit.ts";
import { firstRender } from "../../src/domain/code/render-state.ts";
import type { HttpResponse } from "../../src/engine/engine.ts";
import { loadUws } from "../../src/engine/uws/library.ts";
import { SlugReservations } from "../../src/link/slug-reservations.ts";
import { newId } from "../../src/runtime/ids.ts";
import { systemRandom } from "../../src/runtime/random.ts";
import { documentText } from "../../src/schema/texts.ts";
import { assertDocument } from "../../src/schema/validators.ts";
import { openLmdbStore } from "../../src/store/lmdb/lmdb-store.ts";
import { accountDoc, accounts, codeDoc } from "../filling/links.ts";

const path = join(process.env.DATA_DIR!, "store");
const store = await openLmdbStore({ path, assertDocument, documentText });
const commits = new GroupCommit(store, { committed() {}, failed() {} });
const slugs = new SlugReservations(store, systemRandom);
const owner: CommitOwner = { committed() {}, commitFailed() {} };
const template = codeDoc(0, accounts.few, false);
let account = accountDoc(accounts.few, 0);

async function create(body: ArrayBuffer): Promise<void> {
  const { name, redirect_url } = JSON.parse(Buffer.from(body).toString());
  const now = Date.now();
  const slug = await slugs.reserve();
  const code = {
    ...template,
    id: newId("qr", now, systemRandom),
    slug,
    label: name,
    redirect_url,
    render: firstRender(now),
    created_at: now,
    updated_at: now,
  };
  account = { ...account, active_codes: account.active_codes + 1 };
  await commits.submit(owner, [
    { collection: "codes", put: code, isNew: true },
    { collection: "accounts", put: account },
  ]);
  slugs.release(slug);
}

function answer(res: HttpResponse): void {
  res.cork(() => {
    res.writeStatus("201 Created").writeHeader("Content-Type", "application/json").end('{"success":true}');
  });
}

const { App, us_socket_local_port } = loadUws();
const app = App();
app.post("/v1/qr-codes", (res) => {
  let isThere = true;
  res.onAborted(() => {
    isThere = false;
  });
  res.onData(async (chunk, isLast) => {
    if (!isLast) return;
    await create(chunk.slice(0));
    if (isThere) answer(res);
  });
});
app.listen("127.0.0.1", 0, (socket) => {
  if (socket === false) throw new Error("cannot listen");
  console.log(`listening on http://127.0.0.1:${us_socket_local_port(socket)}`);
});
