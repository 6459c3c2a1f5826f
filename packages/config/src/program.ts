import type { z } from "zod";

/** Program that is configured by environment variables. */
export interface Program<Schema extends z.ZodObject> {
  /** Command that starts it, for the usage line. */
  command: string;
  /** Description in one sentence. */
  purpose: string;
  variables: Schema;
}
