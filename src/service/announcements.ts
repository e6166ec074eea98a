/** Who is told of a change: the scan path and the render queue, which derive their own state from documents. */
import type { Changes } from "../account/account-actor.ts";
import { wantsImage } from "../domain/code/render-state.ts";
import type { CodeDoc } from "../domain/documents.ts";
import type { Links } from "../link/links.ts";
import { UncertainAccounts } from "../link/uncertain-accounts.ts";
import type { RenderQueue } from "../render/render-queue.ts";
import type { RenderRequest } from "../render/render-request.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/store.ts";

export interface Listeners {
  links: Links;
  renders: RenderQueue;
  toRequest(code: CodeDoc): RenderRequest;
  store: Store;
  clock: Clock;
}

export function announceTo({ links, renders, toRequest, store, clock }: Listeners): Changes {
  const uncertainAccounts = new UncertainAccounts(store, links.publishAccount, clock);
  return {
    durable(write) {
      if (!("put" in write)) return;
      if (write.collection === "projects") links.publishProject(write.put);
      if (write.collection === "accounts") {
        uncertainAccounts.known(write.put.id);
        links.publishAccount(write.put);
      }
      if (write.collection !== "codes") return;
      links.publishCode(write.put);
      if (wantsImage(write.put.render)) renders.request(toRequest(write.put));
      else renders.cancel(write.put.id);
    },
    uncertain(write) {
      if (!("put" in write)) return;
      if (write.collection === "accounts") uncertainAccounts.reread(write.put.id);
      if (write.collection === "projects") links.forgetProject(write.put.id);
      if (write.collection !== "codes") return;
      links.forget(write.put.slug);
      renders.lookAgain(write.put.account_id, write.put.id);
    },
  };
}
