import type { Result } from "../model/model.ts";

/** One request of the platform, with the answer that the model expects. */
export interface PlannedRequest {
  /** Whether it is a PUT of its one item, instead of a batch. */
  put: boolean;
  items: unknown[];
  /** What becomes of each item. */
  results: Result[];
  /** Sent a second time while the first is under way. */
  twice: boolean;
}
