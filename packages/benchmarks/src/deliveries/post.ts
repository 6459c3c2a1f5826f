import { Agent } from "undici";
import type { Due } from "./seed.ts";
import { signed } from "./signed.ts";

/** As many as Parley's worker has on their way at once by default. */
export const concurrency = 128;

/** What the others have in place of Parley's worker. It opens its connections anew, as a worker does that is started. */
export interface Poster {
  /** Signs and posts one. @throws when the answer is not 200 */
  post(delivery: Due): Promise<void>;
  close(): Promise<void>;
}

export function createPoster(url: string): Poster {
  const { origin, pathname: path } = new URL(url);
  const agent = new Agent({ keepAliveTimeout: 30_000, allowH2: false });
  return {
    async post(delivery) {
      const headers = signed(delivery);
      const response = await agent.request({ origin, path, method: "POST", headers, body: delivery.body });
      await response.body.dump();
      if (response.statusCode !== 200) throw new Error(`the receiver answered ${response.statusCode}`);
    },
    close: () => agent.close(),
  };
}
