import type { z } from "zod";

/** A program that is configured by environment variables. */
export interface Program<Schema extends z.ZodObject> {
  /** How it is started, for its usage. */
  command: string;
  /** What it does, in a sentence. */
  purpose: string;
  variables: Schema;
}
