import { chmodSync } from "node:fs";
import { startPostgres } from "@parley/embedded-postgres";
import { makeTestFolder } from "@parley/testing/test-folder";
import type { TestProject } from "vitest/node";
import { createTemplate } from "./template.ts";

/** Vitest's `globalSetup`: runs before all tests. The function that it returns runs after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = makeTestFolder();
  chmodSync(folder, 0o711); // Tests that run as root start processes of other users.
  process.env.TMPDIR = folder; // Inherited by the test workers, so that temporary files are removed with the folder.
  const maxConnections = 50 * project.globalConfig.maxWorkers; // A worker has up to 30 at once.
  const server = await startPostgres({ dataDir: folder, durable: false, maxConnections });
  await createTemplate(server.url);
  project.provide("parleyTestServer", server.url);
  return () => server.stop();
}
