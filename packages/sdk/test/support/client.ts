import { Parley } from "../../src/index.ts";
import { type TestClock, testClock } from "./clock.ts";
import { type Received, type Reply, startServer, type TestServer } from "./server.ts";

export interface TestClient extends TestServer {
  readonly parley: Parley;
  readonly clock: TestClock;
}

/** A client of a real server that answers as `reply` says, under a clock that does not wait. */
export async function startClient(
  reply: (request: Received, count: number) => Reply | Promise<Reply>,
  options: { readonly timeoutMs?: number; readonly maxRetries?: number } = {},
): Promise<TestClient> {
  const server = await startServer(reply);
  const clock = testClock();
  const { baseUrl } = server;
  return {
    ...server,
    clock,
    parley: new Parley({ baseUrl, accessToken: "parley_at_0", clock, ...options }),
  };
}

/** The replies one after the other; the last one for ever. */
export function inTurn(...replies: Reply[]): (request: Received, count: number) => Reply {
  return (_, count) => replies[Math.min(count, replies.length - 1)] ?? {};
}
