import { join } from "node:path";
import { defineConfig } from "vitest/config";

const root = join(import.meta.dirname, "..");

export default defineConfig({
  root,
  test: {
    include: ["packages/*/{src,test}/**/*.test.ts", "apps/*/{src,test}/**/*.test.ts"],
    globalSetup: [join(root, "packages/database/src/testing/global-setup.ts")],
    reporters: ["default", join(root, ".config/summary-reporter.ts")],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: "100%", // The tests wait for servers more than they compute.
  },
});
