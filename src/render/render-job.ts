/** What travels between the event loop and the render workers, and what it is wanted for. */
import type { RenderMetadata } from "../domain/documents.ts";

export interface RenderJob {
  /** What the symbol encodes: the public link, or the text itself. */
  content: string;
  metadata: RenderMetadata;
}

export interface RenderedFile {
  /** SHA-256 of the bytes, the first 32 hex digits: the name under which the file is served. */
  hash: string;
  bytes: Uint8Array;
}

export interface RenderResult {
  svg: RenderedFile;
  /** Null when the metadata asks for no PNG. */
  png: RenderedFile | null;
}

/** What a thread tells of a job: an error of one does not concern the others. */
export type Drawn = RenderResult | { problem: string };

/** Jobs on their way to a thread. */
export interface RenderTask {
  jobs: readonly RenderJob[];
  /** Shared with the thread, which tells there how far it is: one that still starts up does not hang. */
  begun: Int32Array<SharedArrayBuffer>;
}

/** Places in `begun`: the number of the thread, 0 before it begins; how many of the jobs it has begun. */
export const threadAt = 0;
export const jobsAt = 1;

export interface RenderRequest {
  account_id: string;
  code_id: string;
  /** Of the code's render state: a higher one makes this request pointless. */
  version: number;
  job: RenderJob;
  /** How often it was tried before. */
  attempt: number;
}

/** What becomes of requests. Both store what they are told before they resolve. */
export interface RenderOutcomes {
  rendered(request: RenderRequest, result: RenderResult): Promise<void>;
  /** `final`: it is not tried again. */
  failed(request: RenderRequest, error: string, final: boolean): Promise<void>;
}
