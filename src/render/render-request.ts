import type { RenderJob, RenderResult } from "./render-job.ts";

/** An image that is wanted. */
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
