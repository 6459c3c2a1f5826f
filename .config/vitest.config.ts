import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const root = join(import.meta.dirname, "..");
const postgres = [join(root, "packages/database/src/testing/global-setup.ts")];

/** Tests whose name ends with `.<tier>.test.ts`; those of the tier `unit` have no such ending. */
function tier(name: string, globalSetup: string[]) {
  const inTier = name === "unit" ? "!(*.integration|*.e2e|*.drill|*.release)" : `*.${name}`;
  const include = [`{packages,apps}/*/{src,test}/**/${inTier}.test.ts`];
  return { extends: true as const, test: { name, include, globalSetup } };
}

export default defineConfig({
  root,
  test: {
    projects: [
      tier("unit", []), // No database, no other process, no network.
      tier("integration", postgres), // Several parts together, with a real PostgreSQL and real HTTP, in one process.
      tier("e2e", postgres), // The main job, the README, the console and the documentation, as people use them.
      tier("drill", postgres), // Other processes and tools, browsers in all widths and themes, faults for minutes.
      tier("release", postgres), // Slow, and rarely changed: upgrades, installations, other runtimes and languages.
    ],
    reporters: [
      "default",
      join(root, ".config/compliance-reporter.ts"),
      join(root, ".config/summary-reporter.ts"),
    ],
    testTimeout: 90_000, // Against hanging: on a busy machine a test may take many times what it takes on an idle one.
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    setupFiles: [join(root, ".config/refuse-empty-tables.ts")],
    isolate: false, // Test files of a worker share the loaded modules: 42 % less CPU. So each file restores what it changes.
    maxWorkers: Math.round(1.5 * availableParallelism()), // The tests wait for servers: on 2 cores 3 workers took 234 s, 2 or 4 took 252 s. vitest limits percentages to the number of cores.
  },
});
