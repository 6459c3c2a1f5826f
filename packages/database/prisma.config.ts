import { join } from "node:path";
import { defineConfig } from "prisma/config";

// Prisma's native engine cannot be downloaded everywhere. This one is the same engine as WASM, behind the same protocol.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= join(import.meta.dirname, "bin/schema-engine");

// Nobody outside is told of our commands.
process.env.CHECKPOINT_DISABLE ??= "1";

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "" },
});
