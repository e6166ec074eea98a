/**
 * The projects of loaded links: one archived flag each, shared by all links of the project, so that
 * archiving a project of a hundred thousand codes is one byte. A project is known as long as a link
 * refers to it.
 */

import type { CodeOwner } from "../domain/analytics/link-scans.ts";

/** The index of a link that is not described yet. */
export const projectless = 0xffffffff;

export class ProjectStates {
  readonly #indexes = new Map<string, number>();
  readonly #owners: (CodeOwner | null)[] = [];
  readonly #free: number[] = [];
  #archived = new Uint8Array(64);
  #links = new Uint32Array(64);

  get size(): number {
    return this.#indexes.size;
  }

  /** The index of a known project, or -1. */
  indexOf(id: string): number {
    return this.#indexes.get(id) ?? -1;
  }

  /** Makes the project known, or brings its state up to date. Follow with a `retain`. */
  add(id: string, accountId: string, archived: boolean): number {
    let index = this.indexOf(id);
    if (index < 0) {
      index = this.#free.pop() ?? this.#owners.length;
      if (index >= this.#archived.length) this.#grow();
      this.#owners[index] = { project_id: id, account_id: accountId };
      this.#indexes.set(id, index);
      this.#links[index] = 0;
    }
    this.#archived[index] = archived ? 1 : 0;
    return index;
  }

  setArchived(id: string, archived: boolean): void {
    const index = this.indexOf(id);
    if (index >= 0) this.#archived[index] = archived ? 1 : 0;
  }

  /** Not known whether it is archived, until it is read again. */
  setUncertain(id: string): void {
    const index = this.indexOf(id);
    if (index >= 0) this.#archived[index] = 2;
  }

  setAllUncertain(): void {
    for (const index of this.#indexes.values()) this.#archived[index] = 2;
  }

  /** There, and its state certain. */
  isKnown(id: string): boolean {
    const index = this.indexOf(id);
    return index >= 0 && !this.isUncertain(index);
  }

  isUncertain(index: number): boolean {
    return this.#archived[index] === 2;
  }

  isArchived(index: number): boolean {
    return this.#archived[index] !== 0;
  }

  /** The project and its account. */
  owner(index: number): CodeOwner {
    return this.#owners[index]!;
  }

  retain(index: number): void {
    this.#links[index]! += 1;
  }

  release(index: number): void {
    if (index === projectless) return;
    const left = this.#links[index]! - 1;
    this.#links[index] = left;
    if (left > 0) return;
    this.#indexes.delete(this.#owners[index]!.project_id);
    this.#owners[index] = null;
    this.#free.push(index);
  }

  #grow(): void {
    const archived = new Uint8Array(this.#archived.length * 2);
    archived.set(this.#archived);
    this.#archived = archived;
    const links = new Uint32Array(archived.length);
    links.set(this.#links);
    this.#links = links;
  }
}
