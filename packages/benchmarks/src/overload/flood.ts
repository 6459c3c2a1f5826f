/** Sends many requests of one organization. */
import autocannon, { type Request } from "autocannon";
import { serve } from "../harness/child.ts";

interface Flood {
  url: string;
  requests: Request[];
  connections: number;
  /** Seconds. */
  duration: number;
  /** Requests per second; undefined for as many as possible. */
  overallRate?: number;
}

/** Responses per second, by what the server did. */
export interface FloodResult {
  accepted: number;
  /** Responses with 429. */
  limited: number;
  /** Responses with 503. */
  refused: number;
  /** Other responses, errors and timeouts. */
  failed: number;
}

const commands = {
  async send({ duration, ...options }: Flood): Promise<FloodResult> {
    const result = await autocannon({ duration, ...options });
    const count = (status: `${number}`) => result.statusCodeStats?.[status]?.count ?? 0;
    const [accepted, limited, refused] = [result["2xx"], count("429"), count("503")];
    const failed = result.non2xx - limited - refused + result.errors;
    const perSecond = (number: number) => number / duration;
    return {
      accepted: perSecond(accepted),
      limited: perSecond(limited),
      refused: perSecond(refused),
      failed: perSecond(failed),
    };
  },
};

export type FloodSender = typeof commands;

serve(commands);
