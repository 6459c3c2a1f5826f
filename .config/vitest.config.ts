import { join } from "node:path";
import { defineConfig } from "vitest/config";

const root = join(import.meta.dirname, "..");
const postgres = [join(root, "packages/database/src/testing/global-setup.ts")];

/** Tests whose name ends with `.<tier>.test.ts`; those of the tier `unit` have no such ending. */
function tier(name: string, globalSetup: string[]) {
  const inTier = name === "unit" ? "!(*.integration|*.e2e|*.drill)" : `*.${name}`;
  const include = [`{packages,apps}/*/{src,test}/**/${inTier}.test.ts`];
  return { extends: true as const, test: { name, include, globalSetup } };
}

export default defineConfig({
  root,
  test: {
    projects: [
      tier("unit", []), // No database, no other process, no network.
      tier("integration", postgres), // Several parts together, with a real PostgreSQL and real HTTP.
      tier("e2e", postgres), // The whole product as people use it: its commands, its pages in a browser.
      tier("drill", postgres), // Slow by nature: other runtimes, a fresh installation, faults for minutes.
    ],
    reporters: ["default", join(root, ".config/summary-reporter.ts")],
    testTimeout: 90_000, // Against hanging: on a busy machine a test may take many times what it takes on an idle one.
    hookTimeout: 120_000,
    isolate: false, // Test files of a worker share the loaded modules: 42 % less CPU. So each file restores what it changes.
    maxWorkers: "150%", // The tests wait for servers more than they compute.
  },
});
