/** The document of a lease in memory, with the conditions of a real one. */
import type { LeaseDoc, LeaseRecord } from "../../src/cluster/lease.ts";

type Own = Pick<LeaseDoc, "epoch" | "holder" | "evicts">;

export class LeaseDocument {
  doc: LeaseDoc | null = null;
  #epochs = 0;

  nextEpoch(above: number): number {
    this.#epochs = Math.max(this.#epochs, above) + 1;
    return this.#epochs;
  }

  insert(first: LeaseDoc): boolean {
    if (this.doc !== null) return false;
    this.doc = first;
    return true;
  }

  replace({ epoch, renewals }: LeaseDoc, next: LeaseDoc): boolean {
    if (this.doc?.epoch !== epoch || this.doc.renewals !== renewals) return false;
    this.doc = next;
    return true;
  }

  renew({ epoch, holder, evicts }: Own): LeaseDoc | null {
    const { doc } = this;
    if (doc?.epoch !== epoch || doc.holder !== holder || doc.released) return null;
    this.doc = { ...doc, renewals: doc.renewals + 1, evicts };
    return this.doc;
  }

  /** As if so many renewals had come. */
  age(renewals: number): void {
    if (this.doc !== null) this.doc = { ...this.doc, renewals: this.doc.renewals + renewals };
  }

  watch({ epoch, renewals }: LeaseDoc): void {
    const { doc } = this;
    if (doc?.epoch === epoch) this.doc = { ...doc, watched: Math.max(doc.watched ?? 0, renewals) };
  }

  release({ epoch, holder, evicts, served }: Own & Pick<LeaseDoc, "served">): void {
    const { doc } = this;
    if (doc?.epoch === epoch && doc.holder === holder) this.doc = { ...doc, released: true, evicts, served };
  }
}

export function memoryLease(document: LeaseDocument): LeaseRecord {
  return {
    read: async () => document.doc,
    nextEpoch: async (above) => document.nextEpoch(above),
    insert: async (first) => document.insert(first),
    replace: async (seen, next) => document.replace(seen, next),
    renew: async (own) => document.renew(own),
    watch: async (seen) => document.watch(seen),
    release: async (own) => document.release(own),
  };
}
