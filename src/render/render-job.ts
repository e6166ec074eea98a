/** What travels between the event loop and the render workers. */
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

/** A job on its way to a thread. */
export interface RenderTask {
  job: RenderJob;
  /** Shared with the thread, which puts its number there when it begins: one that still starts up does not hang. */
  begun: Int32Array<SharedArrayBuffer>;
}
