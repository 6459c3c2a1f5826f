import type { BuildOptions } from "rolldown";

/** One file, which Zapier runs beside the platform. */
export default {
  input: "src/index.ts",
  platform: "node",
  external: ["zapier-platform-core"],
  output: { file: "dist/index.js" },
} satisfies BuildOptions;
