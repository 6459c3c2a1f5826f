import { type ConnectionOptions, Parley } from "../../src/index.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { type ReceivedRequest, startTestServer, type TestResponse, type TestServer } from "./server.ts";

/** Client with its test server and test clock. */
export interface TestClient extends TestServer {
  readonly parley: Parley;
  readonly clock: TestClock;
}

/**
 * Starts a test server, and creates a client for it with a clock that does not wait.
 *
 * @param respond - returns the response to a request; `count` is 0 for the first request
 */
export async function startTestClient(
  respond: (request: ReceivedRequest, count: number) => TestResponse | Promise<TestResponse>,
  options: Omit<ConnectionOptions, "baseUrl" | "clock"> = {},
): Promise<TestClient> {
  const server = await startTestServer(respond);
  const clock = createTestClock();
  const { baseUrl } = server;
  return {
    ...server,
    clock,
    parley: new Parley({ baseUrl, accessToken: "parley_at_0", clock, ...options }),
  };
}

/** Returns the responses in order, then repeats the last one. */
export function inSequence(
  ...responses: TestResponse[]
): (request: ReceivedRequest, count: number) => TestResponse {
  return (_, count) => responses[Math.min(count, responses.length - 1)] ?? {};
}
