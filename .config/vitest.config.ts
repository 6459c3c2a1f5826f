import { join } from "node:path";
import { defineConfig } from "vitest/config";

const root = join(import.meta.dirname, "..");

export default defineConfig({
  root,
  test: {
    include: ["packages/*/{src,test}/**/*.test.ts", "apps/*/{src,test}/**/*.test.ts"],
    globalSetup: [join(root, "packages/database/src/testing/global-setup.ts")],
    reporters: ["default", join(root, ".config/summary-reporter.ts")],
    testTimeout: 90_000, // Against hanging: on a busy machine a test may take many times what it takes alone.
    hookTimeout: 120_000,
    maxWorkers: "100%", // The tests wait for servers more than they compute.
  },
});
