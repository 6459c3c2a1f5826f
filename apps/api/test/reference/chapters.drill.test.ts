/** Runs the commands of the reference's chapters against a server. */
import { apiCommands } from "@parley/docs/chapters";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ExampleServer, startExampleServer } from "./example-server.ts";
import { hasCurl, statusesOf } from "./run.ts";

let server: ExampleServer;
beforeAll(async () => {
  server = await startExampleServer();
});
beforeEach(() => server.renew());
afterAll(() => server.close());

test.skipIf(!hasCurl).each(apiCommands)("$chapter, $heading", async ({ code }) => {
  const commands = code.replaceAll("http://127.0.0.1:8080", server.url);
  const statuses = await statusesOf(commands, server.variables);
  expect(statuses.filter((status) => status < 200 || status > 299)).toEqual([]);
  expect(statuses).not.toEqual([]);
});
