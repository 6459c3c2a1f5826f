import { chmodSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { startPostgres } from "../embedded/start-postgres.ts";
import { createTemplate } from "./template.ts";
import { makeTestFolder } from "./test-folder.ts";

/** Vitest's `globalSetup`: runs before all tests. The function that it returns runs after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = makeTestFolder();
  chmodSync(folder, 0o711); // Tests that run as root start processes of other users.
  process.env.TMPDIR = folder; // The workers inherit it: what tests leave behind goes with the run.
  const server = await startPostgres({ dataDir: folder, durable: false });
  await createTemplate(server.url);
  project.provide("parleyTestServer", server.url);
  return () => server.stop();
}
